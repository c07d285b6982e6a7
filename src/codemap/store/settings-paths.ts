const SETTINGS_FILE =
  /(?:^|\/)(?:package\.json|[tj]sconfig(?:\.[^/]*)?\.json|deno\.jsonc?|go\.(?:mod|work)|Cargo\.toml|composer\.json|pyproject\.toml|setup\.cfg)$|(?:^|\/)tsconfig[^/]*\/[^/]+\.json$/;

/** Tells the files that say how names are found. */
export function isSettingsPath(path: string): boolean {
  return SETTINGS_FILE.test(path) && !/(?:^|\/)node_modules\//.test(path);
}
