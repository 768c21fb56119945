/**
 * What rows of other systems have become, after the import of a backup that does not say it: backups of earlier releases.
 * Marks of entities that the backup has stay, and the next run compares them again; the others are deleted.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { currentKey, type Key } from "../keys.ts";
import { zip } from "../model/primitives/zip.ts";
import type { Entry } from "../store/operation.ts";
import type { Transferred } from "../transfers/transfer_changes.ts";
import { transferredPrefix } from "../transfers/transfer_keys.ts";
import type { CurrentRow } from "../versioning/entities.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Marks looked at in one commit. */
const MARKS_AT_ONCE = 200;

/** Settles a portion from the key `after` on, and others while it `mayContinue`; returns where to continue, null at the end. */
export async function settleMarks(
  context: Context,
  lock: HeldLock,
  { after, mayContinue }: { after: Key | null; mayContinue: () => boolean },
): Promise<Key | null> {
  const { store } = context;
  let last = after;
  do {
    const start = last === null ? {} : { start: [...last, 0] };
    const range = { prefix: transferredPrefix, ...start };
    const marks = await store.listAll<Transferred>(range, { limit: MARKS_AT_ONCE });
    const operation = underLock(lock);
    for (const { key, value, isThere } of await withEntities(context, lock, marks)) {
      if (isThere) operation.set(key, { ...value, hash: "" } satisfies Transferred);
      else operation.delete(key);
    }
    if (marks.length > 0 && !(await store.commit(operation)).ok) {
      throw new LockLost("The lock was lost");
    }
    last = marks.length < MARKS_AT_ONCE ? null : marks.at(-1)?.key ?? null;
  } while (last !== null && mayContinue());
  return last;
}

/** Marks, and whether the import has put their documents or files in place. */
async function withEntities(
  { store }: Context,
  lock: HeldLock,
  marks: readonly { key: Key; value: Transferred }[],
): Promise<{ key: Key; value: Transferred; isThere: boolean }[]> {
  const types = ["document", "media_metadata"] as const;
  const [documents = [], media = []] = await Promise.all(
    types.map((type) => store.getMany(marks.map(({ value }) => currentKey(type, value.id)))),
  ) as Entry<CurrentRow>[][];
  const isReplayed = ({ value, versionstamp }: Entry<CurrentRow>) =>
    value !== null && !value.gone && (versionstamp ?? "") > lock.stamp;
  return zip(marks, zip(documents, media)).map(([{ key, value }, [document, medium]]) => {
    return { key, value, isThere: isReplayed(document) || isReplayed(medium) };
  });
}
