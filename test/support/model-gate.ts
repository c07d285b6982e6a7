// Stands between the product and the scripted model: counts what the model was paid for, and holds a request or its answer so
// that a test can kill the product at exactly that moment.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";

/** The four token classes of one answered call. */
export interface Paid {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

interface Hold {
  when: "asked" | "answered";
  match: string;
  held(): void;
}

/** A request that waits at the gate until it is let through. */
export interface Pause {
  /** Resolves when it stands there. */
  reached: Promise<void>;
  goOn(): void;
}

export interface ModelGate {
  url: string;
  /** One entry for each answer that the model gave, whether or not anybody was there to read it. */
  paid(): Paid[];
  /** Answers that nobody got to read, because the asker died. */
  unread(): Paid[];
  /** Resolves when a request whose text contains `match` stands at the gate; it never gets any further. */
  hold(match: string, when?: Hold["when"]): Promise<void>;
  /** Stops the next request whose text contains `match` until it may go on. */
  pause(match: string): Pause;
  close(): Promise<void>;
}

export async function startModelGate(modelUrl: string): Promise<ModelGate> {
  const paid: Paid[] = [];
  const unread: Paid[] = [];
  let holds: Hold[] = [];
  let pauses: { match: string; reach(): void; released: Promise<void> }[] = [];

  /** True when the request is held: it stays so until its asker goes away. */
  function isHeld(body: string, when: Hold["when"]): boolean {
    const hold = holds.find((candidate) => candidate.when === when && body.includes(candidate.match));
    if (!hold) return false;
    holds = holds.filter((other) => other !== hold);
    hold.held();
    return true;
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (isHeld(body, "asked")) return;
    const pause = pauses.find(({ match }) => body.includes(match));
    pauses = pauses.filter((other) => other !== pause);
    pause?.reach();
    await pause?.released;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => !["host", "connection", "content-length"].includes(name),
      ),
    );
    const answer = await fetch(`${modelUrl}${request.url}`, {
      method: request.method ?? "POST",
      headers: headers as Record<string, string>,
      body,
    });
    const said = await answer.text();
    const usage = usageOf(said);
    if (usage) paid.push(usage);
    if (isHeld(body, "answered")) {
      if (usage) unread.push(usage);
      return;
    }
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "application/json",
    });
    response.end(said);
  }

  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paid: () => [...paid],
    unread: () => [...unread],
    hold: (match, when = "asked") => new Promise<void>((held) => holds.push({ when, match, held })),
    pause: (match) => {
      let goOn = (): void => {};
      const released = new Promise<void>((resolve) => (goOn = resolve));
      const reached = new Promise<void>((reach) => pauses.push({ match, reach, released }));
      return { reached, goOn };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

interface Wire {
  input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
  output_tokens?: number;
}

/** The last word of an answer about its usage, streamed or whole. */
function usageOf(said: string): Paid | null {
  const stream = said.startsWith("{") ? `data: ${said}` : said;
  const events = [...stream.matchAll(/^data: (.*)$/gm)].map(
    ([, json]) => JSON.parse(json ?? "{}") as { message?: { usage: Wire }; usage?: Wire },
  );
  const usages = events.flatMap(({ message, usage }) => message?.usage ?? usage ?? []);
  if (usages.length === 0) return null;
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = Object.assign(
    {},
    ...usages,
  ) as Wire;
  return {
    input: input_tokens ?? 0,
    cacheRead: cache_read_input_tokens ?? 0,
    cacheWrite: cache_creation_input_tokens ?? 0,
    output: output_tokens ?? 0,
  };
}
