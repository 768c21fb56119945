/**
 * SEED: makes the example site. Everything in it has an identity of its own that was fixed long before, so
 * a second run finds what the first has made, whatever has become of it since, and doubles nothing.
 *
 * @module
 */
import { textBefore } from "../../kv/model/primitives/text_before.ts";
import { seconds } from "../../kv/context.ts";
import { createBlock } from "../../kv/schema/blocks.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import type { Content } from "../../kv/documents/content.ts";
import { archiveDocument, scheduleDocument } from "../../kv/documents/status.ts";
import { type Body, createDocument } from "../../kv/documents/documents.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { namedJobId } from "../../kv/jobs/jobs.ts";
import { currentKey } from "../../kv/keys.ts";
import { createMedia } from "../../kv/media/media.ts";
import { storeUpload } from "../../kv/media/upload.ts";
import { parseBlock } from "../../kv/model/input/block_input.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import type { Actor, Json } from "../../kv/model/entities/entity.ts";
import type { EntityType } from "../../kv/model/entities/entity_kinds.ts";
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { Refusal } from "../../kv/refusals.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { PICTURES, type SeedDocument, seedDocuments } from "./example_documents.ts";
import { BLOCKS, COLLECTIONS } from "./example_schema.ts";
import { drawPicture } from "./picture.ts";

/** Documents made by one step. */
const DOCUMENTS_PER_STEP = 5;
const DAY_SECONDS = 86_400;
/** When the scheduled document is published: far enough ahead not to surprise a user of the example. */
const SCHEDULED_AT = Date.UTC(2031, 0, 1) / 1000;

/** The kind of job that makes the example site. */
export function seedKind(content: Content): JobKind<"SEED"> {
  return jobKind("SEED", {
    schema: async (work) => next(await seedSchema(content, actorOf(work))),
    media: (work) => seedMedia(content, work),
    documents: (work) => seedSome(content, work),
  });
}

/** The id of a part of the example site, the same on every site and for good. */
function seedId(kind: "collection" | "document" | "media", name: string): string {
  return namedJobId(`example site ${kind} ${name}`);
}

function actorOf({ payload }: Work<"SEED">): Actor {
  return { userId: payload.userId, via: "Example site" };
}

/** Blocks and collections; a collection of the owner's own that has the name is never touched. */
async function seedSchema(content: Content, actor: Actor): Promise<{ collections: string[] }> {
  const { blocks } = await content.schema.current();
  for (const block of BLOCKS) {
    if (!blocks.has(block.name as string)) await createBlock(content, actor, parseBlock(block));
  }
  const made: string[] = [];
  for (const definition of COLLECTIONS) {
    const slug = definition.slug as string;
    const id = seedId("collection", slug);
    const { byId, bySlug } = await content.schema.current();
    if (byId.has(id) || bySlug.has(slug)) continue;
    await createCollection(content, actor, parseCollection(definition), { id });
    made.push(slug);
  }
  return { collections: made };
}

async function seedMedia(
  content: Content,
  work: Work<"SEED", "media">,
): Promise<OutcomeOf<"SEED", "media">> {
  const { context } = content;
  const names = Object.keys(PICTURES);
  const index = work.cursor ?? 0;
  const name = names[index];
  if (name === undefined) return next();
  const id = seedId("media", name);
  if (await versionOf(content, "media_metadata", id) === null) {
    const bytes = async function* () {
      yield await drawPicture(name);
    };
    const upload = await storeUpload(context, bytes());
    const facts = { filename: `${name}.jpg`, alt: PICTURES[name] ?? "" };
    await createMedia(context, actorOf(work), upload, facts, { id });
  }
  return again(index + 1);
}

async function seedSome(
  content: Content,
  work: Work<"SEED", "documents">,
): Promise<OutcomeOf<"SEED", "documents">> {
  const documents = seedDocuments();
  const { place, made } = work.cursor ?? { place: 0, made: 0 };
  const some = documents.slice(place, place + DOCUMENTS_PER_STEP);
  let count = made;
  for (const one of some) if (await seedDocument(content, actorOf(work), one)) count += 1;
  const done = place + some.length;
  const progress = { done, total: documents.length };
  if (done >= documents.length) return next({ documents: count }, progress);
  return again({ place: done, made: count }, progress);
}

/**
 * Makes a document unless it was ever made, or its collection is not the example's. What the owner's own
 * definitions refuse is left out: a block that has the name of one of the example's, a field that was
 * narrowed.
 */
async function seedDocument(
  content: Content,
  actor: Actor,
  one: SeedDocument,
): Promise<boolean> {
  const id = seedId("document", `${one.collection}/${one.slug}`);
  const { byId } = await content.schema.current();
  const collection = byId.get(seedId("collection", one.collection));
  if (collection === undefined) return false;
  const made = await versionOf(content, "document", id);
  if (made === null) {
    await createAsFits(bodyOf(one, collection), async (body) => {
      const publishedAt = seconds(content.context) - (one.daysAgo ?? 0) * DAY_SECONDS;
      const options = { blocks: "accept", id, publishedAt } as const;
      await createDocument(content, actor, collection.slug, body, options);
    });
  }
  // A second version is an edit by a user, or the intended status.
  if (made === null || made === 1) await giveStatus(content, actor, id, one);
  return made === null;
}

/** Creates a document; without the values that are refused, and as a draft where others are missing. */
async function createAsFits(body: Body, create: (body: Body) => Promise<void>): Promise<void> {
  try {
    await create(body);
  } catch (error) {
    const details = error instanceof Refusal ? error.facts.details ?? [] : [];
    const roots = new Set(details.map(({ field }) => textBefore(field, ".")));
    const kept = Object.entries(body).filter(([key]) =>
      key === "title" || key === "status" || !roots.has(key)
    );
    const isShorter = kept.length < Object.keys(body).length;
    // Without values to leave out it is others that are missing, which only what is published needs.
    const isIncomplete = details.length > 0 && !isShorter && body.status === "published";
    if (!isShorter && !isIncomplete) throw error;
    const next = Object.fromEntries(kept);
    await createAsFits(isIncomplete ? { ...next, status: "draft" } : next, create);
  }
}

/** A body without the fields that the owner has removed since. */
function bodyOf(one: SeedDocument, collection: Collection): Body {
  const known = new Set(collection.fields.map(({ name }) => name));
  const values = Object.entries(one.values).filter(([name]) => known.has(name));
  return resolved({
    ...Object.fromEntries(values),
    title: one.title,
    slug: one.slug,
    status: one.status === "published" ? "published" : "draft",
    blocks: one.blocks ?? [],
  }) as Body;
}

/** Statuses that no document is created with. */
async function giveStatus(
  content: Content,
  actor: Actor,
  id: string,
  { status }: SeedDocument,
): Promise<void> {
  if (status === "scheduled") await scheduleDocument(content, actor, id, SCHEDULED_AT);
  if (status === "archived") await archiveDocument(content, actor, id);
}

/** The newest version number of an entity that is, or was, there; null when it never was. */
async function versionOf(
  { context: { store } }: Content,
  type: EntityType,
  id: string,
): Promise<number | null> {
  const { value } = await store.get<CurrentRow>(currentKey(type, id));
  return value === null ? null : value.n;
}

/** A value with ids in the place of names. */
function resolved(value: Json): Json {
  if (typeof value === "string") {
    const [, kind, name = ""] = /^(document|media):([a-z0-9/-]+)$/.exec(value) ?? [];
    return kind === undefined ? value : seedId(kind as "document" | "media", name);
  }
  if (Array.isArray(value)) return value.map(resolved);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner)]));
}
