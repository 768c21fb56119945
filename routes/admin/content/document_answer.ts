/**
 * Document responses of the admin API: the state that editors see, its release, and its tag.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { adminWire } from "../../../kv/model/input/document_wire.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { OpenReleases } from "../../../kv/versioning/open_releases.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { documentTag, isFresh, NO_TRANSFORM } from "../../v1/reading/etag.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** Answers a document, or 304 when the caller has it. */
export async function answer(
  deps: Deps,
  c: HttpContext<AdminEnv>,
  stored: StoredDocument,
  { status = 200, wire = adminWire }: { status?: 200 | 201; wire?: WireOf } = {},
): Promise<Response> {
  const [schema, releases] = await answerContext(deps);
  const release = releaseOf(releases, stored.state.id);
  const variant = release === null ? undefined : sha256(JSON.stringify(release)).slice(0, 16);
  const etag = documentTag(stored, schema.stamp, variant);
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && isFresh(c.req.header("if-none-match") ?? null, etag)) {
    return c.body(null, 304, { etag });
  }
  const location = `/api/admin/documents/${stored.state.id}`;
  const headers = { etag, "cache-control": `no-store, ${NO_TRANSFORM}` };
  const body = view(schema, stored, withRelease(releases, wire));
  return c.json(body, status, status === 201 ? { ...headers, location } : headers);
}

/** Options for a document response. */
export type WireOf = typeof adminWire;

/** A document in a response. Documents of a deleted collection are hidden until it is restored. */
export function view(
  schema: Schema,
  { state }: StoredDocument,
  wire: WireOf,
): Record<string, Json> {
  const collection = schema.byId.get(state.collectionId);
  if (collection === undefined) throw new Refusal("NOT_FOUND");
  return wire(state, collection);
}

/** The same with the open release that the document is in, if there is one. */
export function withRelease(releases: OpenReleases, wire: WireOf = adminWire): WireOf {
  return (state, collection) => {
    const inRelease = releaseOf(releases, state.id);
    return { ...wire(state, collection), ...(inRelease !== null && { inRelease }) };
  };
}

/** The open release that a document is in. */
function releaseOf({ byDocument }: OpenReleases, documentId: string): Json {
  const release = byDocument.get(documentId);
  return release === undefined ? null : { id: release.id, name: release.name };
}

/** Data that document responses need. */
export function answerContext({ content, releases }: Deps): Promise<[Schema, OpenReleases]> {
  return Promise.all([content.schema.current(), releases.current()]);
}

/** The ID in the path; refuses an invalid one with NOT_FOUND. */
export function idOf(c: HttpContext<AdminEnv>): string {
  const id = pathParameter(c, "id");
  if (!isUlid(id)) throw new Refusal("NOT_FOUND");
  return id;
}
