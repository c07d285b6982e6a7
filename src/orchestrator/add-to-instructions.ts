import { addInstruction, learnable } from "../knowledge/index.js";
import { clipEnd, inertSubject } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { type PushedKnowledge, pushKnowledge } from "./push-knowledge.js";
import type { Remark } from "./remark.js";
import type { Scene } from "./scene.js";
import type { EngineDeps } from "./types.js";

const FILE = "AGENTS.md";
const MAX_LINE = 500;

/** What became of a line for the instructions of agents. */
export interface Instructed {
  line: string;
  /** False when it was there already. */
  isNew: boolean;
}

/** Adds what a person said as one line to AGENTS.md, where deposits go from here: it counts once that is merged. */
export function addToInstructions(
  scene: Scene,
  { remark, mirror }: { remark: Remark; mirror: Mirror },
  { clock }: Pick<EngineDeps, "clock">,
): Promise<PushedKnowledge<Instructed>> {
  const { text } = learnable(remark.text, { trust: remark.trust, injected: [] });
  const said = clipEnd(text, MAX_LINE);
  return pushKnowledge(scene, { mirror, clock }, (view) => {
    const added = addInstruction(view.files.get(FILE) ?? null, said);
    const made = { line: added.line, isNew: added.text !== null || view.before !== null };
    if (added.text === null) return Promise.resolve({ made, commit: null });
    return Promise.resolve({
      made,
      commit: {
        writes: new Map([[FILE, added.text]]),
        subject: `Add to ${FILE}: ${inertSubject(added.line.slice(2)).slice(0, 60)}`,
        body: `Said by ${inertSubject(remark.by)}: ${remark.source}`,
      },
    });
  });
}
