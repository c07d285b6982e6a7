import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createListener, type Listener, type ListenerDeps } from "../../src/app/index.js";
import { type Database, openDatabase } from "../../src/db/index.js";
import { createQueue, type Queue } from "../../src/queue/index.js";
import { createUlids } from "../../src/shared/index.js";
import { privateKey } from "../github/fake-github.js";
import { issue } from "./events.js";

const clock = { now: () => Date.parse("2026-11-29T12:00:00Z") };
const MIB = 1024 * 1024;

let folder: string;
let db: Database;
let queue: Queue;
let wakes: number;
let listener: Listener;
let url: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "accrue-listener-"));
  db = openDatabase(join(folder, "q.db"));
  queue = createQueue(db, { clock, newId: createUlids(clock) }, { leaseMs: 1000, maxAttempts: 3 });
  wakes = 0;
  await listen();
});
afterEach(async () => {
  await listener.close();
  db.close();
  rmSync(folder, { recursive: true });
});

function make(part: Partial<ListenerDeps> = {}, webhookSecrets = ["new-secret", "old-secret"]): Listener {
  return createListener(
    {
      receive: (delivery, group) => queue.receive(delivery, group),
      wake: () => void wakes++,
      health: () => ({ waiting: queue.counts().waiting }),
      log: pino({ level: "silent" }),
      ...part,
    },
    {
      appId: 77,
      privateKey,
      webhookSecrets,
      host: "127.0.0.1",
      port: 0,
      baseUrl: "https://api.github.com",
      maxBodyBytes: 25 * MIB,
    },
  );
}
async function listen(part: Partial<ListenerDeps> = {}, secrets?: string[]): Promise<void> {
  listener = make(part, secrets);
  url = `http://127.0.0.1:${(await listener.start()).port}`;
}

const sign = (body: string | Buffer, secret = "new-secret", algorithm = "sha256") =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;

function post(body: string | Buffer, headers: Record<string, string | null> = {}): Promise<Response> {
  const all: Record<string, string | null> = {
    "content-type": "application/json",
    "x-github-event": "issues",
    "x-github-delivery": randomUUID(),
    "x-github-hook-id": "501",
    "x-hub-signature-256": sign(body),
    ...headers,
  };
  const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
  return fetch(`${url}/api/github/webhooks`, {
    method: "POST",
    body: new Uint8Array(Buffer.from(body)),
    headers: Object.fromEntries(given),
  });
}

function labeled(title = "Add CSV export"): string {
  const repository = { full_name: "acme/shop", html_url: "https://github.com/acme/shop" };
  return JSON.stringify({ action: "labeled", repository, issue: issue({ title }), installation: { id: 5 } });
}

describe("a webhook", () => {
  it("WH-05: is stored as it came before it is acknowledged, whatever its characters are", async () => {
    const body = labeled("… 中文 🧑‍💻 \\u0000");
    const response = await post(body, { "x-github-delivery": "d-1" });
    expect(response.status).toBe(200);
    expect(queue.delivery("501", "d-1")).toEqual({
      source: "501",
      id: "d-1",
      event: "issues",
      action: "labeled",
      payload: body,
    });
    expect(queue.claim("route", "w")?.group).toBe("github.com/acme/shop#12");
    expect(wakes).toBe(1);
  });

  it("WH-02: that comes twice is acknowledged twice and stored once", async () => {
    for (let i = 0; i < 2; i++) {
      expect((await post(labeled(), { "x-github-delivery": "d-1" })).status).toBe(200);
    }
    expect(queue.counts().waiting).toBe(1);
    expect(wakes).toBe(1);
  });

  it("WH-02: that comes many times at once is stored once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(labeled(), { "x-github-delivery": "d-1" })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(queue.counts().waiting).toBe(1);
  });

  it("WH-04: with one GUID from two hooks is stored for each", async () => {
    await post(labeled(), { "x-github-delivery": "d-1" });
    await post(labeled(), { "x-github-delivery": "d-1", "x-github-hook-id": "502" });
    expect(queue.counts().waiting).toBe(2);
  });

  it("of an event that nobody knows is stored as well, so that its fate can be told", async () => {
    expect((await post("{}", { "x-github-event": "brand_new", "x-github-delivery": "d-1" })).status).toBe(
      200,
    );
    expect(queue.delivery("501", "d-1")).toMatchObject({ event: "brand_new", action: null });
  });

  it("that cannot be stored is not acknowledged, so that it can be sent again", async () => {
    await listener.close();
    await listen({
      receive: () => {
        throw new Error("disk full");
      },
    });
    expect((await post(labeled())).status).toBe(500);
  });

  it("R39: is accepted with the old secret and the new one", async () => {
    for (const secret of ["old-secret", "new-secret"]) {
      expect((await post(labeled(), { "x-hub-signature-256": sign(labeled(), secret) })).status).toBe(200);
    }
    expect(queue.counts().waiting).toBe(2);
  });
});

describe("a request that is no webhook of ours", () => {
  const body = labeled();
  it.each<[string, string | Buffer, Record<string, string | null>, number]>([
    ["a wrong signature", body, { "x-hub-signature-256": sign(body, "wrong") }, 400],
    ["a signature of another text", body, { "x-hub-signature-256": sign(`${body} `) }, 400],
    ["no signature", body, { "x-hub-signature-256": null }, 400],
    ["a broken signature", body, { "x-hub-signature-256": "sha256=zz" }, 400],
    ["an empty signature", body, { "x-hub-signature-256": "" }, 400],
    [
      "only SHA-1",
      body,
      { "x-hub-signature-256": null, "x-hub-signature": sign(body, "new-secret", "sha1") },
      400,
    ],
    ["SHA-1 in the place of SHA-256", body, { "x-hub-signature-256": sign(body, "new-secret", "sha1") }, 400],
    ["no delivery id", body, { "x-github-delivery": null }, 400],
    ["no event", body, { "x-github-event": null }, 400],
    ["another content type", body, { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["the body null", "null", {}, 400],
    ["an empty body", "", {}, 400],
    ["broken JSON", "{", {}, 400],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0x7d]), {}, 400],
  ])("is refused for %s", async (_, content, headers, status) => {
    expect((await post(content, headers)).status).toBe(status);
    expect(queue.counts().waiting).toBe(0);
    expect(wakes).toBe(0);
  });

  it("WH-04: does not use up the id of the real one", async () => {
    const id = { "x-github-delivery": "d-1" };
    expect((await post(body, { ...id, "x-hub-signature-256": sign(body, "wrong") })).status).toBe(400);
    expect((await post(body, id)).status).toBe(200);
    expect(queue.counts().waiting).toBe(1);
  });

  it("is refused when it is larger than GitHub's limit, and just below it is not", async () => {
    const large = Buffer.alloc(26 * MIB, "x");
    expect((await post(large)).status).toBe(413);
    const fits = `${" ".repeat(24 * MIB)}${body}`;
    expect((await post(fits)).status).toBe(200);
  });

  it("finds nothing at other addresses", async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/api/github/webhooks`)).status).toBe(404);
    expect((await fetch(`${url}/probot`)).status).toBe(404);
  });
});

describe("the server", () => {
  it.each([[[]], [[""]], [["good", " "]]])("refuses to start with the secrets %j", (secrets) => {
    expect(() => make({}, secrets)).toThrow(expect.objectContaining({ code: "CONFIG_MISSING" }));
  });

  it("tells how it is", async () => {
    await post(labeled());
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ waiting: 1 });
    expect((await fetch(`${url}/healthz`, { method: "HEAD" })).status).toBe(200);
  });

  it("is not well when what it needs is not", async () => {
    await listener.close();
    await listen({
      health: () => {
        throw new Error("no database");
      },
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(500);
  });

  it("says so when its port is taken", async () => {
    const port = Number(new URL(url).port);
    const second = createListener(
      { receive: () => "accepted", wake: () => {}, health: () => ({}), log: pino({ level: "silent" }) },
      {
        appId: 77,
        privateKey,
        webhookSecrets: ["s"],
        host: "127.0.0.1",
        port,
        baseUrl: "https://api.github.com",
        maxBodyBytes: MIB,
      },
    );
    await expect(second.start()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(String(port)),
    });
    await second.close();
  });

  it("survives a sender that hangs up in the middle of a body", async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    socket.write("POST /api/github/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
    socket.destroy();
    expect((await post(labeled())).status).toBe(200);
  });

  it("closes twice without harm", async () => {
    await listener.close();
    await expect(listener.close()).resolves.toBeUndefined();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow(TypeError);
  });
});
