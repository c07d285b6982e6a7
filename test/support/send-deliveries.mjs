// GitHub's part in a process of its own: posts signed deliveries from a file, and posts again, under the same GUID, whatever
// was not acknowledged, as a redelivery would. Arguments: file of JSON lines {"guid","event","body"}, address, secret.
// Prints {"sent","again","refused"} at the end.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const [file, url, secret] = process.argv.slice(2);
const SENDERS = 8;
const MAX_TRIES = 400;
const queue = readFileSync(file, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const told = { sent: 0, again: 0, refused: 0 };

async function post({ guid, event, body }) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/test",
      "x-github-delivery": guid,
      "x-github-event": event,
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

async function deliver(delivery) {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      const status = await post(delivery);
      if (status < 300) {
        told.sent++;
        return;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    told.again++;
    await delay(50);
  }
  told.refused++;
}

async function sender() {
  for (let next = queue.shift(); next; next = queue.shift()) await deliver(next);
}
await Promise.all(Array.from({ length: SENDERS }, sender));
process.stdout.write(JSON.stringify(told));
