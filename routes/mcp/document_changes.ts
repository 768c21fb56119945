/**
 * Document changes by tools. Each is one write, so that a change and its publication happen
 * together or not at all.
 *
 * @module
 */
import { type DocumentWriteOptions, patchDocument } from "../../kv/documents/documents.ts";
import { patchWorkingCopy } from "../../kv/documents/working_copy.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { toWire, workingWire } from "../../kv/model/input/document_wire.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import type { Action } from "../../kv/model/entities/scope.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import type { BearerCall } from "../v1/bearer/bearer_call.ts";
import { actorOf } from "../v1/collection_call.ts";
import type { AskApi, InnerAnswer } from "./inner_api.ts";

/** The context of a tool call. */
export interface ToolContext {
  deps: Deps;
  call: BearerCall;
  ask: AskApi;
}

/** The name of a document in a tool call: its ID or its slug. */
export interface DocumentName {
  collection: string;
  id?: string;
  slug?: string;
}

/** A document and its change. */
export interface DocumentChange extends DocumentName {
  body: Record<string, Json>;
  publish: boolean;
}

/** Changes a document; a published one in its working copy, unless the change is to be public. */
export async function updateDocument(
  around: ToolContext,
  change: DocumentChange,
): Promise<InnerAnswer> {
  const { deps, call } = around;
  const { body, publish } = change;
  const { id, status } = await findNamedDocument(around, change, "write");
  const actor = actorOf(call);
  if (status === "published" && !publish) {
    const { state } = await patchWorkingCopy(deps.content, actor, id, body);
    const collection = await collectionOf(deps, state);
    return { ok: true, json: { workingCopy: true, document: workingWire(state, collection) } };
  }
  if (status === "scheduled" && !publish) {
    throw new Refusal("CONFLICT", {
      about:
        "the document is scheduled, so the change would become public; set publish to true to change it",
    });
  }
  // A document that has become public in between stays unchanged.
  return await patched(around, { id, change, options: publish ? {} : { draftsOnly: true } });
}

/** Answers what would become of a document, or all that would be refused; without a name, of a new one. */
export async function validateDocument(
  around: ToolContext,
  change: DocumentChange,
): Promise<InnerAnswer> {
  const { ask, call } = around;
  const { collection, body, publish } = change;
  if (change.id === undefined && change.slug === undefined) {
    const status = publish ? "published" : "draft";
    const path = pathOf(collection);
    const query = { dryRun: true };
    return await ask(call, { method: "POST", path, query, body: { ...body, status } });
  }
  const { id } = await findNamedDocument(around, change, "write");
  return await patched(around, { id, change, options: { dryRun: true, leaveEdits: true } });
}

async function patched(
  { deps, call }: ToolContext,
  { id, change: { collection, body, publish }, options }: {
    id: string;
    change: DocumentChange;
    options: DocumentWriteOptions;
  },
): Promise<InnerAnswer> {
  const how = { ...options, collection, publish };
  const { state } = await patchDocument(deps.content, actorOf(call), id, body, how);
  return { ok: true, json: toWire(state, await collectionOf(deps, state)) };
}

async function collectionOf({ content }: Deps, state: DocumentState): Promise<Collection> {
  return (await content.schema.latest()).byId.get(state.collectionId)!;
}

/** The document of a name, whatever its status, for a token with this action. */
export async function findNamedDocument(
  { deps, call }: ToolContext,
  { collection, id, slug }: DocumentName,
  action: Action,
): Promise<{ id: string; status: string }> {
  if (!call.visibility.can(collection, action)) throw new Refusal("FORBIDDEN");
  const found = exposedCollection(call, collection);
  if (id === undefined && slug === undefined) throw nameRequired();
  const stored = id !== undefined
    ? await deps.reader.find(id)
    : await deps.reader.findBySlug(found.id, slug ?? "");
  if (stored === null || stored.state.collectionId !== found.id) throw new Refusal("NOT_FOUND");
  return { id: stored.state.id, status: stored.state.status };
}

/** The collection of a slug, unless it is none of the API. */
export function exposedCollection({ schema }: BearerCall, slug: string): Collection {
  const found = schema.bySlug.get(slug);
  if (found === undefined || !found.exposed) throw new Refusal("COLLECTION_NOT_FOUND");
  return found;
}

/** The path of the parts; refuses empty parts, and `.` and `..`, which would change the path. */
export function pathOf(...parts: (string | undefined)[]): string {
  if (parts.some((part) => part !== undefined && /^\.{0,2}$/.test(part))) {
    throw new Refusal("NOT_FOUND");
  }
  return parts.filter((part) => part !== undefined)
    .map((part) => `/${encodeURIComponent(part)}`).join("");
}

/** The path of a document. */
export function documentPath({ collection, id, slug }: DocumentName): string {
  if (id !== undefined) return pathOf(collection, id);
  if (slug === undefined) throw nameRequired();
  return pathOf(collection, "by-slug", slug);
}

function nameRequired(): Refusal {
  return new Refusal("VALIDATION_FAILED", {
    details: [{ field: "id", code: "REQUIRED", message: "Give an id or a slug" }],
  });
}
