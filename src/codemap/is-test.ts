const FOLDERS =
  /(?:^|\/)(?:tests?|__tests?__|__mocks__|__snapshots__|__fixtures__|specs?|e2e|fixtures?|test-?data|testing|integration-tests?|bench(?:es|marks?)?)\//i;
const FILES = [
  /\.(?:test|tests|spec|e2e|bench|test-d|cy)\.[a-z]+$/i,
  /(?:_test|_spec|_bench)\.[a-z]+$/i,
  /(?:^|\/)(?:test_[^/]*|conftest)\.pyi?$/,
  /(?:^|\/)tests?\.(?:py|rs|rb)$/,
  /[a-z0-9](?:Tests?|TestCase|IT|Spec|Specs)\.(?:java|kt|kts|scala|cs|swift|php|groovy)$/,
];

/** Tells by its path whether a file tests others, so that answers about the product can leave it out. */
export function isTestPath(path: string): boolean {
  return FOLDERS.test(path) || FILES.some((form) => form.test(path));
}
