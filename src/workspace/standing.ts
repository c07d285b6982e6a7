import type { Box, Files } from "./types.js";

/** Whether a work tree is exactly what its head holds. Where nobody touched it since that was seen, git need not look again. */
export interface Standing {
  isSettled(): boolean;
  /** Work tree, index and head were seen to be the same. */
  settle(): void;
  /** Something may have changed. */
  stir(): void;
  /** The same files and box, which say when they touch the tree. */
  watch(doors: { files: Files; box: Box }): { files: Files; box: Box };
}

/** Nothing is known of a tree at first. */
export function createStanding(): Standing {
  let isSettled = false;
  const stir = () => void (isSettled = false);
  /** Also afterwards: somebody may have looked while it went on. */
  const stirring = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    stir();
    try {
      return await work();
    } finally {
      stir();
    }
  };
  return {
    isSettled: () => isSettled,
    settle: () => void (isSettled = true),
    stir,
    watch: ({ files, box }) => ({
      files: {
        ...files,
        write: (path, content) => stirring(() => files.write(path, content)),
        remove: (path) => stirring(() => files.remove(path)),
      },
      box: { ...box, run: (request, signal) => stirring(() => box.run(request, signal)) },
    }),
  };
}
