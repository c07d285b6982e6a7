import type { Tree } from "./types.js";

/** Makes a reading of trees that is done once for each: trees do not change. */
export function oncePerTree<T>(read: (tree: Tree) => T): (tree: Tree) => T {
  const known = new WeakMap<Tree, { read: T }>();
  return (tree) => {
    const found = known.get(tree) ?? { read: read(tree) };
    known.set(tree, found);
    return found.read;
  };
}
