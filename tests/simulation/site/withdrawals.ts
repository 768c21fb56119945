/**
 * Documents leave the public while others that show them are rendered, by processes whose calls may take
 * seconds: in the end no page says anything of what is not published.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createDocument, trashDocument } from "../../../kv/documents/documents.ts";
import {
  publishDocument,
  unpublishDocument,
  untrashDocument,
} from "../../../kv/documents/status.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { pagePrefix } from "../../../kv/pages/page_keys.ts";
import { type PageRow, readPageBody } from "../../../kv/pages/pages.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
} from "../../support/harness/simulated_site.ts";

/** Longer than it takes to take a document out of public, shorter than a lease. */
const DELAY_MS = 9_000;
const SHOWN = 3;
const REFERRERS = 6;
const ROUNDS = 8;

interface Fixture {
  harness: Harness;
  kv: SimulatedKv;
  /** Each finds the jobs of its own writes at once, those of the other after a while. */
  slow: SimulatedSite;
  fast: SimulatedSite;
  /** Documents that others show, by their secret titles. */
  shown: { id: string; title: string }[];
  referrers: string[];
}

async function openFixture(harness: Harness, kv: SimulatedKv, outside: Outside): Promise<Fixture> {
  const fast = simulatedSite(harness, kv, outside);
  const { objects } = fast.context;
  const { content } = fast;
  const related = { name: "related", type: "reference", label: "Related" };
  const fields = [{ ...related, options: { collection: "posts" } }];
  const collection = parseCollection({ slug: "posts", name: "Posts", fields } as never);
  await harness.run(createCollection(content, UNATTENDED, collection));
  const create = async (body: Record<string, unknown>) =>
    (await harness.run(createDocument(content, UNATTENDED, "posts", body as never))).state.id;
  const shown: Fixture["shown"] = [];
  for (let n = 0; n < SHOWN; n++) {
    const title = `Secret merger ${n}`;
    shown.push({ title, id: await create({ title, status: "published" }) });
  }
  const referrers: string[] = [];
  for (let n = 0; n < REFERRERS; n++) {
    referrers.push(await create({ title: `Front ${n}`, related: shown[n % SHOWN]!.id }));
  }
  const slow = simulatedSite(harness, kv, outside, { objects });
  delaySome(slow, harness);
  for (const site of [slow, fast]) site.siteRunner().start();
  return { harness, kv, slow, fast, shown, referrers };
}

/** Lets some calls of a process take long, at a time; signs of life go on. */
function delaySome({ driver, process }: SimulatedSite, harness: Harness): void {
  const { getMany, commit } = driver;
  const delay = async () => {
    if (harness.chance(0.1)) await process.sleep(DELAY_MS * harness.random());
  };
  driver.getMany = async (keys) => {
    await delay();
    return await getMany.call(driver, keys);
  };
  driver.commit = async (operation: Operation) => {
    if (!operation.sets.some(({ key }) => key[0] === "job_beat")) await delay();
    return await commit.call(driver, operation);
  };
}

/** Publishes an unpublished document again, and withdraws a document that it shows shortly afterwards. */
async function withdrawWhileShown(fixture: Fixture): Promise<void> {
  const { slow, fast: { content }, harness, shown, referrers } = fixture;
  const at = Math.floor(harness.random() * referrers.length);
  const { id } = shown[at % SHOWN]!;
  const takeAway = harness.chance(0.5) ? unpublishDocument : trashDocument;
  await attempt(fixture, () => untrashDocument(content, UNATTENDED, id));
  await attempt(fixture, () => publishDocument(content, UNATTENDED, id));
  await attempt(fixture, () => unpublishDocument(slow.content, UNATTENDED, referrers[at]!));
  await harness.pass(harness.random() * 20_000);
  await attempt(fixture, () => publishDocument(slow.content, UNATTENDED, referrers[at]!));
  await harness.pass(harness.random() * 2_000);
  await attempt(fixture, () => takeAway(content, UNATTENDED, id));
  await harness.pass(harness.random() * 5_000);
}

/** What the state of a document does not allow is left. */
async function attempt({ harness }: Fixture, work: () => Promise<unknown>): Promise<void> {
  await harness.run(
    work().catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    }),
  );
}

/** Answers how many pages there are. */
async function assertNothingSecret({ fast, harness, kv, shown }: Fixture): Promise<number> {
  const { publishing: { reader }, context } = fast;
  const secret: string[] = [];
  for (const { id, title } of shown) {
    const stored = await harness.run(reader.find(id));
    if (stored?.state.status !== "published") secret.push(title);
  }
  const pages = kv.dump(pagePrefix);
  for (const { key, value } of pages) {
    const body = await harness.run(readPageBody(context, value as PageRow));
    const text = new TextDecoder().decode(body!);
    for (const title of secret) assert(!text.includes(title), `${key[1]} says ${title}`);
  }
  return pages.length;
}

/** Runs one seed; throws when a page shows what is not public. Answers how many pages were looked at. */
export async function simulateWithdrawals(seed: number): Promise<number> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const fixture = await openFixture(harness, kv, outside);
  for (let n = 0; n < ROUNDS; n++) {
    await withdrawWhileShown(fixture);
  }
  for (let minute = 0; minute < 60 && kv.dump(duePrefix).length > 0; minute++) {
    await harness.pass(60_000);
  }
  assertEquals(kv.dump(duePrefix).map(({ key }) => key), []);
  return await assertNothingSecret(fixture);
}
