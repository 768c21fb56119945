/**
 * Entity tags of documents and lists, and the conditions that requests make with them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { type Collection, isLocalized } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { translationOf } from "../../../kv/model/languages/translation.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";

/**
 * Forbids intermediaries to compress a document: that turns its strong tag into a weak one, which
 * `If-Match` never matches.
 */
export const NO_TRANSFORM = "no-transform";

/**
 * The tag of a document: its ID, because a slug can move to another document, its version, and the
 * schema that shaped the representation. A variant identifies a projection with everything that its
 * content depends on.
 */
export function documentTag(
  { state: { id, originalVersion }, n }: StoredDocument,
  schemaStamp: string | null,
  variant?: string,
): string {
  return `"${id}.${originalVersion ?? n}.${schemaStamp ?? "0"}${
    variant === undefined ? "" : `.${variant}`
  }"`;
}

/**
 * The tag of a list: the collection's index version, the schema, the visible statuses and the
 * query.
 */
export function listTag(
  indexStamp: string | null,
  schemaStamp: string | null,
  visible: readonly string[],
  search: string,
): string {
  const asked = sha256(search).slice(0, 16);
  return `"${indexStamp ?? "0"}.${schemaStamp ?? "0"}.${visible.length}.${asked}"`;
}

/**
 * The tag for tokens without drafts: a version would reveal that an editor works on the document.
 * `asked` distinguishes requests with equal responses.
 */
export function publicTag(asked: string, text: string): string {
  return `"${sha256(asked, "\n", text).slice(0, 32)}"`;
}

/** The same tag of a text that is never whole in memory. */
export class PublicTagHash {
  readonly #hash = createHash("sha256");

  constructor(asked: string) {
    this.#hash.update(`${asked}\n`);
  }

  add(text: string): void {
    this.#hash.update(text);
  }

  tag(): string {
    return `"${this.#hash.digest("hex").slice(0, 32)}"`;
  }
}

/**
 * The document tag for such a token. `If-Match` compares its beginning, which is equal for every
 * representation of this state.
 */
export function publicDocumentTag(state: DocumentState, asked: string, text: string): string {
  return `"${state.id}.${publicDigest(state)}.${sha256(asked, "\n", text).slice(0, 16)}"`;
}

/**
 * The tag of a document in a language. `If-Match` compares its beginning, which is equal for every
 * representation of what translators of that language write.
 */
export function languageTag(
  state: DocumentState,
  collection: Collection,
  code: string,
  text: string,
): string {
  const own = languageDigest(state, collection, code);
  return `"${state.id}.${code}.${own}.${sha256(text).slice(0, 16)}"`;
}

/** A digest of a translation and of what shows through it: shared values, and the original's. */
function languageDigest(state: DocumentState, collection: Collection, code: string): string {
  const own = translationOf(state, code);
  const data = Object.entries(state.data).filter(([key]) =>
    own === undefined || !Object.hasOwn(own.data, key) ||
    !collection.fields.some((field) => field.key === key && isLocalized(collection, field))
  );
  const { review: _review, ...kept } = own ?? {};
  const seen = [state.status, data, own?.blocks === undefined ? state.blocks : null, kept];
  return sha256(JSON.stringify(seen)).slice(0, 24);
}

/** The condition of an `If-Match` header on a document in a language. */
export function languageCondition(
  ifMatch: string | null,
  code: string,
): ((state: DocumentState, collection: Collection) => boolean) | undefined {
  if (ifMatch === null) return undefined;
  if (ifMatch.trim() === "*") return () => true;
  const tags = tagsOf(ifMatch);
  return (state, collection) => {
    const start = `"${state.id}.${code}.${languageDigest(state, collection, code)}.`;
    return tags.some((tag) => tag.startsWith(start));
  };
}

/** A digest of the published content of a document. */
function publicDigest(state: DocumentState): string {
  const { title, slug, status, data, blocks, publishedAt, updatedAt } = state;
  const seen = [title, slug, status, data, blocks, publishedAt, updatedAt];
  return sha256(JSON.stringify(seen)).slice(0, 24);
}

/** A tag that depends only on the text. */
export function textTag(text: string): string {
  return `"${sha256(text).slice(0, 32)}"`;
}

/** Whether `If-Match` names a tag; a weak one never does. */
export function isMatched(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || tagsOf(ifMatch).includes(tag);
}

/** Whether the client already has this representation according to `If-None-Match`. */
export function isFresh(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return tagsOf(ifNoneMatch).some((candidate) => candidate.replace(/^W\//, "") === tag);
}

/**
 * The condition of an `If-Match` header on a document's version; undefined without the header. The
 * schema does not count: it changes the representation, not the document.
 */
export function versionCondition(
  ifMatch: string | null,
): ((n: number, id: string, state?: DocumentState | null) => boolean) | undefined {
  if (ifMatch === null) return undefined;
  if (ifMatch.trim() === "*") return () => true;
  const tags = tagsOf(ifMatch);
  return (n, id, state) =>
    tags.some((tag) =>
      tag.startsWith(`"${id}.${n}.`) ||
      (state != null && tag.startsWith(`"${id}.${publicDigest(state)}.`))
    );
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
