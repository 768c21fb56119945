/**
 * A transaction: one attempt of a versioned write. It reads, decides, and commits under checks of what it
 * read. Large states go to the object store before the commit, under a key that nothing refers to yet.
 *
 * @module
 */
import { recordChange } from "../changes/change_log.ts";
import { type KnownHeads, KnownHeadsOfAttempt } from "./known_heads.ts";
import type { Context } from "../context.ts";
import {
  type AbsentHead,
  absentHead,
  type CurrentRow,
  type Head,
  type LivingHead,
  readHead,
  type VersionRow,
} from "./entities.ts";
import { currentKey, groupKeys, type Key, versionKey } from "../keys.ts";
import { KV_COMMIT_BYTES_MAX, KV_MUTATIONS_MAX } from "../limits/store.ts";
import type { Actor } from "../model/entities/entity.ts";
import {
  type AnyState,
  type EntityType,
  kindOf,
  type StateOf,
} from "../model/entities/entity_kinds.ts";
import type { WebhookEvent } from "../model/entities/webhook.ts";
import { markRecorded, stageAudit } from "./audit.ts";
import { Refusal } from "../refusals.ts";
import { stageSecondaryRows, stageVersion } from "./secondary_rows.ts";
import { deleteChunks, placeState } from "./state_placement.ts";
import type { CommitResult } from "../store/driver.ts";
import { type Entry, keyText, Operation } from "../store/operation.ts";
import { getPrefetched } from "../store/prefetch.ts";
import { resolveCommit } from "../store/commits/resolve_commit.ts";

/** The version that a save has created. */
export interface SavedVersion {
  versionId: string;
  n: number;
  at: number;
}

/** Options of a save. */
export interface SaveOptions {
  summary?: string;
}

/** The row and state of an entity that is new. */
const NO_HEAD = { row: null, state: null };

/** Reads and stages the changes of one attempt. */
export class Transaction {
  /** The commit under construction: for secondary keys, follow-up jobs and further checks. */
  readonly operation = new Operation();
  readonly context: Context;
  /** The user, token or job that writes. */
  readonly actor: Actor;
  readonly #known: Map<string, Entry>;
  readonly #nowMs: number;
  readonly #knownHeads = new KnownHeadsOfAttempt();
  /** Events of this commit for webhooks, other than those of documents. */
  readonly #events = new Set<string>();
  readonly #saves: { type: EntityType; id: string; saved: SavedVersion }[] = [];
  /** The number of versions added by {@linkcode record}, by current key. */
  readonly #recorded = new Map<string, number>();
  /** The ids of the first versions of new documents, by document id. */
  readonly #firstVersionIds = new Map<string, string>();
  readonly #before: (() => Promise<void>)[] = [];
  readonly #after: (() => Promise<void>)[] = [];
  readonly #finally: (() => void)[] = [];
  /** The store's answer to the commit. */
  result: CommitResult | null = null;
  /** Entries of checked keys that were read after the commit failed. */
  found: Entry[] = [];
  /** Checked keys that were assumed to be absent and were not read. */
  assumedAbsent: Entry[] = [];
  /** The number of earlier attempts. */
  readonly attempt: number;
  /** Whether this attempt may guess instead of reading. */
  readonly first: boolean;

  constructor(context: Context, actor: Actor, known: Entry[], attempt: number, first: boolean) {
    this.attempt = attempt;
    this.first = first;
    this.context = context;
    this.actor = actor;
    this.#known = new Map(known.map((entry) => [keyText(entry.key), entry]));
    this.#nowMs = context.now();
  }

  /** Epoch seconds of this attempt. */
  get at(): number {
    return Math.floor(this.#nowMs / 1000);
  }

  /** A new id at the time of this attempt. */
  newId(): string {
    return this.#knownHeads.begin(this.context.newId(this.#nowMs));
  }

  /**
   * A new id for a document, with the time `atMs` (epoch milliseconds) if it was made earlier. Its first version gets
   * the next id, from which its location is derived.
   */
  newDocumentId(atMs?: number): string {
    if (atMs !== undefined) return this.context.newId(atMs);
    const id = this.newId();
    this.#firstVersionIds.set(id, this.newId());
    return id;
  }

  /** Reads keys without checking them in the commit. */
  peek<T>(key: Key): Promise<[Entry<T>]>;
  peek<T>(first: Key, second: Key): Promise<[Entry<T>, Entry<T>]>;
  peek<T>(...keys: Key[]): Promise<Entry<T>[]>;
  async peek<T>(...keys: Key[]): Promise<Entry<T>[]> {
    const named = keys.map((key) => [keyText(key), key] as const);
    const missing = named.flatMap(([text, key]) => this.#known.has(text) ? [] : [key]);
    // A first attempt uses the request's prefetched entries: its commit fails if they have changed.
    const read = missing.length > 0 && getPrefetched(this.context.store, missing, this.first);
    for (const entry of await read || []) this.#known.set(keyText(entry.key), entry);
    return named.map(([text]) => this.#known.get(text) as Entry<T>);
  }

  /** Whether a key was read and is absent. */
  isKnownAbsent(key: Key): boolean {
    return this.#known.get(keyText(key))?.value === null;
  }

  /** Reads a key again, without checking it in the commit. */
  async reread<T>(key: Key): Promise<Entry<T>> {
    this.#known.delete(keyText(key));
    const [entry] = await this.peek<T>(key);
    return entry;
  }

  /** Reads a key and checks it in the commit. */
  async get<T>(key: Key): Promise<Entry<T>> {
    const known = this.#known.get(keyText(key)) as Entry<T> | undefined;
    const [entry] = known === undefined ? await this.peek<T>(key) : [known];
    this.operation.check(entry);
    return entry;
  }

  /**
   * Reads a key that is most likely absent. The first attempt assumes that it is and lets the commit check it,
   * which saves a read; later attempts read it.
   */
  async absent<T>(key: Key): Promise<Entry<T>> {
    if (this.first && !this.#known.has(keyText(key))) {
      this.#known.set(keyText(key), { key, value: null, versionstamp: null });
    }
    return await this.get<T>(key);
  }

  /** Lets {@linkcode head} use these heads of a group whose version key is read with {@linkcode get}. */
  know(heads: KnownHeads): void {
    this.#knownHeads.know(heads);
  }

  /**
   * Reads an entity and checks it in the commit. If the version key of its group was read with {@linkcode
   * get}, that check covers the entity, because every write of the group touches the key; then a known or new
   * head is not read.
   */
  async head<T extends EntityType>(type: T, id: string): Promise<Head<T>> {
    const key = currentKey(type, id);
    const knownHead = this.#checksGroupOf(type) ? this.#knownHeads.find(type, id) : undefined;
    if (knownHead !== undefined) return knownHead;
    const [known] = await this.peek<CurrentRow>(key);
    const head = await readHead(this.context, type, id, key, known);
    if (!this.#checksGroupOf(type)) this.operation.check(head.entry);
    return head;
  }

  /**
   * Reads an entity that must exist.
   *
   * @throws {Refusal} NOT_FOUND if it does not.
   */
  async living<T extends EntityType>(type: T, id: string): Promise<LivingHead<T>> {
    const head = await this.head(type, id);
    if (head.state === null) throw new Refusal("NOT_FOUND");
    return head as LivingHead<T>;
  }

  #checksGroupOf(type: EntityType): boolean {
    const { group } = kindOf(type);
    return group !== undefined && this.operation.hasCheck(groupKeys[group]);
  }

  /**
   * The head of an entity that is created under a fresh id. The commit checks that it is absent: an abandoned
   * commit that is tried again must not take effect a second time.
   */
  newHead(type: EntityType, id: string): AbsentHead {
    const head = absentHead(currentKey(type, id));
    this.operation.check(head.entry);
    return head;
  }

  /**
   * Saves a new state of an entity (null: a tombstone) as its next version, with its secondary rows, and
   * touches the version key of its group. Without a head the entity is a new member of a group.
   */
  save<T extends EntityType>(
    type: T,
    id: string,
    head: Head<T> | null,
    state: StateOf<T> | null,
    options: SaveOptions = {},
  ): SavedVersion {
    const { row: previous, state: before } = head ?? NO_HEAD;
    const recorded = this.#recorded.get(keyText(currentKey(type, id))) ?? 0;
    const version = this.#newVersion(id, previous, recorded, options);
    const { n, vid: versionId, at } = version;
    const current: CurrentRow = { n, vid: versionId, at };
    const { becomesPublic, languages } = kindOf(type);
    if (becomesPublic !== undefined) version.published = becomesPublic(before, state);
    const changed = languages?.(before, state);
    if (changed !== undefined) version.languages = changed;
    const next: AnyState | null = state;
    if (next === null) current.gone = version.gone = true;
    else this.#stageState(type, id, next, current, version);
    const existed = previous !== null && !previous.gone;
    this.operation.set(currentKey(type, id), current);
    stageVersion(this.operation, type, id, version, state === null ? "d" : existed ? "u" : "c");
    if (previous?.snapshot !== undefined && previous.chunks !== undefined) {
      deleteChunks(this.operation, type, id, previous.n, previous.chunks);
    }
    const { group, event, collectionOf } = kindOf(type);
    if (group !== undefined) this.operation.touch(groupKeys[group]);
    if (event !== undefined) {
      const known = state ?? before;
      const collectionId = known === null ? "" : collectionOf?.(known) ?? "";
      this.#recordEvent(event, { id, collectionId }, version);
    }
    stageSecondaryRows(this.operation, type, id, state);
    const saved = { versionId, n, at };
    this.#saves.push({ type, id, saved });
    return saved;
  }

  /**
   * Records an event for webhooks: delivered soon by this process, else with the next document or by the cron
   * of every minute.
   */
  #recordEvent(
    event: WebhookEvent,
    { id, collectionId }: { id: string; collectionId: string },
    { n, at }: VersionRow,
  ): void {
    // A commit counts as one change of a collection's schema, however many fields it defines.
    const name = `${event} ${collectionId}`;
    if (event === "schema.changed" && this.#events.has(name)) return;
    this.#events.add(name);
    const change = { collectionId, before: null, after: null, at, event, id, n };
    recordChange(this.operation, change);
    this.after(() => Promise.resolve(this.context.onEvent?.()));
  }

  /**
   * Records a state of an entity as a version that is never the current one: a save of the same attempt must
   * follow, which gets the next number.
   */
  record<T extends EntityType>(
    type: T,
    id: string,
    head: Head<T>,
    state: StateOf<T> & AnyState,
    options: SaveOptions,
  ): void {
    const key = keyText(currentKey(type, id));
    const recorded = this.#recorded.get(key) ?? 0;
    const version = this.#newVersion(id, head.row, recorded, options);
    if (kindOf(type).becomesPublic !== undefined) version.published = false;
    const placement = placeState(type, id, version, state);
    Object.assign(version, placement.version);
    // The pieces of a spilled state belong to a current row.
    if (version.chunks !== undefined) {
      for (const { key, value } of placement.pieces) this.operation.set(key, value);
    }
    for (const { key, body } of placement.before) {
      this.before(() => this.context.objects.put(key, body));
    }
    stageVersion(this.operation, type, id, version, "u");
    this.#recorded.set(key, recorded + 1);
  }

  #newVersion(
    id: string,
    previous: CurrentRow | null,
    recorded: number,
    options: SaveOptions,
  ): VersionRow {
    const n = (previous?.n ?? 0) + recorded + 1;
    const vid = (n === 1 ? this.#firstVersionIds.get(id) : undefined) ?? this.newId();
    const at = Math.max(this.at, previous?.at ?? 0);
    const summary = [this.actor.via, options.summary].filter(Boolean).join(": ") || null;
    return { vid, n, at, by: this.actor.userId, summary };
  }

  /** Work before the commit. If the commit fails it must leave only orphans. */
  before(work: () => Promise<void>): void {
    this.#before.push(work);
  }

  /** Work after the commit that readers do not depend on. */
  after(work: () => Promise<void>): void {
    this.#after.push(work);
  }

  /** Work at the end of the attempt, whatever its result. */
  finally(work: () => void): void {
    this.#finally.push(work);
  }

  /** Ends the attempt. */
  close(): void {
    for (const work of this.#finally) work();
  }

  /**
   * The key that other writers may compete for: that of the first saved entity that existed before, or null.
   */
  get contended(): string | null {
    const changed = this.#saves.find(({ saved }) => saved.n > 1);
    return changed === undefined ? null : keyText(currentKey(changed.type, changed.id));
  }

  /** Adds the state to the rows and the commit, and its objects to the work around the commit. */
  #stageState(
    type: EntityType,
    id: string,
    state: AnyState,
    current: CurrentRow,
    version: VersionRow,
  ): void {
    const { objects } = this.context;
    const placement = placeState(type, id, version, state);
    Object.assign(current, placement.current);
    Object.assign(version, placement.version);
    for (const { key, value } of placement.pieces) this.operation.set(key, value);
    for (const { key, body } of placement.before) this.before(() => objects.put(key, body));
    for (const { key, body } of placement.after) this.after(() => objects.put(key, body));
  }

  /** Refuses a change that is too large for one commit. */
  assertFits(): void {
    const { mutations, bytes } = this.operation;
    if (mutations > KV_MUTATIONS_MAX || bytes > KV_COMMIT_BYTES_MAX) {
      throw new Refusal("PAYLOAD_TOO_LARGE", { about: "the change is too large for one commit" });
    }
  }

  /** Commits; false if a check failed. */
  async commit(): Promise<boolean> {
    if (this.operation.mutations === 0) return true;
    const token = this.#saves.find(({ type }) => kindOf(type).group === "tokens");
    stageAudit(this.operation, this.actor.audit, token?.id);
    this.assertFits();
    for (const work of this.#before) await work();
    this.operation.fitChecks();
    if (!(await this.#commit())) return false;
    markRecorded(this.actor.audit);
    for (const work of this.#after) {
      // The copy of a part is optional: without it readers use the snapshot.
      await work().catch(() => {});
    }
    return true;
  }

  async #commit(): Promise<boolean> {
    const { store } = this.context;
    try {
      const result = this.result = await store.commit(this.operation);
      if (result.ok) return true;
      // One call now saves the next attempt several.
      this.found = result.found ?? await store.getMany(this.operation.checks.map(({ key }) => key));
      this.assumedAbsent = result.assumedAbsent ?? [];
    } catch (error) {
      const [first] = this.#saves;
      if (error instanceof Refusal || first === undefined) throw error;
      const key = versionKey(first.type, first.id, first.saved.n);
      const isOurs = ({ vid }: VersionRow) => vid === first.saved.versionId;
      return await resolveCommit(store, this.operation, key, isOurs);
    }
    return false;
  }
}
