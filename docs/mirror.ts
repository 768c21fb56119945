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
/** No collection has a name like this. */
const cursorFile = `${folder}/.cursor`;
const RETRY_MS = 2_000;

/** The folder of each document that is here: that of its collection, whose name may change. */
const places = new Map<string, string>();

async function apply({ change, collection, id, document }: Change): Promise<void> {
  const place = places.get(id);
  if (place !== undefined && (change === "removed" || place !== collection)) {
    await Deno.remove(`${folder}/${place}/${id}.json`).catch(ignoreMissing);
    places.delete(id);
  }
  if (change === "removed") return;
  await Deno.mkdir(`${folder}/${collection}`, { recursive: true });
  await Deno.writeTextFile(`${folder}/${collection}/${id}.json`, JSON.stringify(document, null, 2));
  places.set(id, collection);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** The cursor to go on from; without one everything comes anew, and what is here may be gone. */
async function begin(): Promise<string | null> {
  await Deno.mkdir(folder, { recursive: true });
  const cursor = await Deno.readTextFile(cursorFile).catch((error) => {
    ignoreMissing(error);
    return null;
  });
  places.clear();
  for await (const { name: place, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory) continue;
    for await (const { name } of Deno.readDir(`${folder}/${place}`)) {
      const id = /^([0-9A-Z]{26})\.json$/.exec(name)?.[1];
      if (id === undefined) continue;
      if (cursor === null) await Deno.remove(`${folder}/${place}/${name}`);
      else places.set(id, place);
    }
  }
  return cursor;
}

let since = await begin();
for (;;) {
  const query = new URLSearchParams({ limit: "500" });
  if (since !== null) query.set("since", since);
  if (since !== null && flag !== "--once") query.set("wait", "25");
  const response = await fetch(`${address}?${query}`, { headers }).catch(() => null);
  if (response?.status === 410) {
    // The cursor is too old to tell what has gone since.
    await Deno.remove(cursorFile);
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
