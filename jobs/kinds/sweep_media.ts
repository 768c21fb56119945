/**
 * SWEEP_MEDIA: removes media whose retention is over, and objects that nothing refers to and that are
 * older than a day, in bounded chunks that may be repeated.
 *
 * An object becomes needed only by a commit. What such a commit may refer to is either younger than a
 * day, or named by a version that is there already, or by the row of a digest; so the versions are read
 * first, then the rows, and a row goes (unless it changed since) before its object does.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { type CurrentRow, type VersionRow, versionState } from "../../kv/versioning/entities.ts";
import { currentKey, currentPrefix } from "../../kv/keys.ts";
import { DOCUMENT_PARTS, type DocumentPart } from "../../kv/model/entities/document.ts";
import { findVersionLocation } from "../../kv/versioning/version_locations.ts";
import { isOverdue, removeMedia } from "../../kv/media/media.ts";
import { SweepMemory } from "../../kv/media/needed_objects.ts";
import { type SweepLease, withSweepLease } from "../../kv/media/sweep_lease.ts";
import { isOrphanedPage } from "../../kv/pages/pages.ts";
import { sweepPackages } from "../../kv/packages/sweep_packages.ts";
import type { ObjectInfo } from "../../kv/objects/object_store.ts";
import {
  DOCUMENTS_PREFIX,
  MEDIA_PREFIX,
  mediaPath,
  PAGES_PREFIX,
  SNAPSHOTS_PREFIX,
  TRANSFORMS_PREFIX,
  transformsPrefix,
} from "../../kv/objects/paths.ts";
import type { CursorOf } from "../runner/job_cursors.ts";
import { remotePace } from "../runner/remote_pace.ts";
import { SWEEP_CHUNK_MAX } from "../limits.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** An object younger than this may belong to a commit that is still to come. */
const ORPHAN_AGE_MS = 86_400_000;

/** The stages of a sweep: media first, so that their bytes are orphans in the same run. */
const SWEEP_STAGES = [
  "media",
  "bytes",
  "transforms",
  "snapshots",
  "parts",
  "pages",
  "packages",
] as const satisfies readonly SweepPosition["stage"][];

/** The position of a sweep. */
export type SweepPosition = CursorOf<"SWEEP_MEDIA", "sweep">["place"];

/** The first position of a sweep. */
export const SWEEP_START: SweepPosition = { stage: "media", after: "" };

/** The kind of job that sweeps, a chunk at a time. */
export function sweepMediaKind(): JobKind<"SWEEP_MEDIA"> {
  let running = { jobId: "", memory: new SweepMemory() };
  return jobKind("SWEEP_MEDIA", {
    sweep: async ({ context, jobId, cursor }) => {
      if (running.jobId !== jobId) running = { jobId, memory: new SweepMemory() };
      const { place: position, removed } = cursor ?? { place: SWEEP_START, removed: 0 };
      const swept = await sweepMedia(context, position, running.memory);
      const sum = removed + swept.removed;
      if (swept.next?.stage !== position.stage) running.memory = new SweepMemory();
      if (swept.next === null) return next({ removed: sum });
      return again({ place: swept.next, removed: sum });
    },
  });
}

/**
 * Sweeps one chunk, on a remote store several; `next` is null when everything is done, or an import is under way. What
 * was in `memory` is of no use once the stage is another one.
 */
export async function sweepMedia(
  context: Context,
  position: SweepPosition,
  memory: SweepMemory = new SweepMemory(),
): Promise<{ next: SweepPosition | null; removed: number }> {
  const mayContinue = remotePace(context);
  const swept = await withSweepLease(context, async (lease) => {
    let sweeping = { ...context, lease, memory };
    let removed = 0;
    for (let { stage, after } = position;;) {
      const chunk = await STAGES[stage](sweeping, after);
      removed += chunk.removed;
      const next = positionAfter(stage, chunk.after);
      if (next === null || !mayContinue()) return { next, removed };
      if (next.stage !== stage) sweeping = { ...sweeping, memory: new SweepMemory() };
      ({ stage, after } = next);
    }
  });
  return swept ?? { next: null, removed: 0 };
}

/** The position after a chunk of a stage that ended at `after`; null after the last one. */
function positionAfter(stage: SweepPosition["stage"], after: string | null): SweepPosition | null {
  if (after !== null) return { stage, after };
  const following = SWEEP_STAGES[SWEEP_STAGES.indexOf(stage) + 1];
  return following === undefined ? null : { stage: following, after: "" };
}

/** A context whose sweep has its lease. */
interface SweepContext extends Context {
  lease: SweepLease;
  memory: SweepMemory;
}

type Stage = (
  context: SweepContext,
  after: string,
) => Promise<{ after: string | null; removed: number }>;

const STAGES: Record<SweepPosition["stage"], Stage> = {
  media: sweepOverdue,
  bytes: sweepBytes,
  transforms: (context, after) =>
    sweepObjects(context, TRANSFORMS_PREFIX, after, async ({ key }) => {
      const [, object = ""] = key.split("/");
      return await context.objects.head(mediaPath(object)) === null;
    }),
  snapshots: (context, after) =>
    sweepObjects(context, SNAPSHOTS_PREFIX, after, (info) => isOrphanedSnapshot(context, info)),
  parts: (context, after) =>
    sweepObjects(context, DOCUMENTS_PREFIX, after, (info) => isOrphanedPart(context, info)),
  pages: (context, after) =>
    sweepObjects(context, PAGES_PREFIX, after, ({ key }) => isOrphanedPage(context, key)),
  packages: async (context) => ({ after: null, removed: await sweepPackages(context) }),
};

async function sweepOverdue(context: SweepContext, after: string) {
  const range = {
    prefix: currentPrefix("media_metadata"),
    ...(after !== "" && { start: currentKey("media_metadata", `${after}\0`) }),
  };
  const entries = await context.store.listAll<CurrentRow>(range, { limit: SWEEP_CHUNK_MAX });
  const at = Math.floor(context.now() / 1000);
  let removed = 0;
  for (const { key, value } of entries) {
    if (value === null || value.gone) continue;
    const id = key[2] as string;
    const row: VersionRow = { ...value, by: null, summary: null };
    const state = await versionState(context, "media_metadata", id, row);
    if (state !== null && isOverdue(state, at) && await removeMedia(context, id)) {
      removed += 1;
    }
  }
  return {
    after: entries.length < SWEEP_CHUNK_MAX ? null : entries.at(-1)?.key[2] as string,
    removed,
  };
}

async function sweepBytes(context: SweepContext, after: string) {
  const needed = await context.memory.needed(context, context.lease);
  return await sweepObjects(context, MEDIA_PREFIX, after, async ({ key }) => {
    const object = key.slice(MEDIA_PREFIX.length);
    if (!await needed.release(object)) return false;
    for await (const transform of context.objects.list(transformsPrefix(object))) {
      await context.objects.delete(transform.key);
    }
    return true;
  });
}

/** A snapshot is needed while its version is there. */
async function isOrphanedSnapshot(context: Context, { key }: ObjectInfo): Promise<boolean> {
  const [, , , versionId] = /^versions\/([a-z_]+)\/([^/]+)\/([^/]+)\.json$/.exec(key) ?? [];
  if (versionId === undefined) return false;
  return await findVersionLocation(context, versionId) === null;
}

/** A live copy is needed while the current row names the part; a reader can always do without. */
async function isOrphanedPart(context: Context, { key }: ObjectInfo): Promise<boolean> {
  const [, id, part] = /^documents\/([^/]+)\/([A-Za-z]+)\.json$/.exec(key) ?? [];
  if (id === undefined || !DOCUMENT_PARTS.includes(part as DocumentPart)) return false;
  const { value } = await context.store.get<CurrentRow>(currentKey("document", id));
  return value?.parts?.[part as DocumentPart] === undefined;
}

/** Deletes the orphans among the next old objects below a prefix. */
async function sweepObjects(
  context: SweepContext,
  prefix: string,
  after: string,
  isOrphan: (info: ObjectInfo) => Promise<boolean>,
): Promise<{ after: string | null; removed: number }> {
  let removed = 0;
  let seen = 0;
  const isOld = ({ modifiedAt }: ObjectInfo) => context.now() - modifiedAt > ORPHAN_AGE_MS;
  const { objects, lease, memory } = context;
  for await (const info of memory.objects(context, lease, { prefix, after })) {
    if (isOld(info) && await isOrphan(info)) {
      // It may have been written again since it was listed.
      const present = await objects.head(info.key);
      if (present !== null && isOld(present) && lease.mayRemove()) {
        await objects.delete(info.key);
        removed += 1;
      }
    }
    seen += 1;
    if (seen === SWEEP_CHUNK_MAX) return { after: info.key, removed };
  }
  return { after: null, removed };
}
