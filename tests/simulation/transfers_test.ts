/** TRANSFER with its process killed in the middle: another one goes on, and what comes out is what would have come out. */
import "../../jobs/transfers/text/portable.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { isWholeRun, seedCount } from "../support/harness/whole_run.ts";
import { IMAGES } from "../support/sites/images.ts";
import {
  addTo,
  all,
  emptyFixture,
  type Fixture,
  killAt,
  play,
  type Scenario,
  some,
} from "./backups.ts";
import type { GuardedRequest } from "../../jobs/network/guarded_request.ts";
import { reportLines } from "../../jobs/transfers/run/report.ts";
import { currentKey, currentPrefix } from "../../kv/keys.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { EntityType } from "../../kv/model/entities/entity_kinds.ts";
import type { Plan, TransferKind } from "../../kv/model/transfers/plan.ts";
import { Settings } from "../../kv/sources/settings.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { transferAnswersPrefix, transferFilePath } from "../../kv/objects/paths.ts";
import type { TransferChange } from "../../kv/transfers/transfer_changes.ts";
import {
  changeTransfer,
  getTransfer,
  newTransfer,
  readPlan,
  readProgress,
  stageTransfer,
  type TransferFile,
  type TransferRecord,
  writePlan,
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

/** The source of a transfer. */
interface Source {
  kind: TransferKind;
  files?: Record<string, string | Uint8Array>;
  /** Rows of the only file, one on each line. */
  rows?: readonly object[];
  languages?: Json;
  /** An API instead of files. */
  request?: GuardedRequest;
  /** Changes the plan before the run; without it, analysis and run are one job. */
  choose?: (plan: Plan) => void;
  /** Whether the run has ended and its undo is killed. */
  undoes?: true;
}

async function transferScenario(source: Source): Promise<Scenario> {
  const fixture: Fixture = {
    ...emptyFixture(),
    ...(source.request && { request: source.request }),
  };
  const transferId = await addTransfer(fixture, source);
  const { choose, undoes } = source;
  let prepared = choose === undefined ? fixture : await planned(fixture, transferId, choose);
  let action = choose === undefined ? "update" : "run";
  if (undoes) {
    const run = await addTo(prepared, "TRANSFER", { transferId, action });
    ({ fixture: prepared } = await play({ fixture: prepared, jobId: run }, []));
    action = "undo";
  }
  const jobId = await addTo(prepared, "TRANSFER", { transferId, action });
  return {
    fixture: prepared,
    jobId,
    outcomeOf: (after, job) => outcomeOf(after, job, transferId),
  };
}

async function addTransfer(
  { harness, client: { context } }: Fixture,
  { kind, rows = [], files, languages = null, request }: Source,
): Promise<string> {
  const userId = "01JD0000000000000000000000";
  const transfer = newTransfer(context, { name: "rows", userId, kind });
  const contents = files ?? { "rows.ndjson": rows.map((row) => JSON.stringify(row)).join("\n") };
  const live: Partial<TransferRecord> = { url: "https://source.example", isLive: true };
  await harness.run((async () => {
    await new Settings(context).patch(UNATTENDED, { languages, "site.title": "Before" });
    const stored: TransferFile[] = [];
    for (const [name, content] of request === undefined ? Object.entries(contents) : []) {
      const object = transferFilePath(transfer.id, `upload-${stored.length}`);
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await context.objects.put(object, bytes);
      stored.push({ name, bytes: bytes.byteLength, object });
    }
    const operation = new Operation();
    const record = { ...transfer, files: stored, state: "running" } as const;
    stageTransfer(operation, { ...record, ...(request !== undefined && live) });
    await context.store.commit(operation);
  })());
  return transfer.id;
}

/** The site after the analysis, with a plan that was changed. */
async function planned(
  before: Fixture,
  transferId: string,
  choose: (plan: Plan) => void,
): Promise<Fixture> {
  const analysis = await addTo(before, "TRANSFER", { transferId, action: "analyse" });
  const { fixture, job } = await play({ fixture: before, jobId: analysis }, []);
  assertEquals([job.state, job.error], ["done", null]);
  const { harness, client: { context } } = fixture;
  await harness.run((async () => {
    const plan = await readPlan(context, await getTransfer(context, transferId));
    assert(plan !== null);
    choose(plan);
    const object = await writePlan(context, transferId, plan);
    await changeTransfer(context, transferId, (record) => {
      return { ...record, plan: object, state: "running" };
    });
  })());
  return fixture;
}

/** The types of entities that transfers make. */
const TYPES: readonly EntityType[] = [
  ...["document", "media_metadata", "setting"] as const,
  ...["collection", "field_definition", "block_definition"] as const,
];

/** Everything that a transfer has left, without the ids that differ from run to run. */
async function outcomeOf(
  { harness, kv, objects, client: { content, context } }: Fixture,
  { error, results }: JobRecord,
  transferId: string,
) {
  const journal = kv.dump(["transfer_change"]).map(({ key, value }) => {
    const [, , type, id] = key as [string, string, EntityType, string];
    const { n } = kv.read(currentKey(type, id)).value as { n: number };
    const isLast = (value as TransferChange).n === n;
    return { type, isLast };
  });
  return await harness.run((async () => {
    const { collections, blocks } = await content.schema.current();
    const { rows, total } = await content.index.list({
      collections,
      statuses: STATUSES,
      sort: [{ by: "title", descending: false }],
      offset: 0,
      limit: 1_000,
    });
    const { state, runs } = await getTransfer(context, transferId);
    const progress = await readProgress(context, transferId);
    assertEquals(progress?.report.failed, 0);
    const lines = await Array.fromAsync(
      reportLines(context, transferId, progress?.jobId ?? runs[0]?.jobId ?? ""),
    );
    const answers = await Array.fromAsync(objects.list(transferAnswersPrefix(transferId)));
    assertEquals(answers, [], "answers of an API are left");
    return {
      error,
      total,
      versions: rows.map(({ n }) => n).join(""),
      fields: collections.map(({ slug, fields }) => [slug, fields.length]),
      blocks: [...blocks.values()].map(({ name, fields }) => [name, fields.length]),
      counts: TYPES.map((type) =>
        kv.dump(currentPrefix(type)).map(({ value }) => (value as { n: number }).n).sort()
      ),
      settings: await new Settings(context).all(),
      marks: kv.dump(["transferred"]).map(({ key }) => key),
      addresses: kv.dump(["former_address"]).map(({ key }) => key),
      journal: Map.groupBy(journal, ({ type }) => type).entries()
        .map(([type, changes]) => [type, changes.length]).toArray(),
      // The last version of everything that a run has changed is known as its own, or it could not be undone.
      foreign: journal.filter(({ isLast }) => !isLast),
      lines: lines.map(({ source, sourceId, status }) => [source, sourceId, status]),
      state,
      report: progress?.report,
      undone: results.undo,
    };
  })());
}

Deno.test("TRANSFER ends the same wherever its process is killed", async () => {
  const calls = await killAt(
    await transferScenario({ kind: "ndjson", rows: ROWS }),
    some(seedCount(6, 12)),
  );
  assert(calls > 50, `${calls} calls`);
});

Deno.test("TRANSFER of translations and unpublished changes ends the same wherever its process is killed", async () => {
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  const scenario = await transferScenario({ kind: "sanity", rows: DOCUMENTS, languages });
  const calls = await killAt(scenario, some(seedCount(8, 16)));
  assert(calls > 100, `${calls} calls`);
});

/** One of so many calls is a kill. */
const PART = isWholeRun ? 1 : 5;

/** Kills all over the run; answers the steps in which the process died, and at about how many calls of each. */
async function stepsOfKills(scenario: Scenario, most = Infinity) {
  const steps = new Map<string | null, number>();
  await killAt(
    scenario,
    (calls) => all(Math.min(calls, most)).filter((n) => n % PART === 0),
    (step) => steps.set(step, (steps.get(step) ?? 0) + PART),
  );
  return steps;
}

/** A site of Ghost with a logo, a menu and a page that it leads to. */
const GHOST = {
  db: [{
    meta: {},
    data: {
      posts: [{
        id: "1",
        title: "About",
        slug: "about",
        type: "page",
        status: "published",
        html: "<p>Hi</p>",
        published_at: "2020-01-01T00:00:00.000Z",
      }],
      settings: [
        { key: "title", value: "Ghost site" },
        { key: "logo", value: "__GHOST_URL__/content/images/logo.png" },
        { key: "navigation", value: '[{"label":"About","url":"__GHOST_URL__/about/"}]' },
      ],
    },
  }],
};

Deno.test("TRANSFER of settings and menus ends the same wherever its process is killed", async () => {
  const scenario = await transferScenario({
    kind: "ghost",
    files: { "ghost.json": JSON.stringify(GHOST), "content/images/logo.png": IMAGES["image/png"] },
    choose: ({ settings }) => settings.forEach((one) => one.apply = true),
  });
  const steps = await stepsOfKills(scenario);
  assert((steps.get("settings") ?? 0) >= 5, JSON.stringify([...steps]));
});

Deno.test("the undo of a transfer ends the same wherever its process is killed", async () => {
  const scenario = await transferScenario({
    kind: "ghost",
    files: { "ghost.json": JSON.stringify(GHOST), "content/images/logo.png": IMAGES["image/png"] },
    choose: ({ settings }) => settings.forEach((one) => one.apply = true),
    undoes: true,
  });
  const steps = await stepsOfKills(scenario);
  assert((steps.get("undo") ?? 0) >= 20, JSON.stringify([...steps]));
});

/** Posts of Payload with two kinds of blocks, in a field and in rich text. */
const BLOCKS = [1, 2].map((n) => ({
  id: `p${n}`,
  title: `Post ${n}`,
  _status: "published",
  layout: [{ blockType: "hero", text: `Hero ${n}` }, { blockType: "quote", words: "Said" }],
  content: {
    root: {
      type: "root",
      children: [{ type: "block", fields: { blockType: "quote", words: "Inside" } }],
    },
  },
}));

Deno.test("TRANSFER of blocks ends the same wherever its process is killed", async () => {
  const scenario = await transferScenario({
    kind: "payload",
    files: { "posts.json": JSON.stringify({ docs: BLOCKS, totalDocs: 2 }) },
    choose: ({ blocks }) => assertEquals(blocks.map(({ target }) => target), ["hero", "quote"]),
  });
  const steps = await stepsOfKills(scenario);
  // A run passes over its analysis without a commit, so the record of the job names that step until the schema is made.
  assert((steps.get("analyse") ?? 0) >= 20, JSON.stringify([...steps]));
});

/** The API of a small site of Directus: two pages of posts. */
const directus: GuardedRequest = ({ url }) => {
  const { pathname, searchParams } = new URL(url);
  const posts = Array.from({ length: 105 }, (_, n) => ({ id: n + 1, title: `Post ${n}` }));
  const page = Number(searchParams.get("page") ?? 1);
  const lists: Record<string, Json[]> = {
    "/fields": [{ collection: "posts", field: "title", type: "string", meta: {} }],
    "/relations": [],
    "/files": [],
    "/items/posts": posts.slice((page - 1) * 100, page * 100),
  };
  const data = lists[pathname];
  const body = new TextEncoder().encode(JSON.stringify({ data: data ?? null }));
  return Promise.resolve({ status: data === undefined ? 404 : 200, headers: {}, body });
};

Deno.test("TRANSFER from an API ends the same wherever its process is killed while it reads", async () => {
  const scenario = await transferScenario({ kind: "directus", request: directus });
  const steps = await stepsOfKills(scenario, 60);
  assert((steps.get("analyse") ?? 0) >= 30, JSON.stringify([...steps]));
});
