const FOLDER =
  /(^|\/)(?:tests?|__tests?__|testing|specs?|fixtures?|testdata|test-data|__mocks__|e2e|acceptance|benchmarks?|benches|bench|examples?|samples?)\//i;
const FILE =
  /(?:\.(?:test|spec|test-d|bench|stories)\.\w+|_(?:test|spec)\.\w+|(?:Tests?|IT|TestCase|Spec)\.(?:java|kt|kts|scala|cs|swift|php))$|(?:^|\/)(?:test_[^/]*|conftest)\.py$/;

/** True for files that only show that others work, or how to use them: tests, their fixtures, examples, benchmarks. */
export function isTestPath(path: string): boolean {
  return FOLDER.test(path) || FILE.test(path);
}
