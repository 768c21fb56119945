/**
 * SCHEMA: applies pushed files to the schema. The definitions change in one commit; changes of types follow as
 * jobs of their own, which it waits for.
 *
 * @module
 */
import { isFinished } from "../../kv/jobs/job.ts";
import { findJob } from "../../kv/jobs/jobs.ts";
import type { Content } from "../../kv/documents/content.ts";
import type { Actor } from "../../kv/model/entities/entity.ts";
import { detailLines, Refusal } from "../../kv/refusals.ts";
import { applyDefinitions, beginConversion } from "../../kv/schema/files/schema_apply.ts";
import { walkDocuments } from "../../kv/documents/document_walk.ts";
import { schemaMigrationKey } from "../../kv/keys.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import {
  applyValueStep,
  collectionOfStep,
  parseMigrations,
  pendingMigrations,
} from "../../kv/schema/files/value_steps.ts";
import { parseSchemaFiles, schemaTag } from "../../kv/schema/files/schema_files.ts";
import { findPush, savePush } from "../../kv/schema/files/schema_push.ts";
import {
  again,
  finish,
  giveUp,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";

/** How often the job of a conversion is checked, milliseconds. */
const POLL_INTERVAL_MS = 500;
/** Documents changed in one step; the job can be stopped between steps. */
const DOCUMENTS_PER_STEP = 200;
/** The cursor after a change that needs no job. */
const NO_JOB = "";

/** The kind of job that applies files. */
export function schemaKind(content: Content): JobKind<"SCHEMA"> {
  const { context } = content;
  return jobKind("SCHEMA", {
    definitions: async ({ payload }) => {
      const push = await findPush(context, payload.pushId);
      if (push === null) return giveUp("The push is not kept any more");
      try {
        return next({ changes: await applyDefinitions(content, actorOf(payload), push) });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === "UNAVAILABLE") throw error;
        return giveUp(reasonOf(error));
      }
    },
    conversions: async ({ payload, cursor }) => {
      const job = cursor ? await findJob(context.store, cursor) : null;
      if (job?.state === "failed") return giveUp(job.error ?? "A conversion failed");
      if (job !== null && !isFinished(job.state)) {
        return waitUntil(context.now() + POLL_INTERVAL_MS, job.id);
      }
      const push = await findPush(context, payload.pushId);
      if (push === null) return finish();
      const begun = await beginConversion(content, actorOf(payload), push.files);
      if (begun === null) return next();
      return again(begun === "done" ? NO_JOB : begun.jobId);
    },
    migrations: (work) => migrations(content, work),
    record: async ({ payload }) => {
      const push = await findPush(context, payload.pushId);
      const etag = schemaTag(await content.schema.current());
      if (push !== null) await savePush(context, payload.pushId, { ...push, after: etag });
      return next({ etag });
    },
  });
}

/** Carries out the steps of files that have not run yet, some documents at a time. */
async function migrations(
  content: Content,
  { context, payload, cursor, operation, signal }: Work<"SCHEMA", "migrations">,
): Promise<OutcomeOf<"SCHEMA", "migrations">> {
  const push = await findPush(context, payload.pushId);
  if (push === null) return next();
  const files = parseMigrations(push.files, parseSchemaFiles(push.files));
  const [file] = await pendingMigrations(content, files);
  if (file === undefined) return next();
  const { path, hash, steps } = file;
  const at = cursor?.path === path ? cursor : { path, step: 0, after: "start" as const };
  const step = steps[at.step];
  const schema = await content.schema.current();
  const collection = step && collectionOfStep(schema, step);
  if (step === undefined || collection === undefined) {
    operation.set(schemaMigrationKey(path), hash);
    return again({ path: "", step: 0, after: "start" });
  }
  const portion = await walkDocuments(content, collection, STATUSES, at.after, DOCUMENTS_PER_STEP);
  for (const id of portion.ids) {
    signal.throwIfAborted();
    await applyValueStep(content, actorOf(payload), step, id);
  }
  return portion.next === null
    ? again({ path, step: at.step + 1, after: "start" })
    : again({ path, step: at.step, after: portion.next });
}

function actorOf({ userId, via }: { userId: string | null; via: string | null }): Actor {
  return { userId, ...(via !== null && { via }) };
}

function reasonOf({ message, facts: { details } }: Refusal): string {
  return [message, ...detailLines(details)].join("; ");
}
