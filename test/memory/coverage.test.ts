import { describe, expect, it } from "vitest";
import {
  blend,
  coverageOf,
  createStaticEmbedder,
  indexTerms,
  queryTerms,
  weighTerms,
} from "../../src/memory/index.js";

const counts = {
  texts: 100,
  withTerm: (term: string) => (term === "servic" ? 90 : term === "refund" ? 1 : 0),
};
const terms = (text: string) => new Set(indexTerms(text));

describe("coverage", () => {
  it("is a share that rare terms weigh most in", () => {
    const question = weighTerms(queryTerms("refund service"), counts);
    const rare = coverageOf(question, terms("how a refund is booked"));
    const common = coverageOf(question, terms("a service of ours"));
    expect(rare.found).toEqual(["refund"]);
    expect(rare.share).toBeGreaterThan(0.9);
    expect(common.share).toBeLessThan(0.1);
    expect(coverageOf(question, terms("refund service")).share).toBe(1);
  });

  it("is zero where nothing is asked or nothing stands", () => {
    expect(coverageOf(weighTerms([], counts), terms("refund")).share).toBe(0);
    expect(coverageOf(weighTerms(["refund"], counts), terms("")).share).toBe(0);
  });

  it("counts a near word in part, in both languages, and says which", () => {
    const { word } = createStaticEmbedder();
    const question = weighTerms(queryTerms("delete 缓存"), counts, { vectorOf: word });
    const near = coverageOf(question, terms("remove the cache"));
    expect(near.found).toEqual([]);
    expect(near.near).toEqual([
      expect.stringMatching(/^delet ~ remov$/),
      expect.stringMatching(/^缓存 ~ cach$/),
    ]);
    expect(near.share).toBeGreaterThan(coverageOf(question, terms("the invoice has a footer")).share + 0.2);
    expect(near.share).toBeLessThan(1);
  });

  it("never lets a vector that points away take anything off", () => {
    expect(blend(0.5, -1)).toBe(blend(0.5, 0));
    expect(blend(1, 1)).toBeCloseTo(1);
  });
});
