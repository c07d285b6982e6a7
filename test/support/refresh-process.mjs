// Refreshes a map in a process of its own: says when it read the first file, and ends by itself when it is done.
import { createCheckoutTree, createIndex, openMapDatabase } from "../../dist/codemap/index.js";
import { createGit } from "../../dist/git/index.js";

const [folder, database, home] = process.argv.slice(2);
const db = openMapDatabase(database, () => {});
const tree = createCheckoutTree(createGit({ home, path: process.env.PATH }), folder);
let read = 0;
const index = await createIndex({
  db,
  now: () => 1_700_000_000_000,
  tree: {
    list: tree.list,
    read: (path) => {
      if (++read === 300) process.stdout.write("reading\n");
      return tree.read(path);
    },
  },
});
await index.refresh({}, AbortSignal.timeout(60_000));
