import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  archive,
  conflictsIn,
  type Criterion,
  diffRequirement,
  formatRequirement,
  keepIds,
  mergeRequirements,
  parseRequirement,
} from "../../src/requirements/index.js";

const ABOUT = {
  id: "REQ-12",
  issue: 12,
  language: "en" as const,
  url: "https://github.com/acme/shop/issues/12",
  created: "2026-11-29",
};
const GROUPS = [
  ["用户激励", "活动奖励", "商品发放"],
  ["late fee", "penalty"],
];

function written(criteria: Criterion[], more: { title?: string; scope?: string[] } = {}): string {
  const { title = "Export", scope = ["`src/export`"] } = more;
  const draft = { title, problem: "By hand today.", scope, criteria, nonGoals: [], questions: [] };
  return formatRequirement(draft, ABOUT);
}
const ac = (number: number, text: string): Criterion => ({ id: `AC-${number}`, text });
const textsOf = (document: string) =>
  parseRequirement(document).criteria.map(({ id, text }) => `${id} ${text}`);

const criteria = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom("one", "two", "three", "four")), {
    selector: ([number]) => number,
    maxLength: 5,
  })
  .map((list) => list.map(([number, text]) => ac(number, `WHEN ${text} THEN it is said`)));

describe("the difference of two requirements", () => {
  it("puts each criterion of either side in exactly one part", () => {
    fc.assert(
      fc.property(criteria, criteria, (before, after) => {
        const { same, changed, added, removed } = diffRequirement(before, after, GROUPS);
        const ids = (parts: { id: string }[]) => parts.map(({ id }) => id).toSorted();
        expect(ids([...same, ...changed, ...added])).toEqual(ids(after));
        expect([...same.map(({ was }) => was), ...ids([...changed, ...removed])].toSorted()).toEqual(
          ids(before),
        );
      }),
    );
  });

  it("of a requirement and itself is nothing", () => {
    fc.assert(
      fc.property(criteria, (list) => {
        const { changed, added, removed } = diffRequirement(list, list);
        expect([...changed, ...added, ...removed]).toEqual([]);
      }),
    );
  });

  it("goes by the id: a text that was paraphrased is the same criterion, changed (KN-11)", () => {
    expect(
      diffRequirement(
        [ac(1, "WHEN late THEN a fee is due")],
        [ac(1, "WHEN it is late THEN a fee is charged")],
      ),
    ).toMatchObject({ changed: [{ id: "AC-1" }], added: [], removed: [] });
  });

  it("sees one thing where the glossary says that two names mean the same, and two where it does not", () => {
    const before = [ac(1, "WHEN 活动奖励 发放 THEN 记录一条流水")];
    const after = [ac(4, "WHEN 用户激励 发放 THEN 记录一条流水")];
    expect(diffRequirement(before, after, GROUPS)).toMatchObject({ same: [{ id: "AC-4", was: "AC-1" }] });
    expect(diffRequirement(before, after)).toMatchObject({ added: after, removed: before });
  });

  it("never goes by a heading alone", () => {
    const before = parseRequirement("## Acceptance criteria\n\n### AC-1: Export\n\nWHEN a THEN b\n").criteria;
    const after = parseRequirement("## Acceptance criteria\n\n### AC-2: Export\n\nWHEN c THEN d\n").criteria;
    expect(diffRequirement(before, after)).toMatchObject({
      added: [{ id: "AC-2" }],
      removed: [{ id: "AC-1" }],
    });
  });
});

describe("criteria that were written anew", () => {
  it("keep the ids that they had, and a new one gets an id that none ever had", () => {
    const before = [ac(1, "one"), ac(2, "two"), ac(3, "three")];
    expect(keepIds(before, [ac(1, "two"), ac(2, "three"), ac(3, "new")])).toEqual([
      ac(2, "two"),
      ac(3, "three"),
      ac(4, "new"),
    ]);
    expect(keepIds(before, [ac(1, "one"), ac(2, "two, but faster")])).toEqual([
      ac(1, "one"),
      ac(2, "two, but faster"),
    ]);
  });

  it("have each id once, and lose no text", () => {
    fc.assert(
      fc.property(criteria, criteria, (before, after) => {
        const kept = keepIds(before, after, GROUPS);
        expect(new Set(kept.map(({ id }) => id)).size).toBe(after.length);
        expect(kept.map(({ text }) => text)).toEqual(after.map(({ text }) => text));
      }),
    );
  });
});

describe("the merge of two edits of a requirement", () => {
  it("changes no byte where only theirs did anything, and takes ours where theirs did nothing", () => {
    fc.assert(
      fc.property(criteria, criteria, (before, after) => {
        const [base, other] = [written(before), written(after)];
        expect(mergeRequirements({ base, ours: base, theirs: other }, GROUPS)).toMatchObject({
          text: other,
          conflicts: [],
        });
        const ours = mergeRequirements({ base, ours: other, theirs: base });
        expect(ours.conflicts).toEqual([]);
        expect(textsOf(ours.text).toSorted()).toEqual(textsOf(other).toSorted());
      }),
    );
  });

  it("drops nothing that a side wrote", () => {
    fc.assert(
      fc.property(criteria, criteria, criteria, (before, mine, other) => {
        const base = written(before);
        const { text } = mergeRequirements({ base, ours: written(mine), theirs: written(other) });
        const wasThere = new Set(before.map((one) => one.text));
        for (const { text: said } of [...mine, ...other])
          if (!wasThere.has(said)) expect(text).toContain(said);
      }),
    );
  });

  it("joins edits of different parts", () => {
    const base = written([ac(1, "one"), ac(2, "two")]);
    const ours = written([ac(1, "one"), ac(2, "two, faster"), ac(3, "three")], {
      scope: ["`src/export`", "docs"],
    });
    const theirs = written([ac(1, "one, by Maya"), ac(2, "two")], { scope: ["`src/export`", "tests"] });
    const { text, conflicts } = mergeRequirements({ base, ours, theirs });
    expect(conflicts).toEqual([]);
    expect(textsOf(text)).toEqual(["AC-1 one, by Maya", "AC-2 two, faster", "AC-3 three"]);
    expect(text).toContain("## Scope\n\n- `src/export`\n- docs\n- tests\n\n## Acceptance");
  });

  it("shows both texts where both changed one criterion (KN-04)", () => {
    const seconds = (number: number) => `WHEN asked THEN it answers within ${number} s`;
    const [base, ours, theirs] = [
      written([ac(1, seconds(5))]),
      written([ac(1, seconds(1))]),
      written([ac(1, seconds(9))]),
    ];
    const { text, conflicts } = mergeRequirements({ base, ours, theirs });
    expect(conflicts).toEqual([{ key: "AC-1", ours: seconds(1), theirs: seconds(9) }]);
    // A change log that quotes the mark says nothing by it.
    const quoted = `- AC-1 changed (before: "> ⚠ **Conflict: this was said as well**")`;
    expect(conflictsIn(`${text}${quoted}\n`)).toEqual(["AC-1"]);
    expect(conflictsIn(`${theirs}${quoted}\n`)).toEqual([]);
    expect(parseRequirement(text).criteria).toEqual([
      ac(1, `${seconds(9)}\n\n> ⚠ **Conflict: this was said as well**\n>\n> ${seconds(1)}`),
    ]);
  });

  it("reports a change of a criterion that the other side took out at once, and keeps it (KN-02)", () => {
    const base = written([ac(1, "one"), ac(2, "two")]);
    const { text, conflicts } = mergeRequirements({
      base,
      ours: written([ac(1, "one"), ac(2, "two, faster")]),
      theirs: written([ac(1, "one")]),
    });
    expect(conflicts).toEqual([{ key: "AC-2", ours: "two, faster", theirs: "" }]);
    expect(textsOf(text)).toEqual(["AC-1 one", "AC-2 two, faster"]);
  });

  it("gives two different additions an id each", () => {
    const base = written([ac(1, "one")]);
    const { text, conflicts, renamed } = mergeRequirements({
      base,
      ours: written([ac(1, "one"), ac(2, "exports as CSV")]),
      theirs: written([ac(1, "one"), ac(2, "exports as PDF")]),
    });
    expect(conflicts).toEqual([]);
    expect(renamed).toEqual([{ from: "AC-2", to: "AC-3" }]);
    expect(textsOf(text).toSorted()).toEqual(["AC-1 one", "AC-2 exports as PDF", "AC-3 exports as CSV"]);
  });

  it.each([
    ["late fees are due", "Late Fees are due."],
    ["WHEN 活动奖励 发放 THEN 记录", "WHEN 用户激励 发放 THEN 记录"],
    ["a late fee is due", "a penalty is due"],
  ])("adds one thing once, whatever it is called: %s, %s (KN-08)", (mine, other) => {
    const base = written([ac(1, "one")]);
    for (const number of [2, 3]) {
      const sides = {
        base,
        ours: written([ac(1, "one"), ac(number, mine)]),
        theirs: written([ac(1, "one"), ac(2, other)]),
      };
      expect(textsOf(mergeRequirements(sides, GROUPS).text)).toEqual(["AC-1 one", `AC-2 ${other}`]);
    }
  });

  it("keeps a criterion whose heading people renamed, and archives it as it is (KN-01, KN-07)", () => {
    const base = written([ac(1, "Widgets are validated"), ac(2, "two")]);
    const theirs = base.replace(
      "### AC-1\n\nWidgets are validated",
      "### AC-1: Widgets are validated thoroughly",
    );
    const ours = written([ac(1, "Widgets are validated"), ac(2, "two, faster")]);
    const { text, conflicts } = mergeRequirements({ base, ours, theirs });
    expect(conflicts).toEqual([]);
    expect(textsOf(text)).toEqual(["AC-1 Widgets are validated thoroughly", "AC-2 two, faster"]);
    const path = "requirements/in-progress/REQ-12-widgets/requirement.md";
    const moves = archive(new Map([[path, text]]), "REQ-12");
    expect(moves.get("requirements/completed/REQ-12-widgets/requirement.md")).toBe(text);
  });

  it("leaves a heading that does not belong there alone, and merges everything around it (KN-13)", () => {
    const base = written([ac(1, "one"), ac(2, "two")]);
    const stray = "### Some thoughts\n\nof Maya's,  with two  spaces\n\n";
    const theirs = base
      .replace("### AC-2", `${stray}### AC-2`)
      .replace("## Non-goals", "## Rollout\n\nSlowly.\n\n## Non-goals");
    const ours = written([ac(1, "one, faster"), ac(2, "two, faster")]);
    const { text, conflicts, quarantined } = mergeRequirements({ base, ours, theirs });
    expect(conflicts).toEqual([]);
    expect(quarantined).toEqual(["### Some thoughts"]);
    expect(text).toContain(stray);
    expect(text).toContain("## Rollout\n\nSlowly.\n\n## Non-goals");
    expect(textsOf(text)).toEqual(["AC-1 one, faster", "AC-2 two, faster"]);
    expect(mergeRequirements({ base: text, ours: text, theirs: text }).text).toBe(text);
  });

  it("reads a criterion behind a heading of people's between the criteria", () => {
    const document = written([ac(1, "one"), ac(2, "two")]).replace(
      "### AC-2",
      "## Rollout\n\nSlowly.\n\n### AC-2",
    );
    expect(textsOf(document)).toEqual(["AC-1 one", "AC-2 two"]);
  });

  it("keeps both where both wrote something else at one place of prose, and the other value of a key", () => {
    const base = written([ac(1, "one")]);
    const theirs = base
      .replace("By hand today.", "By Maya's hand.")
      .replace('title: "Export"', 'title: "Export all"');
    const ours = base.replace("By hand today.", "By many hands.").replace('title: "Export"', 'title: "CSV"');
    const { text, conflicts } = mergeRequirements({ base, ours, theirs });
    expect(conflicts.map(({ key }) => key)).toEqual(["title", "problem"]);
    expect(text).toContain('title: "Export all"\nx-other-title: "CSV"\n');
    expect(text).toContain(
      "By Maya's hand.\n\n> ⚠ **Conflict: this was said as well**\n>\n> By many hands.\n",
    );
  });

  it.each([
    ["事件记录必须保存 30 天", "事件记录应当保存 90 天"],
    [
      "QUAND on demande ALORS la réponse doit venir en 1 s",
      "QUAND on demande ALORS la réponse doit venir en 9 s",
    ],
    ["it just works", "it works well"],
  ])("asks for no words of one language: %s (KN-10)", (before, after) => {
    const [base, theirs] = [written([ac(1, before)]), written([ac(1, after)])];
    expect(mergeRequirements({ base, ours: base, theirs })).toMatchObject({ text: theirs, conflicts: [] });
    expect(parseRequirement(theirs).criteria).toEqual([ac(1, after)]);
  });
});
