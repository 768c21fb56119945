/**
 * Releases on the embedded store: how long it takes from the first to the last document of one, beside as many
 * publications by hand. `deno run -A tests/bench/release.ts [documents]`.
 *
 * @module
 */
import { createDocument } from "../../kv/documents/documents.ts";
import { publishDocument } from "../../kv/documents/status.ts";
import { currentKey } from "../../kv/keys.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { beginPublication } from "../../kv/releases/begin_release.ts";
import { createRelease, getRelease, putReleaseDocument } from "../../kv/releases/releases.ts";
import { bodyOf, openBenchSite } from "./publish_site.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 100);

await using site = await openBenchSite();
const { content, context, runner } = site;

async function drafts(from: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < from + DOCUMENTS; n++) {
    const body = { ...bodyOf(n), status: "draft" } as never;
    ids.push((await createDocument(content, UNATTENDED, "posts", body)).state.id);
  }
  return ids;
}

/** Epoch milliseconds at which the first and the last of the documents are seen as published. */
async function watch(ids: string[]): Promise<{ first: number; last: number }> {
  let first = 0;
  for (;;) {
    const keys = ids.map((id) => currentKey("document", id));
    const rows = await context.store.getMany(keys);
    const done = rows.filter(({ value }) => (value as CurrentRow).n > 1).length;
    if (done > 0 && first === 0) first = performance.now();
    if (done === ids.length) return { first, last: performance.now() };
    await new Promise((next) => setTimeout(next, 1));
  }
}

const released = await drafts(0);
const release = await createRelease(content, UNATTENDED, {
  name: "Bench",
  description: "",
  publishAt: null,
});
const { id } = release.state;
for (const document of released) {
  await putReleaseDocument(content, UNATTENDED, id, document, { action: "publish" });
}
const asked = performance.now();
await beginPublication(content, UNATTENDED, id);
const begun = performance.now();
const watching = watch(released);
await runner.drain();
const { first, last } = await watching;
const settled = performance.now();
const { state } = await getRelease(content, id);

const byHand = await drafts(DOCUMENTS);
const started = performance.now();
for (const document of byHand) await publishDocument(content, UNATTENDED, document);
const bare = performance.now() - started;

console.log(`release of ${DOCUMENTS} documents: ${state.state}`);
console.log(`check and intent         ${(begun - asked).toFixed(0)} ms`);
console.log(`first to last document   ${(last - first).toFixed(0)} ms`);
console.log(`all pages and aggregates ${(settled - begun).toFixed(0)} ms`);
console.log(`the same by hand, one by one: ${bare.toFixed(0)} ms`);
