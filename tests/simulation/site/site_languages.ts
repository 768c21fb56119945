/**
 * Documents in several languages, published, unpublished, scheduled, renamed, trashed and restored language by language,
 * by processes that die and stores that fail. In the end each page, its alternates, the sitemap and the search in each
 * language are what an independent reading of the documents says.
 *
 * @module
 */
import { createDocument, patchDocument, trashDocument } from "../../../kv/documents/documents.ts";
import {
  publishDocument,
  unpublishDocument,
  untrashDocument,
} from "../../../kv/documents/status.ts";
import { removeTranslation } from "../../../kv/documents/translations/translation_removal.ts";
import {
  publishLanguages,
  scheduleTranslation,
  unpublishTranslation,
} from "../../../kv/documents/translations/translation_status.ts";
import { writeTranslation } from "../../../kv/documents/translations/translations.ts";
import { restoreVersion } from "../../../kv/history/restore/restore_version.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { AccessSource } from "../../../kv/people/access.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { anyFailure, type KvPlan } from "../../support/harness/simulated_kv.ts";
import { Outside, simulatedSite } from "../../support/harness/simulated_site.ts";
import { settle } from "./site_checks.ts";
import type { SiteFixture } from "./site_fixture.ts";
import { assertLanguages, CODES, type LanguagesRun } from "./site_language_checks.ts";

const ACTIONS = 45;
const DOCUMENTS = 8;

/** Runs one seed; throws if the site is not what its documents say. */
export async function simulateSiteLanguages(seed: number): Promise<LanguagesRun> {
  const fixture = await openFixture(seed);
  const { harness, kv, outside, objects } = fixture;
  const plan: KvPlan = (call) => {
    const luck = harness.random();
    if (luck > 0.03) return "none";
    if (luck < 0.006) return harness.chance(0.5) ? "die_before" : "die_after";
    return anyFailure(call, () => harness.random());
  };
  const start = () => {
    const one = simulatedSite(harness, kv, outside, { objects, plan });
    one.siteRunner().start();
    return one;
  };
  const processes = [start(), start()];
  for (let n = 0; n < ACTIONS; n++) {
    await harness.run(act(fixture, n).catch(ignoreRefusal));
    await harness.pass(harness.chance(0.3) ? 3_000 * harness.random() : 0);
    processes.forEach((one, at) => {
      if (!one.process.alive) processes[at] = start();
    });
  }
  for (const { process } of processes) process.kill();
  await settle(fixture);
  const run = await assertLanguages(fixture, `seed ${seed}`);
  // What is scheduled for later becomes public on its own, also after everything else has come to rest.
  await harness.pass(200_000);
  await settle(fixture);
  await assertLanguages(fixture, `seed ${seed}, later`);
  return run;
}

async function openFixture(seed: number): Promise<SiteFixture> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const objects = new MemoryObjects({ now: () => harness.now });
  const client = simulatedSite(harness, kv, outside, { objects });
  const ids: string[] = [];
  await harness.run((async () => {
    const { content } = client;
    await new Settings(content.context).patch(UNATTENDED, {
      languages: [
        { code: "en" },
        { code: "fr", fallback: ["en"], gaps: true },
        { code: "de" },
      ],
    });
    const lead = { name: "lead", type: "text", label: "Lead", localized: true };
    const input = { slug: "posts", name: "Posts", localized: true, fields: [lead] };
    await createCollection(content, UNATTENDED, parseCollection(input as never));
    for (let n = 0; n < DOCUMENTS; n++) {
      const body = { title: `word${n}en v0`, status: "published" };
      const { state } = await createDocument(content, UNATTENDED, "posts", body);
      ids.push(state.id);
    }
  })());
  return { harness, kv, outside, objects, client, ids, subjects: [], media: [] };
}

/** Does something to the site; what its state does not allow is refused. */
async function act({ harness, client: { content, context }, ids }: SiteFixture, n: number) {
  const pick = <T>(all: readonly T[]) => all[Math.floor(harness.random() * all.length)] as T;
  const id = pick(ids);
  const at = ids.indexOf(id);
  const code = pick(CODES);
  const title = `word${at}${code} v${n}`;
  const write = (status: "draft" | "published") =>
    writeTranslation(content, UNATTENDED, id, code, { title, status });
  const change = () => writeTranslation(content, UNATTENDED, id, code, { title });
  const restore = async (languages?: string[]) => {
    const rows = await context.store.listAll<VersionRow>({ prefix: versionPrefix("document", id) });
    const { value } = pick(rows);
    const restoring = { content, access: new AccessSource(context) };
    return await restoreVersion(restoring, UNATTENDED, value.vid, languages ? { languages } : {});
  };
  const later = Math.ceil(harness.now / 1_000) + 1 + Math.floor(harness.random() * 20);
  const actions: (() => Promise<unknown>)[] = [
    ...Array(4).fill(() => write("published")),
    () => write("draft"),
    change,
    change,
    () => writeTranslation(content, UNATTENDED, id, code, { slug: `slug-${n}` }),
    ...Array(3).fill(() => publishLanguages(content, UNATTENDED, id, [code])),
    () => publishLanguages(content, UNATTENDED, id, "*"),
    ...Array(2).fill(() => unpublishTranslation(content, UNATTENDED, id, code)),
    ...Array(2).fill(() =>
      scheduleTranslation(content, UNATTENDED, id, code, { publishAt: later })
    ),
    () => scheduleTranslation(content, UNATTENDED, id, code, { unpublishAt: later }),
    () => removeTranslation(content, UNATTENDED, id, code),
    () => publishDocument(content, UNATTENDED, id),
    () => unpublishDocument(content, UNATTENDED, id),
    () => patchDocument(content, UNATTENDED, id, { lead: `lead ${n}` }),
    () => trashDocument(content, UNATTENDED, id),
    ...Array(2).fill(() => untrashDocument(content, UNATTENDED, id)),
    () => restore(),
    ...Array(2).fill(() => restore([code])),
  ];
  await pick(actions)();
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
