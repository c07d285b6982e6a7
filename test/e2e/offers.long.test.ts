import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, jobs, newPlace, placeOf, recorded, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const BRANCH = "agent/init";

let stack: Stack;
let installation: number;
beforeAll(async () => {
  stack = await startTinyStack({ repository: { owner: "zoe", name: "own" } });
  // Its own account: the stack has the App on acme before anybody listens.
  installation = stack.forge.control.install("lee", []);
});
afterAll(async () => {
  await stack.close();
});

interface Wish {
  files?: Record<string, string> | null;
  description?: string;
  collaborators?: Record<string, "write">;
}

let count = 0;
async function repository({ files = { "README.md": "# Shop\n" }, description }: Wish = {}): Promise<Place> {
  count += 1;
  const name = `shop-${count}`;
  await newPlace(stack, {
    files,
    repository: { owner: "lee", name, ...(description === undefined ? {} : { description }) },
  });
  return placeOf(stack, `lee/${name}`);
}

/** Gives the App repositories, and waits until all that follows is done. */
async function give(...places: readonly Place[]): Promise<void> {
  stack.forge.control.addToInstallation(
    installation,
    places.map(({ repository: name }) => name),
  );
  await idle();
}

async function idle(): Promise<void> {
  await stack.forge.control.settle();
  await until("all jobs", async () => {
    const { waiting, running } = jobs(stack);
    return waiting + running === 0;
  });
}

const outcomes = () => recorded(stack).map(({ outcome }) => outcome);
const offers = async (place: Place) => (await place.pulls("all")).filter(({ head }) => head.ref === BRANCH);
const lastDelivery = () =>
  stack.forge.control.deliveries().findLast(({ event }) => event === "installation_repositories");

describe("a repository that the app is given", () => {
  it("gets the scaffold offered as one pull request, with what was found and where (S2)", async () => {
    const place = await repository({
      description: "Sells virtual goods",
      files: {
        "README.md": "# Shop\n",
        "AGENTS.md": "# Mine\n",
        "package.json": '{"scripts":{"test":"node --test"},"dependencies":{"express":"5"}}',
        ".env.example": "DATABASE_URL=secret\n",
      },
    });
    await give(place);
    const [pull, ...more] = await offers(place);
    expect([pull?.title, pull?.draft, pull?.state, more]).toEqual(["Set Accrue up", false, "open", []]);
    expect(pull?.body).toContain("put the label `agent` on an issue");
    expect(pull?.body).toContain("| Framework: `express` | `package.json` |");
    expect(pull?.body).toContain("| Environment variables: `DATABASE_URL` | `.env.example` |");
    expect(pull?.body).toContain("ACCRUE_OFFER_INIT=false");
    expect(pull?.body).toContain(
      "`AGENTS.md` | tells every agent where things are and how to check a change (your text stays",
    );
    expect(pull?.body).not.toContain("secret");
    expect(await place.read("AGENTS.md", BRANCH)).toMatch(
      /^# Mine\n\n<!-- accrue:start[^]+\*\*shop-1\*\*: Sells virtual goods/,
    );
    expect(await place.read("context/INDEX.md", BRANCH)).toContain("`tech/stack.md`");
    // The Action beside the App would do everything twice.
    expect(await place.files(".github", BRANCH)).toEqual(["agent.yml"]);
    expect(outcomes()).toContain(`offered in #${pull?.number}`);
  });

  it("is spoken to in the language of its README", async () => {
    const place = await repository({
      files: { "README.md": "# 商城\n\n虚拟商品的发放与钱包\n", "go.mod": "module x\n" },
    });
    await give(place);
    const [pull] = await offers(place);
    expect(pull?.title).toBe("接入 Accrue");
    expect(pull?.body).toContain("给 issue 加上标签 `agent`");
    expect(pull?.body).toContain("| 检查命令: `go test ./...` | `go.mod` |");
    expect(await place.read("context/tech/stack.md", BRANCH)).toContain("# 技术栈");
  });

  it("gets no second offer: not on a redelivery, not when given again, not after it was closed or merged", async () => {
    const [open, closed, merged] = [await repository(), await repository(), await repository()];
    await give(open, closed, merged);
    const first = lastDelivery();
    await stack.forge.control.redeliver(first?.id ?? 0);
    await idle();
    await closed.as("maya", "PATCH", `/pulls/${(await offers(closed))[0]?.number}`, { state: "closed" });
    await merged.merge((await offers(merged))[0]?.number ?? 0);
    await give(open, closed, merged);
    for (const place of [open, closed, merged]) expect(await offers(place)).toHaveLength(1);
    const said = outcomes().filter((outcome) => outcome.startsWith("not offered: it was in"));
    expect(said.map((text) => text.replace(/.* /, "")).sort()).toEqual(["closed", "merged", "open"]);
    // What was merged is right as it stands.
    expect(await merged.files("context", "main")).toContain("INDEX.md");
  });

  it("gets none where the scaffold stands, where there is no commit, in a fork and in an archive", async () => {
    const stands = await repository({ files: { ".github/agent.yml": "label: bot\n" } });
    const block = await repository({
      files: { "AGENTS.md": "<!-- accrue:start v1 -->\n<!-- accrue:end -->\n" },
    });
    const empty = await repository({ files: null });
    const archived = await repository();
    stack.forge.control.archive(archived.repository, true);
    await give(stands, block, empty, archived);
    for (const place of [stands, block, empty, archived]) expect(await offers(place)).toEqual([]);
    expect(outcomes().slice(0, 4).toReversed()).toEqual([
      "not offered: the scaffold stands already",
      "not offered: the scaffold stands already",
      "not offered: there is no commit yet; make a first one, then run `accrue init` in a checkout",
      "not offered: the repository is archived",
    ]);
    await stack.forge.control.addFork({ repository: stands.repository, owner: "kim" });
    stack.forge.control.install("kim");
    await idle();
    expect(outcomes()).toContain(
      "not offered: a fork has its files from where it comes; run `accrue init` in it",
    );
  });

  it("keeps a branch of that name that somebody else made", async () => {
    const place = await repository();
    const sha = await stack.forge.control.commit({
      repository: place.repository,
      branch: BRANCH,
      from: "main",
      files: { "a.txt": "mine\n" },
      message: "Mine",
      login: "lee",
    });
    await give(place);
    expect(await offers(place)).toEqual([]);
    expect(outcomes()[0]).toBe("not offered: somebody else's branch is named agent/init");
    const ref = (await place.as("maya", "GET", `/git/ref/heads/${BRANCH}`)) as { object: { sha: string } };
    expect(ref.object.sha).toBe(sha);
  });

  it("of many at once waits in one row, so that people are answered meanwhile", async () => {
    const places = await Promise.all(Array.from({ length: 4 }, () => repository()));
    const person = await repository();
    await give(person);
    const issue = await person.openIssue("anything", null, null);
    stack.forge.control.fault({ method: "GET", path: /^\/repos\/lee\/shop-\d+$/, times: 4, delayMs: 400 });
    stack.forge.control.addToInstallation(
      installation,
      places.map(({ repository: name }) => name),
    );
    await until("the row", async () => jobs(stack).waiting > 1);
    expect(await person.say(issue, "@agent help")).toBe("answered help");
    expect([jobs(stack).waiting > 0, jobs(stack).running]).toEqual([true, 1]);
    await idle();
    for (const place of places) expect(await offers(place)).toHaveLength(1);
  });

  it("gets one pull request across crashes, also when the branch was pushed and nothing else", async () => {
    const place = await repository();
    const { control } = stack.forge;
    // Nothing comes of it before the server is gone.
    control.fault({ method: "POST", path: /\/pulls$/, status: 502, delayMs: 3000 });
    const stop = control.watch(({ path }) => {
      if (path.endsWith("/git-receive-pack")) void stack.kill();
    });
    control.addToInstallation(installation, [place.repository]);
    await until("the push", async () => stack.pids().length === 0);
    stop();
    expect([(await offers(place)).length, await place.files("context", BRANCH)]).toEqual([
      0,
      expect.arrayContaining(["INDEX.md"]),
    ]);
    await stack.startServer();
    await until("the offer", async () => (await offers(place)).length > 0);
    await idle();
    expect(await offers(place)).toHaveLength(1);
  });
});

describe("a server with ACCRUE_OFFER_INIT=false", () => {
  it("offers nothing, and says why in its record", async () => {
    const quiet = await startTinyStack({ env: { ACCRUE_OFFER_INIT: "false" } });
    try {
      quiet.forge.control.install("acme");
      await quiet.forge.control.settle();
      await until("the outcome", async () => recorded(quiet).length > 0);
      expect(recorded(quiet).map(({ outcome }) => outcome)).toEqual(["ignored: ACCRUE_OFFER_INIT is false"]);
      expect(await quiet.pulls("all")).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});
