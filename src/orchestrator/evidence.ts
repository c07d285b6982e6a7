import type { Validation } from "../validator/index.js";
import { type Site, siteOf, sitesOf } from "./site.js";
import type { Evidence, Run } from "./types.js";

/** What the checks say of single tests. */
interface Observed {
  ran: boolean;
  /** Names of tests that passed; null where a runner does not name them. */
  passed: readonly string[] | null;
  failing: readonly string[];
  /** True where something failed that has no name. */
  isRed: boolean;
}

/**
 * What was observed for each acceptance criterion: a test that an executor named counts only if its file exists, holds that
 * name, and it ran; where the runner names no tests, if the tests ran. A test that fails counts as failed, also one that was
 * written first. Everything else is `not-run`, which people see as not verified. Each repository's own checks speak for its tests.
 */
export async function collectEvidence(run: Run): Promise<Evidence[]> {
  const found: Evidence[] = [];
  for (const { id, text } of run.draft?.criteria ?? []) {
    const judged: Judged[] = [];
    for (const site of sitesOf(run)) {
      const claims = run.tasks
        .filter((task) => siteOf(run, task) === site)
        .flatMap(({ evidence }) => evidence.filter(({ criterion }) => criterion === id));
      if (site !== run && claims.length === 0) continue;
      const own = judge(await placesOf(site, claims), observe(site.checked));
      judged.push({ ...own, ...(site === run ? {} : { service: site.service }) });
    }
    found.push({ id, text, ...strongest(judged) });
  }
  return found;
}

type Judged = Pick<Evidence, "outcome" | "evidence" | "service">;

/** One repository in which it fails is enough to fail a criterion, and one in which it passes to show it. */
function strongest(judged: readonly Judged[]): Judged {
  const of = (wanted: Judged["outcome"]) => judged.find(({ outcome }) => outcome === wanted);
  return of("failed") ?? of("passed") ?? judged.at(-1) ?? { outcome: "not-run", evidence: "no test ran" };
}

function observe(validation: Validation | null): Observed {
  const tests = (validation?.checks ?? []).filter(({ kind }) => kind === "tests");
  const ran = tests.filter((check) => check.outcome !== "not-run" && check.partOf === undefined);
  const areNamed = ran.every(({ ran: names }) => Array.isArray(names));
  return {
    ran: ran.length > 0,
    passed: areNamed ? ran.flatMap((check) => check.ran ?? []) : null,
    failing: tests.flatMap(({ failures }) => failures.map(({ title }) => title)),
    isRed: tests.some(({ outcome, failures }) => outcome === "failed" && failures.length === 0),
  };
}

interface Place {
  path: string;
  line: number;
  test: string;
}

/** One failing test is enough to fail a criterion, and one that passed to show it. */
function judge(
  places: readonly Place[],
  { ran, passed, failing, isRed }: Observed,
): Pick<Evidence, "outcome" | "evidence"> {
  const shown = ({ path, line }: Place) => `${path}:${line}`;
  const isIn = (names: readonly string[]) => (place: Place) =>
    names.some((name) => isNamed(name, place.test));
  const [first] = places;
  if (!ran && failing.length === 0) return { outcome: "not-run", evidence: "no test ran" };
  if (!first) return { outcome: "not-run", evidence: "no test shows it" };
  const broken = places.find(isIn(failing));
  if (broken) return { outcome: "failed", evidence: shown(broken) };
  // It may be this.
  if (isRed) return { outcome: "failed", evidence: shown(first) };
  if (passed === null) return { outcome: ran ? "passed" : "not-run", evidence: shown(first) };
  const proof = places.find(isIn(passed));
  if (proof) return { outcome: "passed", evidence: shown(proof) };
  return { outcome: "not-run", evidence: `${first.test} did not run` };
}

/** Whether a runner's name of a test, with the groups around it or a parameter after it, is the one that stands in the file. */
function isNamed(name: string, test: string): boolean {
  const words = test.trim().replace(/\(\)$/, "");
  if (words === "") return false;
  const at = name.lastIndexOf(words);
  if (at < 0) return false;
  const before = name.slice(0, at);
  const after = name.slice(at + words.length);
  return /(^|[\s.:/>›#])$/.test(before) && /^($|[[(/ ])/.test(after);
}

async function placesOf(
  { workspace }: Site,
  claims: readonly { path: string; test: string }[],
): Promise<Place[]> {
  const places: Place[] = [];
  for (const { path, test } of claims) {
    const content = await workspace.files.read(path);
    const lines = content?.toString("utf8").split("\n") ?? [];
    const line = lines.findIndex((text) => text.includes(test));
    if (line >= 0) places.push({ path, line: line + 1, test });
  }
  return places;
}
