/**
 * What a token sees: which collections, in which statuses, and in which shape. A consumer's cursor names
 * the sight that it was given by, so that a later one is told what it no longer sees, and what it sees now.
 *
 * @module
 */
import type { Context } from "../versioning/context.ts";
import { changeSightKey } from "./change_keys.ts";
import { CHANGES_KEPT_SECONDS } from "../limits.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type Status, STATUSES } from "../model/entities/document.ts";
import { sha256 } from "../model/values/sha256.ts";
import { Operation } from "../store/operation.ts";
import { REMEMBERED_SIGHTS_MAX } from "../tuning.ts";

/** A collection as a token sees it. */
export interface SeenCollection {
  slug: string;
  statuses: Status[];
  /** Digest of what its documents look like: another one means that every document has changed. */
  shape: string;
}

/** Collections by id; one that is not seen is not there. */
export type Sight = { readonly [collectionId: string]: SeenCollection };

/** Of somebody who sees nothing. */
export const NO_SIGHT: Sight = {};

/** How often the record of a sight is written again while it is in use, milliseconds. */
const RENEWED_MS = 86_400_000;

/** What the documents of a collection look like, as a digest. */
export function shapeOf({ slug, fields }: Collection): string {
  const names = fields.map(({ key, name, type }) => [key, name, type]);
  return sha256(JSON.stringify([slug, names])).slice(0, 16);
}

/** Whether a document of this status is seen. */
export function sees(sight: Sight, collectionId: string, status: Status | null): boolean {
  return status !== null && (sight[collectionId]?.statuses.includes(status) ?? false);
}

/** Whether a collection is seen in the same way. */
export function seesAlike(a: Sight, b: Sight, collectionId: string): boolean {
  return JSON.stringify(a[collectionId]) === JSON.stringify(b[collectionId]);
}

/**
 * All that is seen in either. What the two do not see alike was told by one or by the other: it has no shape,
 * so that no sight sees it alike and all of it is told again.
 */
export function unionOf(a: Sight, b: Sight): Sight {
  const both: { [collectionId: string]: SeenCollection } = {};
  for (const id of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const seen = (b[id] ?? a[id])!;
    const statuses = STATUSES.filter((status) => sees(a, id, status) || sees(b, id, status));
    both[id] = { ...seen, statuses, shape: seesAlike(a, b, id) ? seen.shape : "" };
  }
  return both;
}

/**
 * The sight of a request that asks for some collections only. The others stay as the cursor has them, so that
 * the choice alone neither removes nor adds anything, and a later request can ask for others. A chosen
 * collection that was renamed or is no longer visible is gone for the request.
 */
export function chosenSight(
  { sight, collections }: { sight: Sight; collections: readonly string[] | null },
  told: Sight,
): { sight: Sight; isChosen: (collectionId: string) => boolean } {
  if (collections === null) return { sight, isChosen: () => true };
  const names = new Set(collections);
  const isNamed = (one: SeenCollection | undefined) => one !== undefined && names.has(one.slug);
  const isChosen = (id: string) => isNamed(sight[id]) || isNamed(told[id]);
  const entries = [
    ...Object.entries(told).filter(([id]) => !isChosen(id)),
    ...Object.entries(sight).filter(([, one]) => isNamed(one)),
  ];
  return { sight: Object.fromEntries(entries), isChosen };
}

/** The digest of a sight, which cursors carry. */
export function sightDigest(sight: Sight): string {
  const parts = Object.keys(sight).sort().map((id) => [id, sight[id]]);
  return parts.length === 0 ? "" : sha256(JSON.stringify(parts)).slice(0, 16);
}

/** The sights of tokens, kept as long as cursors may name them. */
export class Sights {
  readonly #context: Context;
  /** When a sight was last written by this process, epoch milliseconds. */
  readonly #written = new Map<string, number>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Keeps a sight of a token; answers its digest. */
  async keep(tokenId: string, sight: Sight): Promise<string> {
    const digest = sightDigest(sight);
    const name = `${tokenId} ${digest}`;
    const now = this.#context.now();
    if (digest === "" || now - (this.#written.get(name) ?? -Infinity) < RENEWED_MS) return digest;
    const expireIn = CHANGES_KEPT_SECONDS * 1000 + 2 * RENEWED_MS;
    const operation = new Operation().set(changeSightKey(tokenId, digest), sight, { expireIn });
    await this.#context.store.commit(operation);
    if (this.#written.size >= REMEMBERED_SIGHTS_MAX) this.#written.clear();
    this.#written.set(name, now);
    return digest;
  }

  /** The sight of a token with this digest; null when there was none, or it is too long ago. */
  async find(tokenId: string, digest: string): Promise<Sight | null> {
    if (digest === "") return NO_SIGHT;
    return (await this.#context.store.get<Sight>(changeSightKey(tokenId, digest))).value;
  }
}
