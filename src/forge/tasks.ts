/** The forge's work in progress: requests being answered and what follows them. */
export interface Tasks {
  /** Runs work and keeps its error for {@link Tasks.settle}. Contract: never rejects. */
  run(work: () => Promise<void>): Promise<void>;
  /** Waits for all work; rejects with the first error of the forge itself. */
  settle(): Promise<void>;
  /** Waits for all work, whatever came of it. */
  drain(): Promise<void>;
}

/** Starts idle; after the signal, errors are only the echo of the end. */
export function createTasks(signal: AbortSignal): Tasks {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  const fail = (error: unknown) => {
    if (!signal.aborted) failure ??= { error };
  };
  const drain = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    run(work) {
      const task = work()
        .catch(fail)
        .finally(() => running.delete(task));
      running.add(task);
      return task;
    },
    drain,
    async settle() {
      await drain();
      const first = failure;
      failure = null;
      if (first) throw first.error;
    },
  };
}
