import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { APP, openIssue, startWorld, type World } from "./fixture.js";

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

/** A listener of its own behaviour instead of the world's. */
async function listen(answer: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  world.forge.control.setWebhook(
    `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
  );
  return server;
}
const end = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

describe("webhooks", () => {
  it("are signed twice over the raw body and carry GitHub's headers (WH-05)", async () => {
    await openIssue(world, "… 中文 🧑‍💻");
    await world.settle();
    const opened = world.received.at(-1);
    expect(opened?.isSigned).toBe(true);
    expect(opened?.headers).toMatchObject({
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-hook-installation-target-type": "integration",
      "x-github-hook-installation-target-id": "42",
      "user-agent": expect.stringMatching(/^GitHub-Hookshot\//),
    });
    expect(opened?.payload).toMatchObject({
      installation: { id: world.installation },
      repository: { full_name: "acme/shop", default_branch: "main" },
      sender: { login: "lee" },
      issue: { title: "… 中文 🧑‍💻" },
    });
  });

  it("begin with the installation, whose repositories are named", async () => {
    await world.settle();
    expect(world.received[0]?.payload).toMatchObject({
      action: "created",
      installation: { id: world.installation, account: { login: "acme" } },
      repositories: [{ full_name: "acme/shop" }],
    });
  });

  it("go out only for events that the App subscribed to, and where it is installed", async () => {
    const quiet = await startWorld({ app: { ...APP, events: ["issue_comment"] } });
    try {
      await openIssue(quiet);
      await quiet.forge.control.addRepository({ owner: "rival", name: "shop", files: { a: "" } });
      const { json } = await quiet.ask("POST", "/repos/rival/shop/issues", {
        token: quiet.lee,
        body: { title: "x" },
      });
      await quiet.ask("POST", `/repos/rival/shop/issues/${json.number}/comments`, {
        token: quiet.lee,
        body: { body: "x" },
      });
      expect(await quiet.events()).toEqual(["installation.created"]);
    } finally {
      await quiet.close();
    }
  });

  it("are logged and not sent without an address", async () => {
    world.forge.control.setWebhook(null);
    await world.events();
    await openIssue(world);
    await world.settle();
    expect(world.received).toEqual([]);
    expect(world.forge.control.deliveries().at(-1)).toMatchObject({
      event: "issues",
      action: "opened",
      repository: "acme/shop",
      statusCode: 0,
    });
  });

  it("that fail are not sent again by themselves, but on demand under the same GUID (WH-01)", async () => {
    const guids: string[] = [];
    const server = await listen((request, response) => {
      guids.push(String(request.headers["x-github-delivery"]));
      request.resume();
      response.writeHead(guids.length === 1 ? 500 : 200).end("done");
    });
    await openIssue(world);
    await world.settle();
    const failed = world.forge.control.deliveries().at(-1);
    expect(failed).toMatchObject({
      statusCode: 500,
      status: "Invalid HTTP Response: 500",
      redelivery: false,
    });
    await world.forge.control.redeliver(failed!.id);
    expect(guids).toEqual([failed!.guid, failed!.guid]);
    expect(world.forge.control.deliveries().at(-1)).toMatchObject({ statusCode: 200, redelivery: true });
    await expect(world.forge.control.redeliver(1)).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await end(server);
  });

  it("to a listener that is away or redirects have failed", async () => {
    const server = await listen((request, response) => {
      request.resume();
      response.writeHead(302, { location: world.forge.url }).end();
    });
    await openIssue(world);
    await world.settle();
    expect(world.forge.control.deliveries().at(-1)?.statusCode).toBe(302);
    await end(server);
    await openIssue(world);
    await world.settle();
    expect(world.forge.control.deliveries().at(-1)).toMatchObject({ statusCode: 0, status: "fetch failed" });
  });

  it("are in the App's delivery log, newest first, and are sent again from there", async () => {
    await openIssue(world);
    await world.events();
    const token = world.jwt();
    const list = await world.ask("GET", "/app/hook/deliveries?per_page=1", { token });
    expect(list.json).toMatchObject([{ event: "issues", action: "opened", status: "OK", status_code: 202 }]);
    const [{ id, guid }] = list.json;
    const one = await world.ask("GET", `/app/hook/deliveries/${id}`, { token });
    expect(one.json).toMatchObject({
      request: { headers: { "x-github-event": "issues" }, payload: { action: "opened" } },
      response: { payload: "taken" },
    });
    const again = await world.ask("POST", `/app/hook/deliveries/${id}/attempts`, { token });
    expect(again.status).toBe(202);
    await world.settle();
    expect(world.received.map((delivery) => delivery.guid)).toEqual([guid]);
    expect((await world.ask("GET", "/app/hook/deliveries/1", { token })).status).toBe(404);
    expect((await world.ask("GET", "/app/hook/deliveries", { token: world.bot })).status).toBe(401);
  });
});
