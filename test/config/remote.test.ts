import { expect, test } from "vitest";
import { createRemoteConfig } from "../../src/config/index.js";

const PLACE = { owner: "acme", name: "tools", installation: 1, defaultBranch: "main" };
const HOSTS = [
  "127.0.0.1:3000",
  "169.254.169.254:80",
  "10.0.0.5",
  "[::1]:80",
  "::ffff:7f00:1",
  "[fd00::1]",
  "npm.example.com",
  "npm.example.com:8443",
  "93.184.215.14:443",
];
const TEXT = `sandbox: { level: none, network: ${JSON.stringify(HOSTS)} }\nsetup: { network: ${JSON.stringify(HOSTS)} }\n`;

const read = (isBoxRequired: boolean) =>
  createRemoteConfig(
    { clock: { now: () => 0 }, read: () => Promise.resolve(TEXT) },
    { isBoxRequired, ttlMs: 0 },
  )(PLACE);

test("SE-03: on somebody else's machine a repository opens neither the box nor the machine's own network", async () => {
  const { sandbox, setup } = await read(true);
  expect(sandbox.level).toBe("auto");
  expect(sandbox.network).toEqual(HOSTS.slice(6));
  expect(setup.network).toEqual(HOSTS.slice(6));
});

test("where the operator lets the repository decide, it does", async () => {
  const { sandbox, setup } = await read(false);
  expect(sandbox).toMatchObject({ level: "none", network: HOSTS });
  expect(setup.network).toEqual(HOSTS);
});
