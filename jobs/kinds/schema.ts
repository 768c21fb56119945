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
import { Refusal } from "../../kv/refusals.ts";
import { applyDefinitions, beginConversion } from "../../kv/schema/files/schema_apply.ts";
import { schemaTag } from "../../kv/schema/files/schema_files.ts";
import { findPush, savePush } from "../../kv/schema/files/schema_push.ts";
import {
  again,
  finish,
  giveUp,
  type JobKind,
  jobKind,
  next,
  waitUntil,
} from "../runner/job_kind.ts";

/** How often a conversion is looked at, milliseconds. */
const POLL_INTERVAL_MS = 500;
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
        return next({ changes: await applyDefinitions(content, actorOf(payload), push.files) });
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
    record: async ({ payload }) => {
      const push = await findPush(context, payload.pushId);
      const etag = schemaTag(await content.schema.current());
      if (push !== null) await savePush(context, payload.pushId, { ...push, after: etag });
      return next({ etag });
    },
  });
}

function actorOf({ userId, via }: { userId: string | null; via: string | null }): Actor {
  return { userId, ...(via !== null && { via }) };
}

function reasonOf({ message, facts: { details = [] } }: Refusal): string {
  return [message, ...details.map((detail) => `${detail.field}: ${detail.message}`)].join("; ");
}
