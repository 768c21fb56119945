/**
 * Every document against what is derived from it: its newest version, its reservations, its references.
 *
 * @module
 */
import { stageReferences } from "../documents/reference_rows.ts";
import { reservationMoves } from "../documents/reservations.ts";
import { addScheduleJob, scheduledJobId, scheduledTimes } from "../documents/schedule_jobs.ts";
import { zip } from "../model/primitives/zip.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { isFinished } from "../jobs/job.ts";
import { findJob } from "../jobs/jobs.ts";
import { currentPrefix, type Key, versionKey } from "../keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { postingNames } from "../search/languages/language_posting.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Check, DoctorOptions, Finding } from "./finding.ts";

/** A document as the pass over all of them has seen it. */
export interface SeenDocument {
  n: number;
  /** Epoch seconds of its newest version. */
  at: number;
  collectionId: string;
  published: boolean;
  /** Its postings in languages; absent for none. */
  postings?: string[];
}

/** Examines every document; `seen` is filled with what the other checks compare with. */
export async function* checkDocuments(
  { content }: DoctorOptions,
  seen: Map<string, SeenDocument>,
): AsyncGenerator<Finding> {
  const { context } = content;
  const { byId } = await content.schema.current();
  for await (const entry of context.store.list<CurrentRow>({ prefix: currentPrefix("document") })) {
    if (entry.value === null || entry.value.gone) continue;
    const id = entry.key[2] as string;
    const head = await readHead(context, "document", id, entry.key, entry).catch((error) =>
      error as Error
    );
    if (head instanceof Error) {
      yield { check: "states", subject: `document ${id}`, problem: head.message };
      continue;
    }
    if (head.row === null || head.state === null) continue;
    const { row, state } = head;
    const { collectionId } = state;
    const collection = byId.get(collectionId);
    const postings = collection === undefined ? [] : postingNames(collection, state);
    seen.set(id, {
      n: row.n,
      at: row.at,
      collectionId,
      published: state.status === "published",
      ...(postings.length > 0 && { postings }),
    });
    const newest = await context.store.get(versionKey("document", id, row.n));
    if (newest.value === null) {
      const problem = `version ${row.n} is missing`;
      yield { check: "states", subject: `document ${id}`, problem };
    }
    if (collection === undefined) continue;
    yield* checkReserved(content, head.entry, state, collection);
    yield* checkReferences(content, head.entry, state);
    yield* checkSchedule(content, head.entry, state);
  }
}

async function* checkReserved(
  { context: { store } }: DoctorOptions["content"],
  current: Entry<CurrentRow>,
  state: DocumentState,
  collection: Collection,
): AsyncGenerator<Finding> {
  const reserved = reservationMoves({ collection, before: null, after: state }).flatMap(
    ({ field, wanted, language }): [Check, Key, string][] => {
      if (wanted === null) return [];
      if (field !== "slug") return [["unique values", wanted, `value of ${field}`]];
      const slug = `slug "${String(wanted.at(-1))}"`;
      return [["slugs", wanted, language === undefined ? slug : `${slug} in ${language}`]];
    },
  );
  const entries = await store.getMany(reserved.map(([, key]) => key)) as Entry<string>[];
  for (const [[check, key, what], entry] of zip(reserved, entries)) {
    if (entry.value === state.id) continue;
    const subject = `document ${state.id}`;
    if (entry.value !== null) {
      yield { check, subject, problem: `its ${what} is reserved by document ${entry.value}` };
      continue;
    }
    const repair = async () => {
      const operation = new Operation().check(current).check(entry).set(key, state.id);
      return (await store.commit(operation)).ok;
    };
    yield { check, subject, problem: `its ${what} is not reserved`, repair };
  }
}

async function* checkReferences(
  { context: { store } }: DoctorOptions["content"],
  current: Entry<CurrentRow>,
  state: DocumentState,
): AsyncGenerator<Finding> {
  const operation = new Operation();
  stageReferences(operation, state.id, null, state);
  const rows = await store.getMany(operation.sets.map(({ key }) => key));
  const missing = rows.filter(({ value }) => value === null).length;
  if (missing === 0) return;
  const subject = `document ${state.id}`;
  const repair = async () => (await store.commit(operation.check(current))).ok;
  yield {
    check: "references",
    subject,
    problem: `${missing} of its references are not listed`,
    repair,
  };
}

/** A time without a job never comes: a document would stay public after its end, or scheduled forever. */
async function* checkSchedule(
  { context }: DoctorOptions["content"],
  current: Entry<CurrentRow>,
  state: DocumentState,
): AsyncGenerator<Finding> {
  const { store } = context;
  for (const time of scheduledTimes(state)) {
    const job = await findJob(store, scheduledJobId(state.id, time));
    if (job !== null && !isFinished(job.state)) continue;
    // The job may have ended with a change of the document after it was read.
    if ((await store.get(current.key)).versionstamp !== current.versionstamp) return;
    const [change, seconds] = "publishAt" in time
      ? ["is to be published", time.publishAt]
      : ["is to be unpublished", time.unpublishAt];
    const at = new Date(seconds * 1_000).toISOString();
    const repair = async () => {
      const operation = new Operation().check(current);
      addScheduleJob(operation, context, state.id, time);
      return (await store.commit(operation)).ok;
    };
    yield {
      check: "schedules",
      subject: `document ${state.id}`,
      problem: `it is ${state.status} and ${change} at ${at}, but no job does it`,
      repair,
    };
  }
}
