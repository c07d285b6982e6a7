import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf } from "../../src/memory/index.js";

type Row = [title: string, a: string, b: string];

/** Texts that contradict each other or speak of two things, by the kind of difference. */
const APART: Record<string, Row[]> = {
  number: [
    ["KN-43: two addresses", "router IP 192.168.7.1", "router IP 192.168.9.1"],
    ["a limit", "The rate limit is 100 per minute", "The rate limit is 200 per minute"],
    ["two versions", "The build needs Go 1.22", "The build needs Go 1.23"],
    ["one of two durations", "令牌 15 分钟过期，会话 30 天", "令牌 30 分钟过期，会话 30 天"],
    ["a count in words", "A job is tried three times", "A job is tried 5 times"],
    ["Chinese dates", "2025年3月4日上线", "2025-03-05 上线"],
    ["ports of hosts", "metrics on localhost:9090", "metrics on localhost:9091"],
  ],
  name: [
    ["ME-11: siblings by number", "ASR1603 uses the old bus", "ASR1605 uses the old bus"],
    [
      "ME-11: siblings by prefix",
      "Tests run with `jest-native`, see setup/jest.ts",
      "Tests run with `react-native`, see setup/react.ts",
    ],
    ["ME-24: places in a mixed name", "北京 University", "上海 University"],
    ["KN-41: two people", "My name is Alice", "My name is Bob"],
    ["two files", "The limits are in src/limits.ts", "The limits are in src/quota.ts"],
    ["two functions", "Prices are rounded by roundUp", "Prices are rounded by roundDown"],
  ],
  environment: [
    ["production and test", "生产环境每天备份", "测试环境每天备份"],
    ["production and staging", "In production the cache is warm", "On staging the cache is warm"],
  ],
  choice: [
    ["KN-45b: moved away", "订单存在 PostgreSQL 里", "已迁移：订单从 PostgreSQL 切换到 MySQL"],
    ["turned round", "We chose Kafka over NATS for its log", "We chose NATS over Kafka for its size"],
    ["turned round in Chinese", "放弃 Webpack，改用 Rspack", "放弃 Rspack，换回 Webpack"],
    ["chosen and dropped", "The admin uses Svelte for forms", "The admin dropped Svelte"],
  ],
  polarity: [
    ["ME-06: love and hate", "I love Chinese food", "I hate Chinese food"],
    ["a ban", "Use the read replica for reports", "Never use the read replica for reports"],
    ["a ban in Chinese", "可以直接改配置", "不得直接改配置"],
    ["on and off", "默认启用压缩", "默认禁用压缩"],
    ["two clocks", "Reports are cut by local time", "Reports are cut by UTC"],
    [
      "who does it, turned round",
      "The browser signs, the server checks",
      "The server signs, the browser checks",
    ],
    ["one more not", "We deploy on Fridays", "We do not deploy on Fridays"],
  ],
  word: [
    ["another subject", "Logs are kept for a fortnight", "Traces are kept for a fortnight"],
    ["another tool without a capital inside", "Redis is used for the queue", "Kafka is used for the queue"],
    ["one character", "接口的主键统一用雪花算法生成", "接口的外键统一用雪花算法生成"],
  ],
};

/** Texts that may say the same. */
const TOGETHER: Row[] = [
  ["ME-09: a port told two ways", "PocketBase runs on port 8090", "backend at localhost:8090"],
  ["ME-08: three wordings, 1 and 2", "likes Python", "prefers Python"],
  ["ME-08: three wordings, 1 and 3", "The user likes Python", "User loves Python."],
  ["ME-08: three wordings, 2 and 3", "The user prefers Python", "likes Python best of all languages"],
  ["a path and its end", "The limits are set in src/http/limits.ts", "limits.ts holds the limits"],
  ["numbers in words and digits", "A job is tried three times", "A job is tried 3 times"],
  ["a date in two writings", "升级于 2025年3月4日", "升级于 2025-03-04"],
  ["more said than before", "日志保留 14 天", "日志保留 14 天，由 Loki 收集"],
  ["the same choice in another order", "Chose Kafka and dropped NATS", "放弃 NATS，改用 Kafka"],
  ["a unit written out", "timeout 5s, 3 retries", "3 retries and a timeout of 5 seconds"],
  ["the same ban", "Never log request bodies", "Request bodies must not be logged"],
];

describe("the contradiction guard", () => {
  for (const [kind, rows] of Object.entries(APART))
    it.each(rows)(`tells texts apart by ${kind}: %s`, (_, a, b) => {
      expect(differenceOf(a, b)?.kind).toBe(kind);
      expect(differenceOf(b, a)?.kind).toBe(kind);
    });

  it.each(TOGETHER)("lets pass what may be the same: %s", (_, a, b) => {
    expect(differenceOf(a, b)).toBeNull();
    expect(differenceOf(b, a)).toBeNull();
  });

  it("says what differs", () => {
    expect(differenceOf("Node 20.17", "Node 22.1")?.said).toBe("20.17 against 22.1");
    expect(differenceOf("默认启用压缩", "默认禁用压缩")?.said).toBe("启用 against 禁用");
  });

  it("finds no difference between a text and itself, and the same one from both sides", () => {
    const pieces = fc.constantFrom(
      "Redis",
      "over",
      "never",
      "UTC",
      "local",
      "5.14",
      "src/a.ts",
      "启用",
      "禁用",
      "改用",
      "生产环境",
      "the",
      ".",
      "：",
      "三次",
    );
    const twice = ["生产环境 生产环境", "Redis 生产环境"] as const;
    expect(differenceOf(...twice)?.kind).toBe(differenceOf(twice[1], twice[0])?.kind);
    const text = fc.array(pieces, { maxLength: 12 }).map((words) => words.join(" "));
    fc.assert(fc.property(text, (a) => differenceOf(a, a) === null));
    fc.assert(fc.property(text, text, (a, b) => differenceOf(a, b)?.kind === differenceOf(b, a)?.kind));
  });
});
