/**
 * Files of the data folder are for the service alone: they hold password hashes, drafts and mails.
 *
 * @module
 */
import { dirname } from "node:path";

/** New files and folders of the process are readable by its user alone. */
const PRIVATE_UMASK = 0o077;
const FOR_OTHERS = 0o077;
/** Group and others may go through a folder. */
const MAY_ENTER = 0o011;
/** Entries of the data folder that belong to the service; the folder itself may be shared with others. */
const NAMES = ["kv.sqlite3", "kv.sqlite3-wal", "kv.sqlite3-shm", "objects", "outbox"];

/** Makes what the process creates from now on private. */
export function createPrivately(): void {
  if (Deno.build.os === "windows") return;
  try {
    Deno.umask(PRIVATE_UMASK);
  } catch (error) {
    // Without the permission the umask of the process stays; the check of the start says what it left open.
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}

/** Entries of the service in a folder that other users can read. */
export async function pathsOpenToOthers(dataDir: string): Promise<string[]> {
  const open: string[] = [];
  if (!(await isReachable(dataDir))) return open;
  for (const path of NAMES.map((name) => `${dataDir}/${name}`)) {
    const { mode } = await Deno.stat(path).catch(() => ({ mode: null }));
    if (mode !== null && Deno.build.os !== "windows" && (mode & FOR_OTHERS) !== 0) open.push(path);
  }
  return open;
}

/** Whether other users get as far as into a folder: a private one on the way keeps everything in it private. */
async function isReachable(folder: string): Promise<boolean> {
  let path = await Deno.realPath(folder).catch(() => null);
  while (path !== null) {
    const { mode } = await Deno.stat(path).catch(() => ({ mode: null }));
    if (mode !== null && (mode & MAY_ENTER) === 0) return false;
    path = dirname(path) === path ? null : dirname(path);
  }
  return true;
}

/** Makes a file or folder private; false when it belongs to another user. */
export async function closeToOthers(path: string): Promise<boolean> {
  const { mode } = await Deno.stat(path);
  return await Deno.chmod(path, mode! & ~FOR_OTHERS).then(() => true, () => false);
}
