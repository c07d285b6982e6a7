// Stands between the product and the scripted model and writes down what goes over the wire: questions, answers, usage, times.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** An answer put together from its event stream. */
function readStream(stream) {
  const events = [...stream.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json));
  const blocks = [];
  const usage = {};
  for (const event of events) {
    Object.assign(usage, event.message?.usage, event.usage);
    if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" };
    const block = blocks[event.index];
    if (event.delta?.type === "text_delta") block.text += event.delta.text;
    if (event.delta?.type === "input_json_delta") block.json += event.delta.partial_json;
  }
  const content = blocks.map(({ json, ...block }) =>
    block.type === "tool_use" ? { ...block, input: JSON.parse(json || "{}") } : block,
  );
  return { content, usage: usageOf(usage) };
}

/** Usage as the API reports it, in the four classes that are billed apart. */
export function usageOf(usage) {
  return {
    input: usage.input_tokens ?? 0,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
    output: usage.output_tokens ?? 0,
  };
}

/** Starts to listen; `calls()` are the answered questions, oldest first. */
export async function startRecorder(modelUrl) {
  const calls = [];

  async function forward(request, response) {
    const body = await text(request);
    const from = performance.now();
    const { host: _h, connection: _c, "content-length": _l, ...headers } = request.headers;
    const answer = await fetch(`${modelUrl}${request.url}`, { method: request.method, headers, body });
    const said = await answer.text();
    if (answer.ok && request.url.startsWith("/v1/messages") && said.startsWith("event:")) {
      calls.push({ from, to: performance.now(), request: JSON.parse(body), ...readStream(said) });
    }
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(said);
  }

  const server = createServer((request, response) => {
    forward(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls: () => [...calls],
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
