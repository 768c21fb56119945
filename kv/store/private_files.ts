/**
 * Files of the data folder are for the service alone: they hold password hashes, drafts and mails.
 *
 * @module
 */

/** New files and folders of the process are readable by its user alone. */
const PRIVATE_UMASK = 0o077;
const FOR_OTHERS = 0o077;
/** What the service keeps in the data folder. The folder itself may be shared with others. */
const NAMES = ["kv.sqlite3", "kv.sqlite3-wal", "kv.sqlite3-shm", "objects", "outbox"];

/** Makes what the process creates from now on private. */
export async function createPrivately(): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "sys", kind: "umask" as "uid" });
  if (Deno.build.os !== "windows" && state === "granted") Deno.umask(PRIVATE_UMASK);
}

/** What the service keeps in a folder and other users can read. */
export async function pathsOpenToOthers(dataDir: string): Promise<string[]> {
  const open: string[] = [];
  for (const path of NAMES.map((name) => `${dataDir}/${name}`)) {
    const { mode } = await Deno.stat(path).catch(() => ({ mode: null }));
    if (mode !== null && Deno.build.os !== "windows" && (mode & FOR_OTHERS) !== 0) open.push(path);
  }
  return open;
}

/** Makes a file or folder private; false when it belongs to another user. */
export async function closeToOthers(path: string): Promise<boolean> {
  const { mode } = await Deno.stat(path);
  return await Deno.chmod(path, mode! & ~FOR_OTHERS).then(() => true, () => false);
}
