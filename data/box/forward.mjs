// Runs inside the box: carries connections to a port of the box's own loopback over to the host's proxy socket while
// one command runs. Usage: node forward.mjs <socket> <port> <program> [argument…]
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

const [socketPath, port, program, ...args] = process.argv.slice(2);

const server = createServer((client) => {
  const host = connect(socketPath);
  client.pipe(host).pipe(client);
  client.on("error", () => host.destroy());
  host.on("error", () => client.destroy());
});

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128));
});
