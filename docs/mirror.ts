/**
 * A mirror of the content that a token sees, as one file for each document: everything first, then what
 * changes. Cut off anywhere it goes on from its cursor, which it writes after what the cursor stands for.
 *
 * `CMS_URL=… CMS_TOKEN=… deno run --allow-net --allow-env --allow-read --allow-write docs/mirror.ts FOLDER`
 * with `--once` to stop when there is nothing more.
 *
 * @module
 */

/** One change, as the API tells it. */
interface Change {
  change: "upserted" | "removed";
  collection: string;
  id: string;
  document?: Record<string, unknown>;
}

const [folder = "mirror", flag] = Deno.args;
const address = `${Deno.env.get("CMS_URL") ?? "http://127.0.0.1:8000"}/api/v1/_changes`;
const headers = { authorization: `Bearer ${Deno.env.get("CMS_TOKEN") ?? ""}` };
const cursorFile = `${folder}/cursor`;
const RETRY_MS = 2_000;

async function apply({ change, collection, id, document }: Change): Promise<void> {
  const path = `${folder}/${collection}/${id}.json`;
  if (change === "removed") return await Deno.remove(path).catch(ignoreMissing);
  await Deno.mkdir(`${folder}/${collection}`, { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify(document, null, 2));
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

async function begin(): Promise<string | null> {
  await Deno.mkdir(folder, { recursive: true });
  return await Deno.readTextFile(cursorFile).catch((error) => {
    ignoreMissing(error);
    return null;
  });
}

let since = await begin();
for (;;) {
  const query = new URLSearchParams({ limit: "500" });
  if (since !== null) query.set("since", since);
  if (since !== null && flag !== "--once") query.set("wait", "25");
  const response = await fetch(`${address}?${query}`, { headers }).catch(() => null);
  if (response?.status === 410) {
    // The cursor is too old to tell what has gone since: begin anew with an empty folder.
    await Deno.remove(folder, { recursive: true });
    since = await begin();
    continue;
  }
  if (response === null || response.status === 429 || response.status >= 500) {
    await response?.body?.cancel();
    await new Promise((done) => setTimeout(done, RETRY_MS));
    continue;
  }
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { data, meta }: { data: Change[]; meta: { cursor: string; hasMore: boolean } } =
    await response.json();
  for (const change of data) await apply(change);
  await Deno.writeTextFile(`${cursorFile}.new`, meta.cursor);
  await Deno.rename(`${cursorFile}.new`, cursorFile);
  since = meta.cursor;
  if (flag === "--once" && !meta.hasMore) break;
}
