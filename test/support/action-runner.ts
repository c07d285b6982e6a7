// A small GitHub Actions runner: executes the steps of a composite action as processes, with an event file, inputs, outputs and
// the files that steps write to.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const Value = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Action = z.object({
  inputs: z.record(z.string(), z.object({ default: Value.optional(), required: z.boolean().optional() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })),
  runs: z.object({
    using: z.literal("composite"),
    steps: z.array(
      z.strictObject({
        name: z.string(),
        id: z.string().optional(),
        shell: z.literal("bash"),
        env: z.record(z.string(), Value).default({}),
        run: z.string(),
      }),
    ),
  }),
});

/** What happened, and on which runner. */
export interface WorkflowEvent {
  name: string;
  payload: unknown;
  /** The job's token, `github.token`. */
  token: string;
  apiUrl: string;
  runId: number;
  attempt?: number;
  inputs?: Record<string, string>;
  /** `env` of the job. */
  env?: Record<string, string>;
}

/** What a job shows of an action. */
export interface ActionRun {
  status: number;
  log: string;
  outputs: Record<string, string>;
  summary: string;
}

/** Runs the action in `folder` on an event; `home` is the runner's own folder. */
export async function runCompositeAction(
  folder: string,
  home: string,
  event: WorkflowEvent,
): Promise<ActionRun> {
  const action = Action.parse(parse(readFileSync(join(folder, "action.yml"), "utf8")));
  const temp = join(home, `temp-${event.runId}-${event.attempt ?? 1}`);
  mkdirSync(temp, { recursive: true, mode: 0o711 });
  const eventFile = join(temp, "event.json");
  writeFileSync(eventFile, JSON.stringify(event.payload));
  const github = { token: event.token };
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [
      name,
      event.inputs?.[name] ?? fill(input.default ?? "", { github }),
    ]),
  );
  const base = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: folder,
    GITHUB_API_URL: event.apiUrl,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_RUN_ID: String(event.runId),
    GITHUB_RUN_ATTEMPT: String(event.attempt ?? 1),
    RUNNER_TEMP: temp,
    ...event.env,
  };
  const run: ActionRun = { status: 0, log: "", outputs: {}, summary: "" };
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  for (const [index, step] of action.runs.steps.entries()) {
    const scope = { inputs, steps, github };
    const files = { output: join(temp, `output-${index}`), summary: join(temp, `summary-${index}`) };
    writeFileSync(files.output, "");
    writeFileSync(files.summary, "");
    const script = join(temp, `step-${index}.sh`);
    writeFileSync(script, fill(step.run, scope));
    const own = Object.fromEntries(
      Object.entries(step.env).map(([name, value]) => [name, fill(value, scope)]),
    );
    const env = { ...base, ...own, GITHUB_OUTPUT: files.output, GITHUB_STEP_SUMMARY: files.summary };
    const ended = await bash(script, home, env);
    run.status = ended.status;
    run.log += ended.log;
    run.summary += readFileSync(files.summary, "utf8");
    if (step.id) steps[step.id] = { outputs: readPairs(readFileSync(files.output, "utf8")) };
    if (ended.status !== 0) break;
  }
  const values = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    fill(value, { inputs, steps, github }),
  ]);
  return { ...run, outputs: Object.fromEntries(values) as Record<string, string> };
}

/** Replaces `${{ a.b.c }}`, as the runner does before a shell sees the text. */
function fill(text: string, scope: object): string {
  return text.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, path: string) => {
    let value: unknown = scope;
    for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
    return typeof value === "string" ? value : "";
  });
}

/** `name=value` lines; a name that stands twice is a line that was written into a value. */
function readPairs(text: string): Record<string, string> {
  const lines = text.split("\n").filter(Boolean);
  const pairs = lines.map((line): [string, string] => {
    const at = line.indexOf("=");
    if (at < 1) throw new Error(`not a line of GITHUB_OUTPUT: ${line}`);
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return Object.fromEntries(pairs);
}

function bash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ status: number; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], { cwd, env });
    let log = "";
    child.stdout.on("data", (chunk: Buffer) => (log += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status: status ?? 1, log }));
  });
}
