/**
 * The reservations of a document: its slug, and the values of its unique fields. A trashed document reserves
 * nothing.
 *
 * @module
 */
import { sameJson } from "../model/values/same_json.ts";
import {
  currentKey,
  type Key,
  languageSlugKey,
  oldLanguageSlugKey,
  oldSlugKey,
  slugKey,
  uniqueKey,
} from "../keys.ts";
import { type Collection, languagesOf } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Json } from "../model/entities/entity.ts";
import { reservesValues } from "../model/fields/field_definition.ts";
import { zip } from "../model/primitives/zip.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { sha256 } from "../model/values/sha256.ts";
import { readHead } from "../versioning/entities.ts";
import { readOpenReleases } from "../versioning/open_releases.ts";
import { type Entry, keyText } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** A document before and after a write: null before it is created, and after it is removed. */
export interface Change {
  before: DocumentState | null;
  after: DocumentState | null;
}

function holds(state: DocumentState | null): state is DocumentState {
  return state !== null && state.status !== "trashed";
}

/** A document of a collection that changes. */
export interface DocumentChange extends Change {
  collection: Collection;
}

/** The effect of a change on one reservation. */
export interface ReservationMove {
  /** `slug`, or the name of a unique field. */
  field: string;
  /** The key that the document gives up. */
  held: Key | null;
  /** The key that it takes instead. */
  wanted: Key | null;
  /** Whether the field is only becoming unique: another document may have the same value, and its reservation. */
  isBuilding: boolean;
  /** The language whose slug it is; absent for that of the original. */
  language?: string;
}

/** The reservations that a change moves. */
export function reservationMoves({ collection, before, after }: DocumentChange): ReservationMove[] {
  const { id } = collection;
  const slugOf = (state: DocumentState | null) => holds(state) ? state.slug : null;
  const slugs = { field: "slug", held: slugOf(before), wanted: slugOf(after) };
  const moves: ReservationMove[] = slugs.held === slugs.wanted ? [] : [{
    field: slugs.field,
    held: slugs.held === null ? null : slugKey(id, slugs.held),
    wanted: slugs.wanted === null ? null : slugKey(id, slugs.wanted),
    isBuilding: false,
  }];
  moves.push(...languageMoves({ collection, before, after }));
  for (const { name, key, unique } of collection.fields.filter(reservesValues)) {
    const valueOf = (state: DocumentState | null) => holds(state) ? state.data[key] ?? null : null;
    const [held, wanted] = [valueOf(before), valueOf(after)];
    if (sameJson(held, wanted)) continue;
    const keyOf = (value: Json) => value === null ? null : uniqueKey(id, key, valueHash(value));
    moves.push({ field: name, held: keyOf(held), wanted: keyOf(wanted), isBuilding: !unique });
  }
  return moves;
}

/**
 * The same for what documents have in languages: slugs, and the values of localized unique fields. The slug of an
 * original that is not in the site's language is reserved in its own language too, so that no translation takes it.
 */
function languageMoves({ collection, before, after }: DocumentChange): ReservationMove[] {
  const { id } = collection;
  const codes = new Set([before, after].flatMap((state) => languagesIn(state)));
  const moves: ReservationMove[] = [];
  const unique = collection.fields.filter((field) => reservesValues(field) && field.localized);
  for (const language of codes) {
    const [was, is] = [heldIn(before, language), heldIn(after, language)];
    if (was?.slug !== is?.slug) {
      const keyOf = (slug: string | undefined) =>
        slug === undefined ? null : languageSlugKey(id, language, slug);
      const [held, wanted] = [keyOf(was?.slug), keyOf(is?.slug)];
      moves.push({ field: "slug", held, wanted, isBuilding: false, language });
    }
    for (const { name, key, unique: isUnique } of unique) {
      const [held = null, wanted = null] = [was, is].map((one): Key | null => {
        const value = one?.values[key] ?? null;
        return value === null ? null : uniqueKey(id, `${key}@${language}`, valueHash(value));
      });
      if (sameJson(held as Json, wanted as Json)) continue;
      moves.push({ field: `${language}.${name}`, held, wanted, isBuilding: !isUnique });
    }
  }
  return moves;
}

function languagesIn(state: DocumentState | null): string[] {
  if (!holds(state)) return [];
  const { originalLanguage, translations = {} } = state;
  return [
    ...originalLanguage === undefined ? [] : [originalLanguage],
    ...Object.keys(translations),
  ];
}

/** What a document reserves in a language. */
function heldIn(
  state: DocumentState | null,
  language: string,
): { slug: string; values: { [key: string]: Json } } | null {
  if (!holds(state)) return null;
  if (state.originalLanguage === language) return { slug: state.slug, values: {} };
  const translation = state.translations?.[language];
  return translation ? { slug: translation.slug, values: translation.data } : null;
}

/**
 * Whether a translation's slug is that of an original in the same language: those of the site's language are
 * reserved without a language.
 */
export async function isOriginalsSlug(
  transaction: Transaction,
  change: DocumentChange,
  { wanted, language }: ReservationMove,
): Promise<boolean> {
  const { collection } = change;
  const isSites = language !== undefined && language === languagesOf(collection)?.original;
  if (wanted === null || !isSites) return false;
  const key = slugKey(collection.id, wanted.at(-1) as string);
  const { value: id } = await transaction.get<string>(key);
  transaction.operation.optionalCheck(key);
  if (id === null || id === idOf(change)) return false;
  const { state } = await readHead(transaction.context, "document", id, currentKey("document", id));
  return state !== null && state.originalLanguage === undefined;
}

/** Whether a slug of an original in the site's language is that of a translation into it. */
async function isTranslationsSlug(
  transaction: Transaction,
  change: DocumentChange,
  { field, wanted, language }: ReservationMove,
): Promise<boolean> {
  const { collection, after } = change;
  const site = languagesOf(collection)?.original;
  if (field !== "slug" || language !== undefined || wanted === null || site === undefined) {
    return false;
  }
  if (!collection.localized || after?.originalLanguage !== undefined) return false;
  const key = languageSlugKey(collection.id, site, wanted.at(-1) as string);
  const { value } = await transaction.absent<string>(key);
  return value !== null && value !== idOf(change);
}

/**
 * Moves the reservations of documents that change in one commit: what one of them gives up, another may take.
 * The commit must check them all. Refuses with SLUG_CONFLICT when a document outside has a slug; answers a
 * NOT_UNIQUE detail for each value that one has.
 */
export async function moveReservations(
  transaction: Transaction,
  changes: readonly DocumentChange[],
): Promise<Detail[]> {
  const { operation } = transaction;
  const moves = changes.flatMap((change) =>
    reservationMoves(change).map((move) => ({ ...move, change }))
  );
  const members = new Set(changes.map(idOf));
  const givenUp = new Set(moves.map(({ held }) => held !== null && keyText(held)));
  const wantedNames = new Set(moves.map(({ wanted }) => wanted !== null && keyText(wanted)));
  const details: Detail[] = [];
  for (const move of moves) {
    const { field, held, wanted, isBuilding, change, language } = move;
    const isTaken = await isOriginalsSlug(transaction, change, move) ||
      await isTranslationsSlug(transaction, change, move);
    if (isTaken) throw new Refusal("SLUG_CONFLICT");
    if (wanted !== null) {
      const isPassedOn = givenUp.has(keyText(wanted));
      const { value } = isPassedOn
        ? (await transaction.peek<string>(wanted))[0]
        : await transaction.absent<string>(wanted);
      const isFree = value === null || value === idOf(change) || (isPassedOn && members.has(value));
      if (!isFree && field === "slug") throw new Refusal("SLUG_CONFLICT");
      if (!isFree) {
        details.push(notUnique(field));
        continue;
      }
      operation.set(wanted, idOf(change));
    }
    if (held === null) continue;
    const isLeft = !wantedNames.has(keyText(held)) &&
      (!isBuilding || await isFreeFor(transaction, held, idOf(change)));
    if (isLeft) operation.delete(held);
    if (field === "slug" && wanted !== null) stageOldSlug(transaction, change, language);
  }
  return details;
}

/** Whether a reservation is free or the document's own; a job may be about to make it the document's. */
async function isFreeFor(transaction: Transaction, key: Key, id: string): Promise<boolean> {
  const { value } = await transaction.get<string>(key);
  transaction.operation.optionalCheck(key);
  return value === null || value === id;
}

/** The address that a published document gives up still leads to it. */
function stageOldSlug(
  { operation }: Transaction,
  { collection, before }: DocumentChange,
  language: string | undefined,
): void {
  if (language !== undefined) {
    const translation = before?.translations?.[language];
    if (before === null || translation?.status !== "published") return;
    operation.set(oldLanguageSlugKey(collection.id, language, translation.slug), before.id);
    return;
  }
  if (before?.status !== "published") return;
  operation.set(oldSlugKey(collection.id, before.slug), before.id);
}

/** A reservation that a change wants and another document has. */
export interface TakenReservation {
  field: string;
  key: Key;
  /** The id of the other document. */
  holder: string;
}

/** The reservations of a change that other documents have; reserves nothing. */
export async function takenReservations(
  { context }: Transaction,
  change: DocumentChange,
  moves = reservationMoves(change),
): Promise<TakenReservation[]> {
  const wanted = moves
    .flatMap(({ field, wanted: key }) => key === null ? [] : [{ field, key }]);
  const reserved = await context.store.getMany(wanted.map(({ key }) => key)) as Entry<string>[];
  return zip(wanted, reserved).flatMap(([one, { value: holder }]) => {
    return holder === null || holder === idOf(change) ? [] : [{ ...one, holder }];
  });
}

/**
 * The same for changes that are not public yet. A document of the same open release may give up what it has:
 * the release as a whole decides.
 */
export async function takenForGood(
  transaction: Transaction,
  change: DocumentChange,
): Promise<TakenReservation[]> {
  const taken = await takenReservations(transaction, change);
  if (taken.length === 0 || change.after?.status !== "published") return taken;
  const releases = (await readOpenReleases(transaction.context))
    .filter(({ documents }) => documents.some(({ documentId }) => documentId === idOf(change)));
  const together = new Set(
    releases.flatMap(({ documents }) => documents.map(({ documentId }) => documentId)),
  );
  return taken.filter(({ holder }) => !together.has(holder));
}

/** A NOT_UNIQUE detail for each unique value that a change wants and another document has. */
export async function takenValues(
  transaction: Transaction,
  change: DocumentChange,
): Promise<Detail[]> {
  const moves = reservationMoves(change).filter(({ field }) => field !== "slug");
  return takenValueDetails(await takenReservations(transaction, change, moves));
}

/** Whether a slug is among what is taken. */
export function isSlugTaken(taken: readonly TakenReservation[]): boolean {
  return taken.some(({ field }) => field === "slug");
}

/** A NOT_UNIQUE detail for each unique value that is taken. */
export function takenValueDetails(taken: readonly TakenReservation[]): Detail[] {
  return taken.filter(({ field }) => field !== "slug").map(({ field }) => notUnique(field));
}

/** The document that changes: its state after the change or, if it is removed, before it. */
export function documentOf({ before, after }: Change): DocumentState {
  const state = after ?? before;
  if (state === null) throw new TypeError("A change needs a state before or after it");
  return state;
}

function idOf(change: Change): string {
  return documentOf(change).id;
}

function notUnique(field: string): Detail {
  return { field, code: "NOT_UNIQUE", message: "Another document has this value" };
}

/** A key part of fixed length that identifies a unique value. */
export function valueHash(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32);
}
