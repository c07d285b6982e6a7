import type { Ledger } from "../ledger/index.js";
import type { Doors } from "../orchestrator/index.js";
import type { LocalRepository } from "./local.js";
import type { Output } from "./output.js";
import { createTerminalFront } from "./terminal-front.js";

/** The doors of a person's own repository: pushed to like any remote, shown in the terminal, without GitHub. */
export function createLocalDoors(deps: {
  repository: Pick<LocalRepository, "root" | "knownAs">;
  output: Output;
  ledger: Pick<Ledger, "entries">;
  askPerson: Doors["askPerson"];
}): () => Promise<Doors> {
  const tokensOf = (run: string) =>
    deps.ledger
      .entries({ run })
      .reduce((sum, { usage }) => sum + usage.input + usage.cacheRead + usage.cacheWrite + usage.output, 0);
  const { root, knownAs } = deps.repository;
  const doors: Doors = {
    port: null,
    knownAs,
    self: "accrue",
    identity: { name: "Accrue", email: "accrue@localhost" },
    remote: { url: root, authorization: () => Promise.resolve(null) },
    askPerson: deps.askPerson,
    front: () => createTerminalFront(deps.output, tokensOf),
  };
  return () => Promise.resolve(doors);
}
