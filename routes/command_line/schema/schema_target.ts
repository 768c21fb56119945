/**
 * Where `cms schema` reads and writes a schema: a service at an address, or the local store.
 *
 * @module
 */
import { z } from "zod";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { type SchemaFiles, schemaFiles, schemaTag } from "../../../kv/schema/files/schema_files.ts";
import {
  beginPush,
  beginRevert,
  checkPush,
  diffSchema,
} from "../../../kv/schema/files/schema_push.ts";
import { type SiteFile, siteFiles, type SiteSources } from "../../admin/structure/site_files.ts";
import { finishedJob } from "../../../jobs/run_now.ts";
import type { Runner } from "../../../jobs/runner/runner.ts";
import { RemoteRefusal, type RemoteService } from "../remote/remote_service.ts";

/** How often a job is looked at, milliseconds. */
const POLL_INTERVAL_MS = 500;

const State = z.object({ etag: z.string(), files: z.record(z.string(), z.json()) });
const Operations = z.object({
  etag: z.string(),
  operations: z.array(z.object({ line: z.string(), isRemoval: z.boolean(), lost: z.number() })),
});
const Begun = z.object({ id: z.string(), jobId: z.string() });
const JobState = z.object({ state: z.string(), error: z.string().nullable() });

/** A schema and its files. */
export type TargetState = z.infer<typeof State>;

/** The operations of files on a schema. */
export type TargetOperations = z.infer<typeof Operations>;

/** Options of a push. */
export interface TargetPush {
  etag: string | null;
  allowLoss: boolean;
  delete: boolean;
  dryRun: boolean;
}

/** A place with a schema. */
export interface SchemaTarget {
  /** Under which name the lock keeps its tag. */
  name: string;
  pull(also?: readonly SiteFile[]): Promise<TargetState>;
  diff(files: SchemaFiles): Promise<TargetOperations>;
  /** Applies files, and waits for it; the id of the push is null if there was nothing to do. */
  push(
    files: SchemaFiles,
    options: TargetPush,
  ): Promise<TargetOperations & { id: string | null }>;
  /** Undoes a push, and waits for it. */
  revert(id: string): Promise<void>;
}

/** The service at an address. */
export function remoteTarget(name: string, service: RemoteService): SchemaTarget {
  const finish = async (jobId: string) => {
    for (;;) {
      const { state, error } = await service.ask("GET", `/schema/jobs/${jobId}`, JobState);
      if (state === "done") return;
      if (state === "failed") throw new RemoteRefusal(200, [error ?? "The job failed"]);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  };
  return {
    name,
    pull: (also = []) =>
      service.ask("GET", `/schema${also.length > 0 ? `?with=${also.join(",")}` : ""}`, State),
    diff: (files) => service.ask("POST", "/schema/diff", Operations, { files }),
    async push(files, options) {
      const Answer = Operations.and(Begun.partial());
      const { id, jobId, ...found } = await service.ask("POST", "/schema/push", Answer, {
        files,
        ...options,
      });
      if (jobId !== undefined) await finish(jobId);
      return { ...found, id: id ?? null };
    },
    async revert(id) {
      const { jobId } = await service.ask(
        "POST",
        `/schema/pushes/${encodeURIComponent(id)}/revert`,
        Begun,
      );
      await finish(jobId);
    },
  };
}

/** The store of this process. */
export function localTarget(
  { content, people }: SiteSources,
  runner: Pick<Runner, "drain">,
): SchemaTarget {
  const finish = async (jobId: string) => {
    const { state, error } = await finishedJob(content.context, runner, jobId);
    if (state === "failed") throw new RemoteRefusal(200, [error ?? "The job failed"]);
  };
  return {
    name: "local",
    async pull(also = []) {
      const schema = await content.schema.current();
      const files = { ...schemaFiles(schema), ...await siteFiles({ content, people }, also) };
      return { etag: schemaTag(schema), files };
    },
    diff: (files) => diffSchema(content, files),
    async push(files, { etag, allowLoss, delete: allowRemovals, dryRun }) {
      const found = await checkPush(content, UNATTENDED, files, { etag, allowLoss, allowRemovals });
      if (dryRun || found.operations.length === 0) return { ...found, id: null };
      const { id, jobId } = await beginPush(content, UNATTENDED, files, found.etag);
      await finish(jobId);
      return { ...found, id };
    },
    async revert(id) {
      await finish((await beginRevert(content, UNATTENDED, id)).jobId);
    },
  };
}
