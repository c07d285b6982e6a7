/** Does one thing after the other, in the order in which they were asked for; a failure holds up nobody else. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue for what must not happen at the same time. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
