/**
 * The visibility of a token: which collections, in which statuses, and in which shape. A cursor names the
 * snapshot that it was created with, so that later changes of visibility are reported.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { changeVisibilityKey } from "./change_keys.ts";
import { CHANGES_KEPT_SECONDS } from "../limits/requests.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type Status, STATUSES } from "../model/entities/document.ts";
import { sha256 } from "../model/values/sha256.ts";
import { Operation } from "../store/operation.ts";
import { REMEMBERED_VISIBILITIES_MAX } from "../tuning.ts";

/** A collection as a token sees it. */
export interface VisibleCollection {
  slug: string;
  statuses: Status[];
  /** Digest of the shape of its documents; a new digest means that every document has changed. */
  shape: string;
}

/** Collections by id; invisible ones are absent. */
export type VisibilitySnapshot = { readonly [collectionId: string]: VisibleCollection };

/** The snapshot of a token that sees nothing. */
export const NOTHING_VISIBLE: VisibilitySnapshot = {};

/** How often the record of a snapshot in use is renewed, milliseconds. */
const RENEWED_MS = 86_400_000;

/** The digest of the shape of a collection's documents. */
export function shapeOf({ slug, fields }: Collection): string {
  const names = fields.map(({ key, name, type }) => [key, name, type]);
  return sha256(JSON.stringify([slug, names])).slice(0, 16);
}

/** Whether a document of this status is visible. */
export function isVisible(
  visibility: VisibilitySnapshot,
  collectionId: string,
  status: Status | null,
): boolean {
  return status !== null && visibility[collectionId]?.statuses.includes(status) === true;
}

/** Whether a collection is visible in the same way. */
export function isVisibleAlike(
  a: VisibilitySnapshot,
  b: VisibilitySnapshot,
  collectionId: string,
): boolean {
  return JSON.stringify(a[collectionId]) === JSON.stringify(b[collectionId]);
}

/**
 * Everything that is visible in either snapshot. A collection that differs has no shape, so that it is never
 * the same as in another snapshot and is reported again.
 */
export function unionOf(a: VisibilitySnapshot, b: VisibilitySnapshot): VisibilitySnapshot {
  const both: { [collectionId: string]: VisibleCollection } = {};
  for (const [id, seen] of Object.entries({ ...a, ...b })) {
    const statuses = STATUSES.filter((status) =>
      isVisible(a, id, status) || isVisible(b, id, status)
    );
    both[id] = { ...seen, statuses, shape: isVisibleAlike(a, b, id) ? seen.shape : "" };
  }
  return both;
}

/**
 * The visibility of a request that selects collections. The others stay as the cursor has them, so that the
 * selection alone neither removes nor adds anything, and a later request can select others. A selected
 * collection that was renamed or is no longer visible counts as gone.
 */
export function chosenVisibility(
  { visibility, collections }: {
    visibility: VisibilitySnapshot;
    collections: readonly string[] | null;
  },
  reported: VisibilitySnapshot,
): { visibility: VisibilitySnapshot; isChosen: (collectionId: string) => boolean } {
  if (collections === null) return { visibility, isChosen: () => true };
  const names = new Set(collections);
  const isNamed = (one: VisibleCollection | undefined) => one !== undefined && names.has(one.slug);
  const isChosen = (id: string) => isNamed(visibility[id]) || isNamed(reported[id]);
  const entries = [
    ...Object.entries(reported).filter(([id]) => !isChosen(id)),
    ...Object.entries(visibility).filter(([, one]) => isNamed(one)),
  ];
  return { visibility: Object.fromEntries(entries), isChosen };
}

/** The digest of a snapshot, which cursors carry. */
function visibilityDigest(visibility: VisibilitySnapshot): string {
  const parts = Object.keys(visibility).sort().map((id) => [id, visibility[id]]);
  return parts.length === 0 ? "" : sha256(JSON.stringify(parts)).slice(0, 16);
}

/** The snapshots of tokens, kept as long as cursors may name them. */
export class VisibilitySnapshots {
  readonly #context: Context;
  /** When this process last wrote a snapshot, epoch milliseconds. */
  readonly #written = new Map<string, number>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Stores a snapshot of a token; returns its digest. */
  async keep(tokenId: string, visibility: VisibilitySnapshot): Promise<string> {
    const digest = visibilityDigest(visibility);
    const name = `${tokenId} ${digest}`;
    const now = this.#context.now();
    if (digest === "" || now - (this.#written.get(name) ?? -Infinity) < RENEWED_MS) return digest;
    const expireIn = CHANGES_KEPT_SECONDS * 1000 + 2 * RENEWED_MS;
    const operation = new Operation().set(changeVisibilityKey(tokenId, digest), visibility, {
      expireIn,
    });
    await this.#context.store.commit(operation);
    if (this.#written.size >= REMEMBERED_VISIBILITIES_MAX) this.#written.clear();
    this.#written.set(name, now);
    return digest;
  }

  /** The snapshot of a token with this digest; null if there is none or it has expired. */
  async find(tokenId: string, digest: string): Promise<VisibilitySnapshot | null> {
    if (digest === "") return NOTHING_VISIBLE;
    return (await this.#context.store.get<VisibilitySnapshot>(changeVisibilityKey(tokenId, digest)))
      .value;
  }
}
