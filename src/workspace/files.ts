import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { AccrueError, isAccrueError, messageOf } from "../shared/index.js";
import type { Files } from "./types.js";
import { type Place, walk } from "./walk.js";

/** Nothing that a model reads or writes is larger. */
const FILE_LIMIT_BYTES = 10 * 1024 * 1024;
// O_NONBLOCK: opening a named pipe must not wait for its other end.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const MORE_BYTES = 64 * 1024;
const NEW_FILE_MODE = 0o644;

/** File access for the host's own process into a tree that somebody hostile may be changing at the same time. */
export function createFiles(options: {
  root: string;
  list: (prefix: string) => Promise<string[]>;
  /** Who gets new files; null for ourselves. */
  owner: number | null;
}): Files {
  const { root, owner } = options;
  return {
    read: (path) =>
      translated(path, () => walk(root, { path, followLast: true }, (place) => readRegular(place, path))),
    write: async (path, content) => {
      const bytes = Buffer.from(content);
      if (bytes.length > FILE_LIMIT_BYTES) throw tooLarge(path, bytes.length);
      const makeFolders = { owner };
      await translated(path, () =>
        walk(root, { path, followLast: true, makeFolders }, (place) =>
          replace(place, { path, bytes, owner }),
        ),
      );
    },
    remove: async (path) =>
      (await translated(path, () =>
        walk(root, { path, followLast: false }, (place) => removeFile(place, path)),
      )) ?? false,
    list: (prefix = "") => options.list(prefix.replace(/^(\.?\/)+|\/+$/g, "")),
  };
}

/** What the operating system says about a path that a model chose is an answer for the model, not the end of a run. */
async function translated<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isAccrueError(error)) throw error;
    const said = messageOf(error).replace(/,.*$/s, "");
    const message = `${path.slice(0, 200)} cannot be used: ${said}. Choose another path.`;
    throw new AccrueError("WORKSPACE_FAILED", message, { cause: error });
  }
}

async function readRegular(place: Place, path: string): Promise<Buffer | null> {
  const file = await openRegular(place, path);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    if (size > FILE_LIMIT_BYTES) throw tooLarge(path, size);
    return await readAll(file, { path, size });
  } finally {
    await file.close();
  }
}

/** Reads to the end, but never more than the limit: the file may be longer than it was said to be, or grow meanwhile. */
async function readAll(file: FileHandle, { path, size }: { path: string; size: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  // One byte more than there is, so that the end is seen at once.
  for (let length = size + 1; ; length = MORE_BYTES) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(length) });
    total += bytesRead;
    if (total > FILE_LIMIT_BYTES) throw tooLarge(path, total);
    chunks.push(buffer.subarray(0, bytesRead));
    if (bytesRead < length) return Buffer.concat(chunks);
  }
}

async function openRegular(place: Place, path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(place.path, READ);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    if (code === "ELOOP") throw new AccrueError("PATH_OUTSIDE", `${path} became a link while it was opened.`);
    // ENXIO: a socket.
    if (code === "ENXIO") throw notRegular(path);
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notRegular(path);
}

async function replace(
  place: Place,
  input: { path: string; bytes: Buffer; owner: number | null },
): Promise<void> {
  const present = await openRegular(place, input.path);
  const mode = present === null ? NEW_FILE_MODE : (await present.stat()).mode & 0o777;
  await present?.close();
  const draft = place.beside(`.accrue-${randomBytes(8).toString("hex")}`);
  const file = await open(draft, CREATE, 0o600);
  try {
    await file.writeFile(input.bytes);
    if (input.owner !== null) await file.chown(input.owner, input.owner);
    await file.chmod(mode);
    await rename(draft, place.path);
  } catch (error) {
    await unlink(draft);
    throw error;
  } finally {
    await file.close();
  }
}

async function removeFile(place: Place, path: string): Promise<boolean> {
  try {
    await unlink(place.path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code === "EISDIR" || code === "EPERM") throw notRegular(path);
    throw error;
  }
}

function notRegular(path: string): AccrueError {
  return new AccrueError("INPUT_INVALID", `${path} is a folder or a device, not a file: name a file.`);
}

function tooLarge(path: string, size: number): AccrueError {
  const message = `${path} has ${size} bytes, more than ${FILE_LIMIT_BYTES}: work on it with a command instead.`;
  return new AccrueError("INPUT_INVALID", message);
}
