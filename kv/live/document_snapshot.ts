/**
 * A snapshot of a document under edit. A refresh reads again what has changed: the head of the edit log, the
 * document, the schema, presence and comments.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { sameJson } from "../model/values/same_json.ts";
import { currentKey, schemaKey } from "../keys.ts";
import { editHeadKey, editPresenceStampKey } from "./live_keys.ts";
import { codesOf, type Collection, type Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { adminWire } from "../model/input/document_wire.ts";
import {
  originalOf,
  originalOnly,
  statusOf,
  type Translation,
  translationOf,
} from "../model/languages/translation.ts";
import { ownWire } from "../model/languages/translation_view.ts";
import type { Json } from "../model/entities/entity.ts";
import { Refusal } from "../refusals.ts";
import type { Entry } from "../store/operation.ts";
import { KEPT_EDITS_MAX } from "../tuning.ts";
import {
  type EditHead,
  type EditOperation,
  type HeldValue,
  NO_EDITS,
  readEdits,
  readHeld,
} from "./edit_log.ts";
import { laidOverInAll } from "./edited_document.ts";
import { applyAll } from "./flush.ts";
import { applyEdit, stillHeld, workingOn } from "./working_state.ts";

/** The result of a refresh. */
export interface SnapshotChanges {
  /** New edits, in order. */
  operations: EditOperation[];
  /** Whether more has changed than these edits, of a translation or, without its language, of the original. */
  isReplaced: (language?: string) => boolean;
  /** Set after a flush. */
  flushed: boolean;
  /** The number of the version that holds an edit which was set aside since; null for none. */
  setAside: number | null;
  presence: boolean;
  /** Whether the comments on the document have changed. */
  discussion: boolean;
}

/** A document under edit. */
export class DocumentSnapshot {
  readonly #content: Content;
  readonly #documentId: string;
  #head: Entry<EditHead>;
  #currentStamp: string | null = null;
  #presenceStamp: string | null = null;
  #discussionStamp: string | null = null;
  #schemaVersion!: Entry;
  #schema!: Schema;
  #collection!: Collection;
  #published!: DocumentState;
  #stored!: DocumentState;
  #working!: DocumentState;
  #held: HeldValue[] = [];
  /** The newest edits, oldest first: pending ones, and those that a client may have missed. */
  #operations: EditOperation[] = [];

  constructor(content: Content, documentId: string) {
    this.#content = content;
    this.#documentId = documentId;
    this.#head = { key: editHeadKey(documentId), value: null, versionstamp: null };
  }

  get headEntry(): Entry<EditHead> {
    return this.#head;
  }

  get head(): EditHead {
    return this.#head.value ?? NO_EDITS;
  }

  /** The schema's version key as last read. */
  get schemaVersion(): Entry {
    return this.#schemaVersion;
  }

  get schema(): Schema {
    return this.#schema;
  }

  get collection(): Collection {
    return this.#collection;
  }

  /** The stored document with its working copies merged. */
  get stored(): DocumentState {
    return this.#stored;
  }

  /** The document as its editors see it. */
  get working(): DocumentState {
    return this.#working;
  }

  /** Values that are held back. */
  get held(): readonly HeldValue[] {
    return this.#held;
  }

  /** The document, or one of its translations, on the wire, as its editors see it. */
  wireIn(language?: string): Record<string, Json> {
    const wire = language === undefined
      ? adminWire(this.#working, this.#collection)
      : ownWire(this.#working, this.#collection, language) ?? {};
    return { ...wire, hasWorkingCopy: hasChanges(this.#published, this.#working, language) };
  }

  /** Whether the original, or a translation, is there to be edited. */
  isEdited(language: string | undefined): boolean {
    if (language === undefined) return true;
    const isSeen = codesOf(this.#collection).includes(language) &&
      originalOf(this.#working, this.#collection) !== language;
    return isSeen && translationOf(this.#working, language) !== undefined;
  }

  /** Edits after `seq`; null if some of them are no longer known. */
  since(seq: number): EditOperation[] | null {
    if (seq > this.head.seq) return null;
    const newer = this.#operations.filter((one) => one.seq > seq);
    return newer.length === this.head.seq - seq ? newer : null;
  }

  /** A remembered edit. */
  find(matches: (one: EditOperation) => boolean): EditOperation | undefined {
    return this.#operations.find(matches);
  }

  /** Reads changes. Refuses with NOT_FOUND when the document no longer exists. */
  async refresh(): Promise<SnapshotChanges> {
    const { context, schema } = this.#content;
    const [head, current, schemaVersion, presence, discussion] = await context.store.getMany([
      editHeadKey(this.#documentId),
      currentKey("document", this.#documentId),
      schemaKey,
      editPresenceStampKey(this.#documentId),
      currentKey("discussion", this.#documentId),
    ]) as [Entry<EditHead>, Entry<CurrentRow>, Entry, Entry, Entry];
    if (current.value === null || current.value.gone) throw new Refusal("NOT_FOUND");
    const isFirst = this.#currentStamp === null;
    const wasSeen = isFirst ? null : this.#working;
    const wasPublished = this.#published;
    const before = this.head;
    const operations = await this.#readNew(head, isFirst);
    const isComplete = operations.length === (head.value ?? NO_EDITS).seq - before.seq;
    this.#head = head;
    const flushed = this.head.flushed !== before.flushed;
    if (flushed || isFirst) this.#held = await readHeld(context.store, this.#documentId, this.head);
    this.#schemaVersion = schemaVersion;
    this.#schema = await schema.at(schemaVersion);
    if (isFirst || flushed || current.versionstamp !== this.#currentStamp) {
      await this.#readDocument(current);
    } else {
      for (const one of operations) this.#apply(one);
    }
    this.#collection = this.#collectionOf(this.#stored);
    const working = this.#working;
    const published = this.#published;
    const isReplaced = (language?: string) => {
      if (wasSeen === null || !isComplete) return true;
      const hadChanges = hasChanges(wasPublished, wasSeen, language);
      return (hadChanges && !hasChanges(published, working, language)) ||
        !sameJson(
          seenIn(withOperations(wasSeen, operations), language),
          seenIn(working, language),
        );
    };
    const presenceMoved = presence.versionstamp !== this.#presenceStamp;
    this.#presenceStamp = presence.versionstamp;
    const discussionMoved = !isFirst && discussion.versionstamp !== this.#discussionStamp;
    this.#discussionStamp = discussion.versionstamp;
    return {
      operations: isFirst ? [] : operations,
      isReplaced,
      flushed: flushed && !isFirst,
      setAside: isFirst || this.head.aside === before.aside ? null : this.head.aside ?? null,
      presence: presenceMoved,
      discussion: discussionMoved,
    };
  }

  /** Applies edits that this process has just appended. */
  add(added: readonly EditOperation[], head: EditHead, versionstamp: string): void {
    this.#head = { ...this.#head, value: head, versionstamp };
    for (const one of added) this.#apply(one);
    this.#remember(added);
  }

  async #readNew(head: Entry<EditHead>, isFirst: boolean): Promise<EditOperation[]> {
    if (head.versionstamp === this.#head.versionstamp && !isFirst) return [];
    const { seq, oldest, flushed } = head.value ?? NO_EDITS;
    const from = isFirst
      ? Math.min(flushed + 1, Math.max(oldest, seq - KEPT_EDITS_MAX + 1))
      : this.head.seq + 1;
    const found = await readEdits(this.#content.context.store, this.#documentId, from, seq);
    this.#remember(found);
    return found;
  }

  #remember(added: readonly EditOperation[]): void {
    const all = [...this.#operations, ...added];
    const waiting = all.filter(({ seq }) => seq > this.head.flushed).length;
    this.#operations = all.slice(-Math.max(KEPT_EDITS_MAX, waiting));
  }

  async #readDocument(current: Entry<CurrentRow>): Promise<void> {
    const { context } = this.#content;
    const { entry, state } = await readHead(
      context,
      "document",
      this.#documentId,
      current.key,
      current,
    );
    if (state === null) throw new Refusal("NOT_FOUND");
    this.#published = state;
    this.#stored = laidOverInAll(state);
    this.#currentStamp = entry.versionstamp;
    const waiting = this.#operations.filter(({ seq }) => seq > this.head.flushed);
    this.#working = applyAll(this.#stored, stillHeld(this.#held, waiting), waiting).state;
  }

  #collectionOf({ collectionId }: DocumentState): Collection {
    const collection = this.#schema.byId.get(collectionId);
    if (collection === undefined) throw new Refusal("NOT_FOUND");
    return collection;
  }

  #apply(one: EditOperation): void {
    this.#working = applyEdit(workingOn(this.#working), one, "rebase").state;
  }
}

/** A document after some edits. */
function withOperations(
  state: DocumentState,
  operations: readonly EditOperation[],
): DocumentState {
  return operations.reduce(
    (sum, one) => applyEdit(sum, one, "rebase"),
    workingOn(state),
  ).state;
}

/** Whether the original, or a translation, is published and editors see unpublished changes of it. */
function hasChanges(
  published: DocumentState,
  working: DocumentState,
  language: string | undefined,
): boolean {
  const [was, is] = [seenIn(published, language), seenIn(working, language)];
  return is?.status === "published" && !sameJson(was, is);
}

/** What editors see of the original, or of a translation. A title is trimmed when it is stored, which is no news. */
function seenIn(state: DocumentState, language: string | undefined) {
  const side: DocumentState | Translation | undefined = language === undefined
    ? originalOnly(state)
    : translationOf(state, language);
  if (side === undefined) return null;
  const { updatedAt: _at, workingCopy: _laid, title, ...rest } = side;
  if ("beside" in rest) Object.assign(rest, { beside: {} });
  return {
    ...rest,
    title: typeof title === "string" ? title.trim() : title,
    status: statusOf(state, side),
  };
}
