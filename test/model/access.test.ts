import { describe, expect, it } from "vitest";
import { ModelConfig, providerAccess } from "../../src/model/index.js";

const settings = (providers: object, executor = "my-lab/qwen3:32b") =>
  ModelConfig.parse({ executor, providers });
const URL = "http://127.0.0.1:11434/v1";

describe("the access to providers", () => {
  it("has keys from the environment only, and addresses from there first", () => {
    const config = settings({ "my-lab": { url: `${URL}/` } });
    expect(providerAccess(config, { ANTHROPIC_API_KEY: "a" }, { isShared: false })).toEqual({
      anthropic: { key: "a" },
      "my-lab": { key: "", url: URL },
    });
    const env = {
      ANTHROPIC_BASE_URL: "http://gateway",
      ACCRUE_MY_LAB_KEY: " k\n",
      ACCRUE_MY_LAB_URL: "https://lab.example.com/v1",
    };
    for (const isShared of [true, false]) {
      expect(providerAccess(config, env, { isShared })).toEqual({
        anthropic: { key: "", url: "http://gateway" },
        "my-lab": { key: "k", url: "https://lab.example.com/v1" },
      });
    }
  });

  it("is refused on a server for an address that only the repository names, key or not", () => {
    const config = settings({ "my-lab": { url: "http://169.254.169.254/v1" } });
    for (const env of [{}, { ACCRUE_MY_LAB_KEY: "k" }, { ACCRUE_MY_LAB_URL: "" }]) {
      expect(() => providerAccess(config, env, { isShared: true })).toThrow(/my-lab.*ACCRUE_MY_LAB_URL/);
    }
  });

  it("leaves out providers that no tier names", () => {
    const config = settings({ "my-lab": { url: URL } }, "anthropic/claude-haiku-5-5");
    expect(Object.keys(providerAccess(config, {}, { isShared: true }))).toEqual(["anthropic"]);
  });

  it("knows each model of a chain, and none without an address", () => {
    const config = ModelConfig.parse({ validator: ["anthropic/claude-haiku-5-5", "other/x"] });
    expect(() => providerAccess(config, {}, { isShared: false })).toThrow(/"other" of the model "other\/x"/);
  });

  it.each(["ftp://host/v1", "no address", "http://user:pass@host/v1", "http://host/v1?key=1"])(
    "takes no address like %s",
    (url) => {
      const env = { ACCRUE_MY_LAB_URL: url };
      expect(() => providerAccess(settings({}), env, { isShared: false })).toThrow(
        /ACCRUE_MY_LAB_URL is no address/,
      );
    },
  );
});

describe("the model section", () => {
  it("has a default for everything, and takes a chain for a tier", () => {
    expect(ModelConfig.parse({})).toEqual({
      planner: "anthropic/claude-opus-5-5",
      executor: "anthropic/claude-haiku-5-5",
      validator: "anthropic/claude-sonnet-5-5",
      providers: {},
      prices: {},
    });
    const chain = ["openrouter/deepseek/deepseek-chat", "ollama/qwen3:32b"];
    expect(ModelConfig.parse({ executor: chain }).executor).toEqual(chain);
  });

  it.each([
    [{ executor: "claude" }, /executor/],
    [{ executor: "anthropic/claude/haiku" }, /executor/],
    [{ executor: [] }, /executor/],
    [{ providers: { anthropic: { url: URL } } }, /anthropic/],
    [{ providers: { lab: { ulr: URL } } }, /ulr/],
    [{ providers: { lab: { url: "file:///etc/passwd" } } }, /url/],
    [{ prices: { "lab/x": { input: 1 } } }, /needs input and output/],
    [{ prices: { "lab/x": { input: 0.0001, output: 1 } } }, /multiple of 0.001/],
    [{ prices: { "lab/x": { input: 1, output: 1, bands: [{ up_to: null, input: 1, output: 1 }] } } }, /both/],
    [{ prices: { "lab/x": { bands: [{ up_to: 5, input: 1, output: 1 }] } } }, /up_to: null/],
  ])("refuses %j", (section, message) => {
    expect(() => ModelConfig.parse(section)).toThrow(message);
  });
});
