import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/db/index.js";
import { indexTerms, matchExpression, queryTerms, wordsOf } from "../../src/memory/index.js";

/** Texts that a question finds in real FTS5, by our terms. */
function found(texts: readonly string[], question: string): string[] {
  const db = openDatabase(":memory:");
  db.exec("create virtual table texts using fts5(terms)");
  const insert = db.prepare("insert into texts(rowid, terms) values (?, ?)");
  texts.forEach((text, at) => insert.run(at, indexTerms(text).join(" ")));
  const expression = matchExpression(queryTerms(question));
  const rows =
    expression === null
      ? []
      : db.prepare("select rowid from texts where texts match ?").pluck().all(expression);
  db.close();
  return rows.map((row) => texts[Number(row)] ?? "");
}

describe("words", () => {
  it("finds 雾凇拼音 without a space (ME-15)", () => {
    const text = "输入法配置是 雾凇 拼音 的方案";
    expect(found([text, "五笔的方案"], "雾凇拼音")).toEqual([text]);
    expect(found(["输入法用雾凇拼音方案"], "雾凇 拼音")).toHaveLength(1);
  });

  it("finds a Latin word that Chinese is written around: 重跑gen-itgc后 by itgc", () => {
    expect(found(["重跑gen-itgc后，报表恢复正常", "重启后，报表恢复正常"], "itgc")).toEqual([
      "重跑gen-itgc后，报表恢复正常",
    ]);
  });

  it("finds 用户身份 inside a longer run (ME-14)", () => {
    expect(found(["网关校验用户身份后放行", "网关限流"], "用户身份")).toEqual(["网关校验用户身份后放行"]);
    expect(found(["网关校验用户身份后放行"], "用户")).toHaveLength(1);
  });

  it("finds an identifier by its parts and in any writing", () => {
    const texts = ["Callbacks go to handlePaymentWebhook", "see payment_webhook in docs"];
    expect(found(texts, "payment")).toEqual(texts);
    expect(found(texts, "PaymentWebhook")).toEqual(texts);
    expect(found(["UUIDv7 keys"], "uuid")).toHaveLength(1);
  });

  it("keeps versions and dates whole and finds a version by its first part", () => {
    expect(indexTerms("Node 20.17 since 2025-03-04")).toEqual(["nod", "20.17", "20", "sinc", "2025-03-04"]);
    expect(found(["Node 20.17", "Node 22.1"], "20")).toEqual(["Node 20.17"]);
  });

  it("brings forms of a word together and keeps product and production apart", () => {
    const one = (text: string) => indexTerms(text)[0];
    for (const forms of [
      "retry retries retried",
      "run running runs",
      "migrate migration migrated",
      "cache caching caches",
    ])
      expect(new Set(forms.split(" ").map(one)).size, forms).toBe(1);
    expect(one("product")).not.toBe(one("production"));
    expect(one("status")).not.toBe(one("state"));
  });

  it("asks for neither question words nor joints", () => {
    expect(queryTerms("how do we do this?")).toEqual([]);
    expect(matchExpression([])).toBeNull();
    expect(queryTerms("缓存的名字怎么起")).toEqual(["缓存", "名字", "起"]);
    expect(queryTerms("目的")).toEqual(["目的"]);
  });

  it("takes no text for an operator of FTS5", () => {
    expect(found(["a NEAR miss", "x"], 'NEAR("miss" OR *')).toEqual(["a NEAR miss"]);
  });

  it("gives vectors characters as well as pairs, with repetition", () => {
    expect(wordsOf("日志日志")).toEqual(["日", "志", "日", "志", "日志", "志日", "日志"]);
    expect(wordsOf("")).toEqual([]);
  });
});
