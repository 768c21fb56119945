/**
 * Folders of tests.
 *
 * @module
 */

/** Runs with a new folder, which is gone afterwards. */
export async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
