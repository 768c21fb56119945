/**
 * Publishing, unpublishing, renaming, trashing, restoring and restyling in any order, by processes that die
 * and stores that fail: in the end pages, listings, feeds, sitemap and search are what a rendering of
 * everything makes of the documents.
 *
 * @module
 */
import { createDocument, patchDocument, trashDocument } from "../../../kv/documents/documents.ts";
import {
  publishDocument,
  unpublishDocument,
  untrashDocument,
} from "../../../kv/documents/status.ts";
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import { restoreVersion } from "../../../kv/history/restore/restore_version.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { AccessSource } from "../../../kv/people/access.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { createField, patchField, removeField } from "../../../kv/schema/fields.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import { patchMedia } from "../../../kv/media/media.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { createCover } from "../../support/harness/covers.ts";
import { FaultyObjects } from "../../support/stores/faulty_objects.ts";
import { seededRandom } from "../../support/harness/harness.ts";
import { anyFailure, type KvPlan } from "../../support/harness/simulated_kv.ts";
import { type SimulatedSite, simulatedSite } from "../../support/harness/simulated_site.ts";
import { assertFoundIsShown, assertTrue, settle } from "./site_checks.ts";
import { CHOICES, EXTRA_INPUT, openSiteFixture, type SiteFixture, tagsOf } from "./site_fixture.ts";

/** Actions while processes die and stores fail, and actions after that, each of them alone. */
const ACTIONS = 30;
const ACTIONS_ALONE = 4;
/** Pictures that get another name while lists show them and the pages of their documents are still to come. */
const RENAMED = 4;
/** A user who waits for the result of each action. */
const PERSON = "01JD0000000000000000000001";
/** Documents that are published at once. */
const MANY = 12;
/** Changes of how everything looks, by the number of the action: another theme comes, and goes while jobs are left. */
const CHANGES_OF_LOOK: Record<number, (n: number, icon: string) => Record<string, Json>> = {
  7: (n, icon) => ({ "site.title": `Site ${n}`, "site.icon": icon }),
  13: () => ({ "theme.active": "other" }),
  21: () => ({ "theme.active": null }),
  26: () => ({ "theme.active": "other" }),
};
/** Longer than a job of an idle site takes, shorter than the lease of a process that has died. */
const JOB_MS = 4_000;

/** Does something to the site; what its state does not allow is left. */
async function act(fixture: SiteFixture, random: () => number, n: number): Promise<void> {
  const { client: { content, context }, ids, subjects, media, harness } = fixture;
  const medium = media[Math.floor(random() * media.length)]!;
  const id = ids[Math.floor(random() * ids.length)]!;
  // What a person does is published before what programs do.
  const actor = { userId: random() < 0.5 ? null : PERSON };
  const actions: (() => Promise<unknown>)[] = [
    () => publishDocument(content, actor, id),
    () => unpublishDocument(content, actor, id),
    () => patchDocument(content, actor, id, { title: `Title ${n}` }),
    () => patchDocument(content, actor, id, { slug: `slug-${n}` }),
    () => trashDocument(content, actor, id),
    () => untrashDocument(content, actor, id),
    () => restoreSomeVersion(fixture, id, random),
    () => publishMany(fixture, random),
    () => patchDocument(content, UNATTENDED, id, { lead: `changed ${n}` }),
    () => patchDocument(content, UNATTENDED, id, { extra: `hidden again ${n}` }),
    () => changeField(content, random),
    ...Array(5).fill(() => {
      const tags = tagsOf(Math.floor(random() * 1_000), subjects);
      return patchDocument(content, UNATTENDED, id, tags as never);
    }),
    () => patchDocument(content, UNATTENDED, id, { cover: medium }),
    () => {
      const author = subjects[Math.floor(random() * subjects.length)]!;
      return patchDocument(content, UNATTENDED, id, { author });
    },
    () => patchMedia(context, UNATTENDED, medium, { filename: `renamed-${n}.png` }),
    ...Array(2).fill(() => {
      const subject = subjects[Math.floor(random() * subjects.length)]!;
      return changeSubject(fixture, subject, n, random);
    }),
    ...Array(3).fill(() => withdrawWhileShown(fixture, id)),
  ];
  const change = CHANGES_OF_LOOK[n]?.(n, media[0]!);
  const work = change !== undefined
    ? () => new Settings(context).patch(UNATTENDED, change)
    : actions[Math.floor(random() * actions.length)]!;
  await harness.run(
    work().catch(ignoreRefusal),
  );
}

/** A document is what one of its versions says again. */
async function restoreSomeVersion(
  { client: { content, context } }: SiteFixture,
  id: string,
  random: () => number,
): Promise<unknown> {
  const rows = await context.store.listAll<VersionRow>({ prefix: versionPrefix("document", id) });
  const { value } = rows[Math.floor(random() * rows.length)]!;
  const restoring = { content, access: new AccessSource(context) };
  return await restoreVersion(restoring, { userId: PERSON }, value!.vid);
}

/** Several documents at once: their jobs go forward side by side. */
async function publishMany(
  { client: { content }, ids }: SiteFixture,
  random: () => number,
): Promise<unknown> {
  const start = Math.floor(random() * ids.length);
  return await Promise.all(
    ids.slice(start, start + MANY).map((id) => {
      return publishDocument(content, UNATTENDED, id).catch(ignoreRefusal);
    }),
  );
}

/**
 * A document that others are tagged with, or that made them, gets another name, picture or place, or leaves and comes
 * back.
 */
function changeSubject(
  { client: { content }, media }: SiteFixture,
  id: string,
  n: number,
  random: () => number,
): Promise<unknown> {
  const luck = random();
  if (luck < 0.15) return patchDocument(content, UNATTENDED, id, { title: `Subject ${n}` });
  if (luck < 0.3) {
    const cover = media[Math.floor(random() * media.length)] ?? null;
    return patchDocument(content, UNATTENDED, id, { cover: luck < 0.18 ? null : cover });
  }
  if (luck < 0.6) return patchDocument(content, UNATTENDED, id, { slug: `subject-${n % 3}` });
  if (luck < 0.8) return unpublishDocument(content, UNATTENDED, id);
  return publishDocument(content, UNATTENDED, id);
}

/** A field goes, comes back without its values, or gets another name. */
function changeField(content: SimulatedSite["content"], random: () => number): Promise<unknown> {
  const slug = random() < 0.7 ? "posts" : "notes";
  const luck = random();
  if (luck < 0.5) return removeField(content, UNATTENDED, slug, "extra");
  if (luck < 0.7) return createField(content, UNATTENDED, slug, EXTRA_INPUT!);
  if (luck < 0.85) {
    const choices = luck < 0.78 ? CHOICES : CHOICES.filter((one) => one !== "C");
    return patchField(content, UNATTENDED, "posts", "topics", { options: { choices } } as never);
  }
  return patchField(content, UNATTENDED, slug, "lead", { label: `Lead ${luck}` });
}

/** A document leaves the public while another one that shows it, since just now, is published. */
async function withdrawWhileShown(
  { client: { content }, ids, harness }: SiteFixture,
  id: string,
): Promise<void> {
  const shown = ids[Math.floor(harness.random() * ids.length)]!;
  const work = [
    () => publishDocument(content, UNATTENDED, shown),
    () => unpublishDocument(content, UNATTENDED, id),
    () => patchDocument(content, UNATTENDED, id, { related: shown }),
    () => publishDocument(content, UNATTENDED, id),
    () => unpublishDocument(content, UNATTENDED, shown),
  ];
  for (const one of work) {
    await one().catch(ignoreRefusal);
    await harness.sleep(harness.random() * 300);
  }
}

/**
 * A picture gets another name after a process has died that would have made the page of the document that has
 * it, or whose author has it, and after lists have shown it. Nothing else is under way.
 */
async function renameWhileListed(
  fixture: SiteFixture,
  random: () => number,
  n: number,
): Promise<void> {
  const { harness, kv, outside, objects, ids, client: { content, context } } = fixture;
  const at = Math.floor(random() * (ids.length - 1));
  const [id, beside] = [ids[at]!, ids[at + 1]!];
  const write = (work: Promise<unknown>) => harness.run(work.catch(ignoreRefusal));
  const runs = async (plan: KvPlan) => {
    const one = simulatedSite(harness, kv, outside, { objects, plan });
    one.siteRunner().start();
    await harness.pass(JOB_MS);
    one.process.kill();
  };
  const medium = await harness.run(createCover(context, n));
  await write(unpublishDocument(content, UNATTENDED, id));
  await write(publishDocument(content, UNATTENDED, beside));
  const isPortrait = n % 2 === 1;
  const shown = isPortrait
    ? { author: await createSubject(fixture, medium, n), cover: null }
    : { cover: medium };
  await settle(fixture);
  await write(patchDocument(content, UNATTENDED, id, shown));
  await write(publishDocument(content, UNATTENDED, id));
  const isOfPage = ({ touches }: Operation) =>
    touches.some(([kind, of]) => kind === "page_guard" && of === id);
  await runs(({ operation }) => operation && isOfPage(operation) ? "die_before" : "none");
  await write(patchDocument(content, UNATTENDED, beside, { title: `Beside ${n}` }));
  await runs(() => "none");
  await write(patchMedia(context, UNATTENDED, medium, { filename: `meanwhile-${n}.png` }));
  await runs(() => "none");
  await settle(fixture);
}

/** An author whom lists and other pages name gets another name and another picture. */
async function renameAuthor(fixture: SiteFixture): Promise<void> {
  const { harness, client: { content }, subjects: [author], media } = fixture;
  await harness.run(publishDocument(content, UNATTENDED, author!).catch(ignoreRefusal));
  await settle(fixture);
  const change = { title: "Renamed", cover: media[1]! };
  await harness.run(patchDocument(content, UNATTENDED, author!, change).catch(ignoreRefusal));
  await settle(fixture);
}

/** An author without documents, with a picture. */
async function createSubject(
  { harness, client: { content } }: SiteFixture,
  cover: string,
  n: number,
): Promise<string> {
  const body = { title: `Somebody ${n}`, cover, status: "published" } as never;
  return (await harness.run(createDocument(content, UNATTENDED, "subjects", body))).state.id;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

/**
 * Runs one seed; throws when something that must hold does not. Returns how many hits its searches had.
 */
export async function simulateSite(seed: number): Promise<number> {
  const fixture = await openSiteFixture(seed);
  const { harness, kv, outside, objects } = fixture;
  const random = seededRandom(seed);
  const plan: KvPlan = (call) => {
    const luck = random();
    if (luck > 0.83) return "slow";
    if (luck > 0.03) return "none";
    if (luck < 0.004) return random() < 0.5 ? "die_before" : "die_after";
    return anyFailure(call, random);
  };
  const born = () => {
    const faulty = new FaultyObjects(objects, () => random() < 0.05 ? "before" : "none");
    const one = simulatedSite(harness, kv, outside, { objects: faulty, plan });
    one.siteRunner().start();
    return one;
  };
  const processes = [born(), born()];
  let hits = 0;
  for (let n = 0; n < ACTIONS; n++) {
    await act(fixture, random, n);
    hits += await assertFoundIsShown(fixture);
    await harness.pass(random() < 0.3 ? 3_000 * random() : 0);
    processes.forEach((one, index) => {
      if (!one.process.alive) processes[index] = born();
    });
  }
  for (const { process } of processes) process.kill();
  await settle(fixture);
  await assertTrue(fixture, `seed ${seed}`);
  for (let n = 0; n < RENAMED; n++) await renameWhileListed(fixture, random, n);
  await assertTrue(fixture, `seed ${seed}, renamed`);
  for (let n = 0; n < ACTIONS_ALONE; n++) {
    await act(fixture, random, ACTIONS + n);
    await settle(fixture);
    await assertTrue(fixture, `seed ${seed}, action ${n} alone`);
  }
  const { client: { context }, media: [icon] } = fixture;
  await harness.run(patchMedia(context, UNATTENDED, icon!, { filename: "icon.png" }));
  await settle(fixture);
  await assertTrue(fixture, `seed ${seed}, icon renamed`);
  const settings = new Settings(context);
  const isOther = await harness.run(settings.get("theme.active")) !== null;
  const change = { "theme.active": isOther ? null : "other" };
  await harness.run(settings.patch(UNATTENDED, change));
  await settle(fixture);
  await assertTrue(fixture, `seed ${seed}, theme changed`);
  // In the theme whose pages lead on to other documents.
  await harness.run(settings.patch(UNATTENDED, { "theme.active": null }));
  await renameAuthor(fixture);
  await assertTrue(fixture, `seed ${seed}, author renamed`);
  return hits;
}
