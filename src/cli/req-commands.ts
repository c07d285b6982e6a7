import { resolve } from "node:path";
import type { Ledger } from "../ledger/index.js";
import type { Engine } from "../orchestrator/index.js";
import { AccrueError, type Clock } from "../shared/index.js";
import { reqListCommand, reqShowCommand } from "./commands/req.js";
import { runCommand } from "./commands/run.js";
import { type FindDeps, type LocalRepository, findRepository, localAsk, requirePlaces } from "./local.js";
import { findRequirement, namedIn } from "./named-requirement.js";
import type { Commands } from "./program.js";
import { readRequirementTree } from "./requirement-tree.js";
import { worded } from "./typed.js";

/** How a model is asked. */
export interface ModelAccess {
  key: string;
  url: string | undefined;
}

/** What work on a person's own repository needs. */
export interface ReqCommandDeps extends FindDeps {
  clock: Clock;
  /** The engine on a person's own repository. */
  local(repository: LocalRepository, model: ModelAccess | null): { engine: Engine; ledger: Ledger };
  /** Key and address of the model; throws when there is no key that the repository needs, or the address is none. */
  model(url: string | null, repository: LocalRepository): Promise<ModelAccess>;
}

/** Makes the commands about a repository's requirements. */
export function reqCommands(deps: ReqCommandDeps): Pick<Commands, "req"> {
  const { clock, git, signal } = deps;
  return {
    req: async ({ repo, question }) => {
      if (question.kind !== "change") {
        const { root } = await requirePlaces(deps, resolve(repo));
        const found = await readRequirementTree(git, root, signal);
        return question.kind === "list"
          ? reqListCommand(found, clock.now())
          : reqShowCommand(found, idIn(question.id));
      }
      const text = worded(question.text);
      const id = idIn(question.id);
      const repository = await findRepository(deps, resolve(repo));
      await findRequirement(repository, id);
      const model = await deps.model(question.modelUrl, repository);
      const ask = localAsk(repository, { kind: "change", text }, clock);
      const { engine, ledger } = deps.local(repository, model);
      const bill = (requirement: string) => ledger.bill({ repository: ask.repository, requirement });
      return runCommand({ engine, ask, requirement: id, budget: null, clock, bill }, signal);
    },
  };
}

function idIn(typed: string): string {
  const id = namedIn(typed);
  if (id !== null) return id;
  throw new AccrueError("INPUT_INVALID", `${typed} is no id of a requirement: write it as REQ-12.`);
}
