import { inertLine, isAccrueError, marker, messageOf } from "../shared/index.js";
import { type LoadedServices, type ServicesWish, loadFromThread, loadServices } from "./answer-services.js";
import { answerOnThread } from "./answer-question.js";
import { answer } from "./answer.js";
import { changeBudget } from "./budget.js";
import { complete } from "./completion.js";
import type { Decision, Ending, GateWatch, GivenUp, Stop, Watched, Work, Worked } from "./decision.js";
import { giveUp } from "./give-up.js";
import { type Answered, findAnswer } from "./find-answer.js";
import type { Ask } from "./intent.js";
import { type Arrival, offerScaffold } from "./offer-scaffold.js";
import type { RunStart } from "./phases/open.js";
import { routed } from "./phase-router.js";
import { issueOf } from "./requirement-of.js";
import { sayWhereItGoesOn, sceneOfNamed } from "./named-requirement.js";
import { runRequirement } from "./run.js";
import { sceneOf } from "./scene.js";
import type { Doors, EngineDeps, RunEnd } from "./types.js";
import { watchGate } from "./watch-gate.js";
import { refusalOf } from "./who-may.js";

export interface Engine {
  /** Who asks is checked, and control intents are answered at once. `attempt` above 1 looks for what an earlier try, finished or not, wrote. */
  decide(ask: Ask, attempt: number, signal: AbortSignal): Promise<Decision>;
  /** Does long work to its end. */
  work(work: Work, signal: AbortSignal): Promise<Worked>;
  /** Looks once at something that is waited for. */
  watch(watch: GateWatch, signal: AbortSignal): Promise<Watched>;
  /** Offers the scaffold to a repository that the app was given; gives a sentence for the record. */
  welcome(arrival: Arrival, signal: AbortSignal): Promise<string>;
  /** Tells people that nothing more comes of their ask. Contract: may be called again; rejects when telling may work later. */
  giveUp(work: GivenUp, ending: Ending, signal: AbortSignal): Promise<void>;
  /** One run to its end, for fronts that wait for it. */
  run(start: RunStart, signal: AbortSignal): Promise<RunEnd>;
  /** Reads services, for fronts that write the documents themselves. */
  loadServices(ask: Ask, of: ServicesWish, signal: AbortSignal): Promise<LoadedServices>;
  /** Answers a question, for fronts that show the answer themselves. */
  findAnswer(ask: Ask, signal: AbortSignal): Promise<Answered>;
  /** Takes over what a requirement may cost, for fronts without a thread; gives it as people read it. Throws `INPUT_INVALID` when it is no budget. */
  setBudget(ask: Ask, of: { requirement: string; text: string }, signal: AbortSignal): Promise<string>;
}

/** Long work that is no run; each gives a sentence for the record. */
const LONG_WORK = { complete, "load-service": loadFromThread, question: answerOnThread };

const NOTHING_WAITS: Stop = () => ({ removed: 0, signalled: 0 });

/** The one engine behind App, Action and command line. Without a queue there is nothing that `stop` could reach. */
export function createEngine(deps: EngineDeps, stop: Stop = NOTHING_WAITS): Engine {
  return {
    decide: async (ask, attempt, signal) => {
      if (ask.intent.kind === "ignore") return { kind: "answered", outcome: `ignored: ${ask.intent.reason}` };
      const doors = await deps.doors(ask);
      try {
        const call = { attempt, signal };
        const refusal = await refusalOf(await sceneOf(ask, call, deps));
        if (refusal) return { kind: "answered", outcome: `ignored: ${refusal}` };
        const named = await sceneOfNamed(await sceneOf(await whole(ask, doors), call, deps), deps);
        const scene = "kind" in named ? named : await routed(named, deps);
        if ("kind" in scene) return scene;
        const decision = await answer(scene, deps, stop);
        if (decision.kind === "work") await sayWhereItGoesOn(scene);
        return decision;
      } catch (error) {
        if (!isAccrueError(error) || error.retryable || error.code === "RUN_STOPPED") throw error;
        return tellTrouble(ask, doors, { attempt, message: error.message });
      }
    },
    work: async (work, signal) => {
      if (work.kind === "run") {
        const end = await runRequirement(work.start, deps, signal);
        return { outcome: `${end.state}: ${end.reason}`, watch: watchOf(work.start, end, deps) };
      }
      const scene = await sceneOf(work.ask, { attempt: 1, signal }, deps);
      return { outcome: await LONG_WORK[work.kind](scene, deps), watch: null };
    },
    welcome: (arrival, signal) => offerScaffold(arrival, deps, signal),
    watch: async (watch, signal) =>
      watchGate(watch, await sceneOf(watch.start.ask, { attempt: 1, signal }, deps), deps),
    giveUp: (work, ending, signal) => giveUp(work, ending, deps, signal),
    run: (start, signal) => runRequirement(start, deps, signal),
    loadServices: async (ask, of, signal) =>
      loadServices(await sceneOf(ask, { attempt: 1, signal }, deps), of, deps),
    findAnswer: async (ask, signal) => findAnswer(await sceneOf(ask, { attempt: 1, signal }, deps), deps),
    setBudget: async (ask, of, signal) => {
      const { label } = await changeBudget(await sceneOf(ask, { attempt: 1, signal }, deps), of, deps);
      return label;
    },
  };
}

/** A run that ended at a gate is looked after where a 👍 is seen and there is a comment to give it to. */
function watchOf(
  start: RunStart,
  { gate }: RunEnd,
  { watchesReactions }: Pick<EngineDeps, "watchesReactions">,
): GateWatch | null {
  const issue = issueOf(start.ask, start.requirement);
  return watchesReactions && gate && issue !== null ? { start, issue, gate } : null;
}

/** What an event leaves out is looked up: the branch that a comment is about, the words of a pull request that a check is of. */
async function whole(ask: Ask, { port }: Doors): Promise<Ask> {
  const { thread } = ask;
  if (!thread?.isPull || !port || (ask.headRef !== null && thread.title !== "")) return ask;
  const pull = await port.pull(thread.number);
  const own = `${ask.repository.owner}/${ask.repository.name}`.toLowerCase();
  const isHere = pull.headRepository?.toLowerCase() === own;
  const { title, body, url } = thread.title === "" ? pull : thread;
  return { ...ask, headRef: isHere ? pull.headRef : null, thread: { ...thread, title, body, url } };
}

/** What only people can cure, such as a configuration that cannot be used, is said where somebody asked. */
async function tellTrouble(
  ask: Ask,
  { port }: Doors,
  trouble: { attempt: number; message: string },
): Promise<Decision> {
  const ignored = `ignored: ${trouble.message}`;
  if (!port || !ask.thread || ask.actor?.type !== "User") return { kind: "answered", outcome: ignored };
  try {
    const permission = await port.permission(ask.actor.login);
    if (["write", "maintain", "admin"].includes(permission)) {
      await port.addComment(
        ask.thread.number,
        marker("reply", ask.key),
        `❌ ${inertLine(trouble.message)}`,
        trouble.attempt > 1,
      );
    }
    return { kind: "answered", outcome: ignored };
  } catch (error) {
    if (!isAccrueError(error) || error.retryable) throw error;
    return { kind: "answered", outcome: `${ignored} It could not be said there: ${messageOf(error)}` };
  }
}
