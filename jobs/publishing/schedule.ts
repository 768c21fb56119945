/**
 * SCHEDULE: publishes a document at its time, or ends its publication, without a user. A document that is
 * still incomplete at that time returns to draft, and its history says why. Each job decides over the whole
 * state: when both times have passed, the result is the same whichever of the two jobs runs first.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { afterDueTimes, translationAfterDueTimes } from "../../kv/documents/due_times.ts";
import {
  incompleteTranslation,
  publishedTranslation,
} from "../../kv/documents/translations/translation_status.ts";
import { type ScheduledTime, scheduledTimes, secondsOf } from "../../kv/documents/schedule_jobs.ts";
import { schemaOf, stageDocument } from "../../kv/documents/write.ts";
import { documentHead, refuseIncomplete } from "../../kv/documents/documents.ts";
import { type DocumentState, published } from "../../kv/model/entities/document.ts";
import { translationOf, withTranslation } from "../../kv/model/languages/translation.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { detailLines, Refusal } from "../../kv/refusals.ts";
import { readOpenReleases } from "../../kv/versioning/open_releases.ts";
import type { Transaction } from "../../kv/versioning/transaction.ts";
import { versionedWrite } from "../../kv/versioning/versioned_write.ts";
import { REASONS_CHARS_MAX, RELEASE_WAIT_MS_MAX } from "../limits.ts";
import {
  finish,
  giveUp,
  type JobKind,
  jobKind,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";

const SUPERSEDED = finish({ note: "The document is no longer scheduled for this time" });

/** How often the step looks again for a release that is due before it, milliseconds. */
const RELEASE_LOOK_MS = 500;

/** The kind of job that publishes a document at its time, and unpublishes it at its end. */
export function scheduleKind(content: Content): JobKind<"SCHEDULE"> {
  return jobKind("SCHEDULE", {
    publish: async (work) => {
      const { context, cursor, payload } = work;
      const time = secondsOf(payload);
      const now = context.now();
      if (Math.floor(now / 1000) < time) return waitUntil(time * 1000);
      const since = cursor?.since ?? now;
      const isPatient = now - since < RELEASE_WAIT_MS_MAX;
      const release = isPatient ? await dueRelease(content, payload.documentId) : null;
      if (release !== null && release < time) return waitUntil(now + RELEASE_LOOK_MS, { since });
      return await versionedWrite(
        context,
        UNATTENDED,
        (transaction) => {
          const until = Math.min(transaction.at, release ?? Infinity);
          return applyDueTimes(content, transaction, work, { time: payload, until });
        },
      );
    },
  });
}

type Outcome = OutcomeOf<"SCHEDULE", "publish">;

/** The time of the scheduled release that has the document; null for none. Later times are decided after it. */
async function dueRelease({ context }: Content, documentId: string): Promise<number | null> {
  const open = await readOpenReleases(context);
  const release = open.find(({ state, documents }) =>
    state === "scheduled" && documents.some((document) => document.documentId === documentId)
  );
  return release?.publishAt ?? null;
}

async function applyDueTimes(
  content: Content,
  transaction: Transaction,
  work: Work<"SCHEDULE">,
  { time, until }: { time: ScheduledTime; until: number },
): Promise<Outcome> {
  const found = await dueDocument(content, transaction, work);
  if (found === null || !awaits(found.state, time)) return SUPERSEDED;
  const { language } = time;
  if (language !== undefined) {
    return await applyLanguageTimes(content, transaction, work, { found, time, until, language });
  }
  const { schema, state, collection, at } = found;
  const { state: next, passed } = afterDueTimes(state, until);
  // The job ends only with its own time; the clock may have gone backward since the job was found due.
  if (!passed.some((one) => isSameTime(one, time))) return waitUntil(secondsOf(time) * 1_000);
  if (next.status !== "published") {
    return await found.stage({ ...next, updatedAt: at }, summaryOf(state, next));
  }
  const publication = published(next, at);
  const reason = await reasonAgainst(
    () => refuseIncomplete(transaction, publication, collection, schema),
  );
  if (reason === null) return await found.stage(publication, "Published on schedule");
  const draft: DocumentState = { ...state, status: "draft", publishAt: null, updatedAt: at };
  const summary = `Not published on schedule: ${reason}`;
  const { head } = found;
  await stageDocument(transaction, content, {
    collection,
    head,
    after: draft,
    options: { summary },
  });
  return work.commitWith(transaction.operation, giveUp(summary));
}

/** The same for the times of a translation. */
async function applyLanguageTimes(
  content: Content,
  transaction: Transaction,
  work: Work<"SCHEDULE">,
  { found, time, until, language }: {
    found: DueDocument;
    time: ScheduledTime;
    until: number;
    language: string;
  },
): Promise<Outcome> {
  const { schema, state, collection, head, at } = found;
  const before = translationOf(state, language);
  const { translation, passed } = translationAfterDueTimes(state, language, until);
  if (before === undefined || translation === undefined) return SUPERSEDED;
  if (!passed.some((one) => isSameTime(one, time))) return waitUntil(secondsOf(time) * 1_000);
  if (translation.status !== "published") {
    const next = withTranslation(state, language, { ...translation, updatedAt: at });
    return await found.stage(next, `${language}: schedule ended`);
  }
  const details = await incompleteTranslation(
    transaction,
    schema,
    collection,
    state,
    language,
    translation,
  );
  if (details.length === 0) {
    const next = withTranslation(state, language, publishedTranslation(translation, at));
    return await found.stage(next, `Published on schedule: ${language}`);
  }
  const reasons = detailLines(details).join("; ");
  const summary = `Not published on schedule: ${reasons.slice(0, REASONS_CHARS_MAX)}`;
  const draft = { ...before, status: "draft" as const, publishAt: null, updatedAt: at };
  const after = withTranslation(state, language, draft);
  await stageDocument(transaction, content, { collection, head, after, options: { summary } });
  return work.commitWith(transaction.operation, giveUp(summary));
}

/** Whether a time is still one that the document waits for. */
function awaits(state: DocumentState, time: ScheduledTime): boolean {
  return scheduledTimes(state).some((one) => isSameTime(one, time));
}

function isSameTime(one: ScheduledTime, other: ScheduledTime): boolean {
  return one.language === other.language &&
    "publishAt" in one === "publishAt" in other && secondsOf(one) === secondsOf(other);
}

function summaryOf(before: DocumentState, after: DocumentState): string {
  if (before.status === "published") return "Unpublished on schedule";
  return after.status === "scheduled"
    ? "The end of the publication passed before it began"
    : "Not published on schedule: its publication had already ended";
}

/** A document whose time has come. */
type DueDocument = NonNullable<Awaited<ReturnType<typeof dueDocument>>>;

/** The document of a schedule, with the time of its change; null when it is gone. */
async function dueDocument(
  content: Content,
  transaction: Transaction,
  { payload, commitWith }: Work<"SCHEDULE">,
) {
  const schema = await schemaOf(transaction, content);
  const found = await documentHead(transaction, content, schema, payload.documentId).catch(
    nullIfGone,
  );
  if (found === null) return null;
  const { collection, head } = found;
  /** Writes the document as it is from now on, and ends the step in the same commit. */
  const stage = async (next: DocumentState, summary: string): Promise<Outcome> => {
    const options = { summary, class: "scheduled" as const };
    const write = { collection, head, after: next, options };
    const { jobId } = await stageDocument(transaction, content, write);
    return commitWith(transaction.operation, finish({ jobId }));
  };
  return { ...found, schema, at: Math.max(transaction.at, head.row.at), stage };
}

function nullIfGone(error: unknown): null {
  if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
  throw error;
}

/** Why a document may not be public; null when it may. */
async function reasonAgainst(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.facts.details === undefined) throw error;
    return detailLines(error.facts.details).join("; ").slice(0, REASONS_CHARS_MAX);
  }
}
