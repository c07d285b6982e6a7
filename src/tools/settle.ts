/** How long work that was told to stop may take to say what became of it. */
const SETTLE_MS = 1_000;

/** What became of work: done (perhaps just after it was told to stop), failed, stopped, or still going on for all we know. */
export type Settled =
  | { kind: "done"; value: string }
  | { kind: "failed"; error: unknown }
  | { kind: "stopped" }
  | { kind: "unknown" };

/** Starts work, before the signal has fired, and waits for it; once the signal fires, only a short time more, also when the work does not listen to it. */
export async function settled(work: () => Promise<string>, signal: AbortSignal): Promise<Settled> {
  let tellAborted = () => {};
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<Settled>((resolve) => {
    tellAborted = () => {
      timer = setTimeout(() => resolve({ kind: "unknown" }), SETTLE_MS);
    };
    signal.addEventListener("abort", tellAborted, { once: true });
  });
  const end = async (): Promise<Settled> => {
    try {
      return { kind: "done", value: await work() };
    } catch (error) {
      return signal.aborted ? { kind: "stopped" } : { kind: "failed", error };
    }
  };
  try {
    return await Promise.race([end(), givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", tellAborted);
  }
}
