import { lookup } from "node:dns/promises";
import { chmod, chown, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { BlockList, connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf } from "../shared/index.js";

/** Connections of one command; a package manager opens some dozens. */
const CONNECTION_LIMIT = 256;
const CONNECT_LIMIT_MS = 30_000;
const DEFAULT_PORTS = ["80", "443"];

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv6");
}

/** True for an entry of a list of hosts that names a private address: the machine itself, its network, a cloud's metadata. */
export function namesPrivateAddress(host: string): boolean {
  const [, bracketed, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(host.trim()) ?? [];
  const address = bracketed ?? plain ?? host.trim().replace(/:\d+$/, "");
  return [address, host.trim()].some((each) => isIP(each) !== 0 && isPrivate(each));
}

/** The only way out of a box: an HTTP proxy on a socket file that connects to listed hosts and to nothing private. */
export interface EgressProxy {
  readonly socket: string;
  close(): Promise<void>;
}

/** Starts a proxy for one command. `owner` is who may connect; null for ourselves. */
export async function startProxy(options: {
  socket: string;
  hosts: readonly string[];
  owner: number | null;
}): Promise<EgressProxy> {
  const allowed = new Set(options.hosts.map((host) => host.toLowerCase()));
  const open = new Set<Duplex>();
  const server = createServer((incoming, response) => void forward(allowed, incoming, response));
  server.maxConnections = CONNECTION_LIMIT;
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex) => void tunnel(allowed, incoming, client));
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.socket, resolve);
  });
  await chmod(options.socket, 0o600);
  if (options.owner !== null) await chown(options.socket, options.owner, options.owner);
  return {
    socket: options.socket,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
      await rm(options.socket, { force: true });
    },
  };
}

/** The address to connect to. Rejects with a sentence for the program in the box. */
async function allowedAddress(allowed: ReadonlySet<string>, host: string, port: string): Promise<string> {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, "");
  const isListed = allowed.has(`${name}:${port}`) || (allowed.has(name) && DEFAULT_PORTS.includes(port));
  if (!isListed) throw new Error(`${name}:${port} is not among the hosts this box may reach`);
  const addresses = isIP(name) ? [name] : (await lookup(name, { all: true })).map(({ address }) => address);
  // The address that was checked is the one connected to: a name must not resolve to another one the second time.
  const address = addresses.find((each) => !isPrivate(each) || allowed.has(`${each}:${port}`));
  if (address === undefined)
    throw new Error(`${name} is a private address here, which this box may not reach`);
  return address;
}

function isPrivate(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return PRIVATE.check(mapped, isIP(mapped) === 6 ? "ipv6" : "ipv4");
}

async function tunnel(
  allowed: ReadonlySet<string>,
  incoming: IncomingMessage,
  client: Duplex,
): Promise<void> {
  client.on("error", () => client.destroy());
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(incoming.url ?? "") ?? [];
  try {
    const upstream = connect({ host: await allowedAddress(allowed, host, port), port: Number(port) });
    upstream.setTimeout(CONNECT_LIMIT_MS, () => upstream.destroy(new Error("no answer in time")));
    upstream.once("connect", () => {
      upstream.setTimeout(0);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.once("error", (error) => refuse(client, "502 Bad Gateway", error));
    client.once("close", () => upstream.destroy());
  } catch (error) {
    refuse(client, "403 Forbidden", error);
  }
}

function refuse(client: Duplex, status: string, error: unknown): void {
  if (client.writable)
    client.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\n\r\n${messageOf(error)}\n`);
}

async function forward(
  allowed: ReadonlySet<string>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, error: unknown) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(status, { "content-type": "text/plain" }).end(`${messageOf(error)}\n`);
  };
  try {
    const target = new URL(incoming.url ?? "");
    if (target.protocol !== "http:") throw new Error("only http: URLs and CONNECT are proxied");
    const port = target.port || "80";
    const host = await allowedAddress(allowed, target.hostname, port);
    const {
      "proxy-connection": _connection,
      "proxy-authorization": _credential,
      ...headers
    } = incoming.headers;
    const path = `${target.pathname}${target.search}`;
    const { method } = incoming;
    const sent = { ...headers, host: target.host };
    const upstream = request({ host, port, path, method, headers: sent, agent: false });
    upstream.setTimeout(CONNECT_LIMIT_MS, () => upstream.destroy(new Error("no answer in time")));
    upstream.once("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    upstream.once("error", (error) => answer(502, error));
    response.once("close", () => upstream.destroy());
    incoming.pipe(upstream);
  } catch (error) {
    answer(403, error);
  }
}
