/**
 * A site with many rows of what the admin API lists, written as the product writes them, or as copies of one of its
 * rows where that would take hours.
 *
 * @module
 */
import { putRecord } from "../../../jobs/runner/transition.ts";
import { currentKey, versionKey } from "../../../kv/keys.ts";
import type { Context } from "../../../kv/context.ts";
import { stageMessage } from "../../../kv/deliveries/deliveries.ts";
import { createDocument } from "../../../kv/documents/documents.ts";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { User } from "../../../kv/model/entities/access.ts";
import type { EntityType, StateOf } from "../../../kv/model/entities/entity_kinds.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import type { ReleaseState } from "../../../kv/model/entities/release.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import { noteAudit, stageAudit } from "../../../kv/versioning/audit.ts";
import type { CurrentRow, VersionRow } from "../../../kv/versioning/entities.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { stageAccess } from "../../../kv/people/access.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { Deps } from "../../../routes/deps/deps.ts";
import { testContext } from "../harness/context.ts";
import { type TestApp, testApp } from "../sites/app.ts";

/** How many rows of each. */
export interface RowCounts {
  queued: number;
  done: number;
  audit: number;
  users: number;
  tokens: number;
  releases: number;
  media: number;
  deliveries: number;
  versions: number;
}

/** Milliseconds between commits: 2,000 jobs a second. */
const MS_BETWEEN = 50;
/** Jobs, events, messages and versions in one commit. */
const TOGETHER = 100;
/** Entities in one commit: each takes a check. */
const ENTITIES_TOGETHER = 6;

/** Users whom events are about. */
export const USERS_OF_EVENTS = 50;

function userIdOf(n: number): string {
  return `${n}`.padStart(26, "0");
}

type FillContext = Context & { advance: (ms: number) => void };

/** Commits, and moves the clock. */
async function commit({ store, advance }: FillContext, operation: Operation): Promise<void> {
  if (!(await store.commit(operation)).ok) throw new Error("Rows were not committed");
  advance(MS_BETWEEN);
}

/** A share of the rows. */
export function shareOf(counts: RowCounts, share: number): RowCounts {
  const fewer = { ...counts };
  for (const name of Object.keys(counts) as (keyof RowCounts)[]) {
    fewer[name] = Math.round(counts[name] * share);
  }
  return fewer;
}

/** A site that is filled. */
export interface FilledSite extends AsyncDisposable {
  site: TestApp;
  /** Of its administrator. */
  cookie: string;
  /** The requests that count, each for one row. */
  requests: string[];
}

/** Sets a site up and fills it. */
export async function siteWithRows(counts: RowCounts): Promise<FilledSite> {
  // Some writes ask for upkeep at random, which is a row more.
  const context = await testContext({ random: () => 1 - Number.EPSILON });
  const site = await testApp({}, context);
  const setUp = await site.setUp();
  await site.collection({ slug: "posts", name: "Posts", fields: [] });
  const hook = { name: "Hook", url: "https://example.org", events: ["media.changed"] };
  const { json: { id: receiverId } } = await site.admin("POST", "/webhooks", hook);
  const { documentId } = await fillRows(site.deps, counts, {
    collection: "posts",
    receiverId,
    advance: (ms) => site.context.advance(ms),
  });
  return {
    site,
    cookie: setUp.headers.get("set-cookie")!.split(";")[0]!,
    requests: countingRequests({ documentId, receiverId }),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Fills a site; answers the document that has the versions. */
async function fillRows(
  { content, people }: Deps,
  counts: RowCounts,
  { collection, receiverId, advance }: {
    collection: string;
    receiverId: string;
    /** Moves the clock of the context by milliseconds. */
    advance: (ms: number) => void;
  },
): Promise<{ documentId: string }> {
  const context: FillContext = { ...content.context, advance };
  await fillJobs(context, counts.queued, false);
  await fillJobs(context, counts.done, true);
  await inCommits(context, counts.audit, (operation, n) => {
    const event = n % 2 === 0 ? "sign_in" : "sign_in_failed";
    const { now, newId } = context;
    const note = noteAudit({ now, newId }, {
      event,
      userId: userIdOf(n % USERS_OF_EVENTS),
      tokenId: null,
      address: "192.0.2.1",
      details: {},
    });
    stageAudit(operation, note);
  });
  await inCommits(context, counts.deliveries, (operation, n) => {
    const order = ["0", `${n}`, n] as const;
    const message = { event: "media.changed", subject: `S${n}`, body: "{}".padEnd(500) };
    stageMessage(operation, context, { kind: "webhook", receiverId }, order, message);
  });
  await inWrites(context, "api_token", counts.tokens, tokenState);
  await inWrites(context, "release", counts.releases, releaseState);
  await inWrites(context, "media_metadata", counts.media, mediaState);
  for (let n = 0; n < counts.users; n += ENTITIES_TOGETHER) {
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const users = new Map<string, User>();
      for (let one = n; one < Math.min(n + ENTITIES_TOGETHER, counts.users); one++) {
        const id = transaction.newId();
        users.set(id, userState(id, one));
      }
      await stageAccess(transaction, await people.access.of(transaction), { users });
    });
  }
  const body: Record<string, Json> = { title: "Often changed" };
  const { state: { id: documentId } } = await createDocument(
    content,
    UNATTENDED,
    collection,
    body as never,
  );
  await fillVersions(context, documentId, counts.versions);
  return { documentId };
}

async function fillJobs(context: FillContext, count: number, isDone: boolean): Promise<void> {
  for (let start = 0; start < count; start += TOGETHER) {
    const operation = new Operation();
    const ids = Array.from(
      { length: Math.min(TOGETHER, count - start) },
      () => addJob(operation, context, { type: "SEED", payload: {} } as never),
    );
    await commit(context, operation);
    if (!isDone) continue;
    const change = new Operation();
    for (const id of ids) {
      const before = await findJob(context.store, id);
      putRecord(change, before, { ...before!, state: "done" });
    }
    await commit(context, change);
  }
}

async function inCommits(
  context: FillContext,
  count: number,
  stage: (operation: Operation, n: number) => void,
): Promise<void> {
  for (let start = 0; start < count; start += TOGETHER) {
    const operation = new Operation();
    for (let n = start; n < Math.min(start + TOGETHER, count); n++) stage(operation, n);
    await commit(context, operation);
  }
}

async function inWrites<T extends EntityType>(
  context: Context,
  type: T,
  count: number,
  stateOf: (id: string, n: number) => StateOf<T>,
): Promise<void> {
  for (let start = 0; start < count; start += ENTITIES_TOGETHER) {
    await versionedWrite(context, UNATTENDED, (transaction) => {
      for (let n = start; n < Math.min(start + ENTITIES_TOGETHER, count); n++) {
        const id = transaction.newId();
        transaction.save(type, id, transaction.newHead(type, id), stateOf(id, n));
      }
      return Promise.resolve();
    });
  }
}

async function fillVersions({ store }: Context, id: string, count: number): Promise<void> {
  const [current, first] = [currentKey("document", id), versionKey("document", id, 1)];
  const [{ value: row }, { value: version }] = await store.getMany([current, first]);
  for (let start = 1; start < count; start += TOGETHER) {
    const operation = new Operation();
    const end = Math.min(start + TOGETHER, count);
    for (let n = start + 1; n <= end; n++) {
      const vid = `${n}`.padStart(26, "0");
      operation.set(versionKey("document", id, n), { ...version as VersionRow, n, vid });
    }
    operation.set(current, { ...row as CurrentRow, n: end, vid: `${end}`.padStart(26, "0") });
    await store.commit(operation);
  }
}

function userState(id: string, n: number): User {
  return {
    id,
    email: `u${n}@example.org`,
    displayName: `User ${n}`,
    passwordHash: null,
    passwordId: null,
    createdAt: 0,
    updatedAt: 0,
  };
}

function tokenState(id: string, n: number): TokenState {
  return {
    id,
    name: `Token ${n}`,
    scopes: ["*"],
    quotaPerMinute: 60,
    allowedOrigins: [],
    expiresAt: null,
    revokedAt: null,
    createdAt: 0,
    updatedAt: 0,
    hash: "x",
    previousHash: null,
    previousUntil: null,
  };
}

function releaseState(id: string, n: number): ReleaseState {
  return {
    id,
    name: `Release ${n}`,
    description: "",
    state: "published",
    publishAt: null,
    reason: null,
    jobId: null,
    documents: [],
    publishedAt: 0,
    createdAt: 0,
    updatedAt: 0,
  };
}

function mediaState(id: string, n: number): MediaState {
  return {
    id,
    filename: `picture-${n}.png`,
    mime: "image/png",
    bytes: 1_000,
    width: 10,
    height: 10,
    alt: "",
    sha256: `${n}`.padStart(64, "0"),
    object: `media/${n}`,
    createdAt: 0,
    updatedAt: 0,
    deletedAt: null,
  };
}

function countingRequests(
  { documentId, receiverId }: { documentId: string; receiverId: string },
): string[] {
  return [
    "/jobs?perPage=1",
    "/jobs?state=queued&perPage=1",
    "/jobs?state=done&perPage=1",
    "/jobs?type=SEED&state=running&perPage=1",
    "/audit?perPage=1",
    `/audit?event=sign_in&userId=${userIdOf(2)}&perPage=1`,
    "/tokens?perPage=1",
    "/users?perPage=1",
    "/releases?perPage=1",
    "/media?perPage=1",
    `/webhooks/${receiverId}/deliveries?perPage=1`,
    `/versions/document/${documentId}?perPage=1`,
    `/versions/document/${documentId}?group=sitting&perPage=1`,
    "/transfers?perPage=1",
    "/exports?perPage=1",
    "/redirects?perPage=1",
  ];
}
