const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** The data of server-sent events, one by one; comments, which some endpoints send as a sign of life, are left out. */
export async function* sseData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    if (rest.length > MAX_EVENT_LENGTH)
      throw new Error(`a line is longer than ${MAX_EVENT_LENGTH} characters`);
    const complete = rest.split("\n");
    rest = complete.pop() ?? "";
    for (const line of complete.map((text) => text.replace(/\r$/, ""))) {
      if (line.startsWith("data:")) lines.push(line.slice("data:".length).trimStart());
      if (line !== "" || lines.length === 0) continue;
      yield lines.join("\n");
      lines = [];
    }
  }
  // An endpoint that closes right after its last line has said all of it.
  if (rest.startsWith("data:")) lines.push(rest.slice("data:".length).trim());
  if (lines.length > 0) yield lines.join("\n");
}
