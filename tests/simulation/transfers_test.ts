/** TRANSFER with its process killed in the middle: another one goes on, and what comes out is what would have come out. */
import "../../jobs/transfers/text/portable.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { addTo, emptyFixture, type Fixture, killAt, type Scenario, some } from "./backups.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { TransferKind } from "../../kv/model/transfers/plan.ts";
import { Settings } from "../../kv/sources/settings.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { transferFilePath } from "../../kv/objects/paths.ts";
import {
  getTransfer,
  newTransfer,
  readProgress,
  stageTransfer,
} from "../../kv/transfers/transfers.ts";
import { Operation } from "../../kv/store/operation.ts";

const ROWS = Array.from({ length: 230 }, (_, n) => ({
  id: `r${n}`,
  title: `Row ${n}`,
  slug: `row-${n}`,
  status: n % 3 === 0 ? "published" : "draft",
  n,
}));

/** Documents of Sanity in two languages, some with unpublished changes. */
const DOCUMENTS = Array.from({ length: 40 }, (_, n) => [
  { _id: `en${n}`, _type: "post", title: `Text ${n}`, note: "One" },
  { _id: `fr${n}`, _type: "post", title: `Texte ${n}`, note: "Un" },
  ...(n % 4 === 0 ? [{ _id: `drafts.en${n}`, _type: "post", title: `Changed ${n}` }] : []),
  {
    _id: `m${n}`,
    _type: "translation.metadata",
    translations: ["en", "fr"].map((code) => ({ _key: code, value: { _ref: `${code}${n}` } })),
  },
]).flat();

async function transferScenario(
  kind: TransferKind,
  rows: readonly object[],
  languages: Json = null,
): Promise<Scenario> {
  const fixture = emptyFixture();
  const { harness, client: { context } } = fixture;
  const userId = "01JD0000000000000000000000";
  const transfer = newTransfer(context, { name: "rows", userId, kind });
  const object = transferFilePath(transfer.id, "upload");
  const bytes = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join("\n"));
  await harness.run((async () => {
    await new Settings(context).patch(UNATTENDED, { languages });
    await context.objects.put(object, bytes);
    const operation = new Operation();
    const files = [{ name: "rows.ndjson", bytes: bytes.byteLength, object }];
    stageTransfer(operation, { ...transfer, files, state: "running" });
    await context.store.commit(operation);
  })());
  const jobId = await addTo(fixture, "TRANSFER", { transferId: transfer.id, action: "update" });
  return { fixture, jobId, outcomeOf: (after, job) => outcomeOf(after, job, transfer.id) };
}

/** Documents by their titles, each with its number of versions, and the report. */
async function outcomeOf(
  { harness, client: { content, context } }: Fixture,
  { error }: JobRecord,
  transferId: string,
) {
  return await harness.run((async () => {
    const { collections } = await content.schema.current();
    const { rows, total } = await content.index.list({
      collections,
      statuses: STATUSES,
      sort: [{ by: "title", descending: false }],
      offset: 0,
      limit: 1_000,
    });
    const { state } = await getTransfer(context, transferId);
    const progress = await readProgress(context, transferId);
    assertEquals(progress?.report.failed, 0);
    return {
      error,
      total,
      versions: rows.map(({ n }) => n).join(""),
      fields: collections.map(({ slug, fields }) => [slug, fields.length]),
      state,
      report: progress?.report,
    };
  })());
}

Deno.test("TRANSFER ends the same wherever its process is killed", async () => {
  const calls = await killAt(await transferScenario("ndjson", ROWS), some(12));
  assert(calls > 50, `${calls} calls`);
});

Deno.test("TRANSFER of translations and unpublished changes ends the same wherever its process is killed", async () => {
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  const scenario = await transferScenario("sanity", DOCUMENTS, languages);
  const calls = await killAt(scenario, some(16));
  assert(calls > 100, `${calls} calls`);
});
