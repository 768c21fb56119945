/**
 * The lease of a segment that is being written: only its holder can write pieces of it, and only while
 * no other process has considered the segment abandoned.
 *
 * @module
 */
import type { Key, SegmentId } from "../keys.ts";
import { type Check, Operation } from "../store/operation.ts";
import type { Obsolete, SegmentSet } from "./segment_set.ts";

/** Bytes that go to the store in one commit: more would make other commits wait. */
const COMMIT_BYTES = 300_000;

/** Another process has taken the segment, or the manifest, and continues the work. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** Pieces that are gathered, and committed under a check. */
export class PieceWriter {
  #waiting: { key: Key; bytes: Uint8Array }[] = [];
  #bytes = 0;
  /** The commit that {@linkcode makeRoom} has begun. */
  #underWay: Promise<void> = Promise.resolve();

  constructor(readonly set: SegmentSet, readonly fence: Check) {}

  /** Whether {@linkcode makeRoom} should be called before more is added. */
  get isFull(): boolean {
    return this.#bytes >= COMMIT_BYTES;
  }

  /** Adds a piece of a segment. */
  add(id: SegmentId, piece: Key, bytes: Uint8Array): void {
    this.#waiting.push({ key: this.set.pieceKey(id, piece), bytes });
    this.#bytes += bytes.length;
  }

  /**
   * Begins to commit what waits, once the commit before has ended: the next pieces are prepared in the meantime. A commit that
   * fails is reported by the next call.
   */
  async makeRoom(): Promise<void> {
    await this.#underWay;
    this.#underWay = this.#commit();
    this.#underWay.catch(() => {});
  }

  /** Commits what waits; throws {@linkcode LeaseLost} when the check fails. */
  async drain(): Promise<void> {
    await this.#underWay;
    while (this.#waiting.length > 0) await this.#commit();
  }

  /** Adds what waits to a commit that checks for itself, once it fits in there and all before it is committed. */
  async stage(operation: Operation): Promise<void> {
    await this.#underWay;
    if (this.isFull) await this.drain();
    this.#take(operation);
  }

  async #commit(): Promise<void> {
    const operation = new Operation().check(this.fence);
    this.#take(operation);
    if (!(await this.set.store.commit(operation)).ok) throw new LeaseLost("Fenced off");
  }

  #take(operation: Operation): void {
    let taken = 0;
    for (let bytes = 0; taken < this.#waiting.length && bytes < COMMIT_BYTES; taken++) {
      const { key, bytes: piece } = this.#waiting[taken]!;
      operation.set(key, piece);
      bytes += piece.length;
    }
    for (const { bytes } of this.#waiting.splice(0, taken)) this.#bytes -= bytes.length;
  }
}

/** The right to write a segment that no manifest names yet. */
export class SegmentLease {
  readonly #writer: PieceWriter;

  private constructor(set: SegmentSet, readonly id: SegmentId, readonly entry: Check) {
    this.#writer = new PieceWriter(set, entry);
  }

  /** Takes a lease until `dueAt`; null when a check of `more` fails. */
  static async take(
    set: SegmentSet,
    id: SegmentId,
    dueAt: number,
    more?: (operation: Operation) => void,
  ): Promise<SegmentLease | null> {
    const key = [...set.keys.leases, id];
    const operation = new Operation().set(key, { dueAt } satisfies Obsolete);
    more?.(operation);
    const result = await set.store.commit(operation);
    return result.ok ? new SegmentLease(set, id, { key, versionstamp: result.versionstamp }) : null;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  /** Adds a piece of the segment. */
  add(piece: Key, bytes: Uint8Array): void {
    this.#writer.add(this.id, piece, bytes);
  }

  /** Begins to commit what waits, and waits for the commit before. */
  async makeRoom(): Promise<void> {
    await this.#writer.makeRoom();
  }

  /** Adds the rest and the end of the lease to the commit that makes the manifest name the segment. */
  async stage(operation: Operation): Promise<void> {
    await this.#writer.stage(operation);
    operation.check(this.entry).delete(this.entry.key);
  }
}
