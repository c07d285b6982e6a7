import { createServer } from "node:http";
import { createApp } from "./app.js";
import { readBody } from "./http/body.js";
import { contentTypes } from "./http/content-types.js";
import { HttpError } from "./http/errors.js";

const HOST = "127.0.0.1";
const PORT = Number(process.env.PORT ?? 8080);
const { handle } = createApp();

async function answer(request) {
  const { pathname, searchParams } = new URL(request.url, `http://${HOST}`);
  const body = await readBody(request);
  const role = request.headers["x-role"];
  return handle({ method: request.method, path: pathname, query: Object.fromEntries(searchParams), body, role });
}

function failed(error) {
  const isExpected = error instanceof HttpError;
  if (!isExpected) console.error(error);
  return {
    status: isExpected ? error.status : 500,
    headers: { "content-type": contentTypes.txt },
    body: isExpected ? error.message : "Something broke. It was written to the log.",
  };
}

createServer((request, response) => {
  void answer(request)
    .catch(failed)
    .then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
}).listen(PORT, HOST, () => console.log(`http://${HOST}:${PORT}`));
