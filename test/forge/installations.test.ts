import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorld, type World } from "./fixture.js";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe("an installation on some repositories of an account", () => {
  it("reaches those only, and tells the App of each that it is given later", async () => {
    const { control } = world.forge;
    for (const name of ["one", "two", "three"])
      await control.addRepository({ owner: "mika", name, files: { a: "" }, private: true });
    const id = control.install("mika", ["mika/one"]);
    const token = async () => {
      const minted = await world.ask("POST", `/app/installations/${id}/access_tokens`, {
        token: world.jwt(),
      });
      return minted.json.token as string;
    };
    const reached = async () => {
      const { json } = await world.ask("GET", "/installation/repositories", { token: await token() });
      return (json.repositories as { name: string }[]).map(({ name }) => name);
    };
    expect(await reached()).toEqual(["one"]);
    expect((await world.ask("GET", "/repos/mika/two", { token: await token() })).status).toBe(404);
    expect((await world.ask("GET", "/repos/mika/two/installation", { token: world.jwt() })).status).toBe(404);
    control.addToInstallation(id, ["mika/two"]);
    expect(await reached()).toEqual(["one", "two"]);
    await world.settle();
    const told = world.forge.control.deliveries().slice(-2);
    expect(told).toMatchObject([
      {
        event: "installation",
        action: "created",
        payload: {
          repositories: [{ full_name: "mika/one" }],
          installation: { repository_selection: "selected" },
        },
      },
      {
        event: "installation_repositories",
        action: "added",
        payload: {
          repository_selection: "selected",
          repositories_added: [{ name: "two", full_name: "mika/two", private: true }],
          repositories_removed: [],
          installation: { id, account: { login: "mika" } },
          requester: null,
          sender: { login: "mika" },
        },
      },
    ]);
  });
});
