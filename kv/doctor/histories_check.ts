/**
 * Histories: between two versions that are kept none is missing but those that a note tells were pruned, and
 * every note is about what it says.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { VersionRow } from "../versioning/entities.ts";
import { recordPruned } from "../versioning/timeline/log.ts";
import { type Gap, noteStampKey, type VersionNote } from "../versioning/version_notes.ts";
import { versionKey, versionNoteKey, versionNotePrefix, versionTypePrefix } from "../keys.ts";
import { ENTITY_TYPES, type EntityType } from "../model/entities/entity_kinds.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { DoctorOptions, Finding } from "./finding.ts";

/** Versions read in one go: their states, of up to 48 KB, come with them. */
const VERSIONS_PER_READ = 40;

/** A version with the one that is kept behind it. */
interface Step {
  type: EntityType;
  id: string;
  before: VersionRow;
  row: VersionRow;
}

/** Examines the histories of all entities. */
export async function* checkHistories(
  { content: { context } }: DoctorOptions,
): AsyncGenerator<Finding> {
  for (const type of ENTITY_TYPES) {
    const range = { prefix: versionTypePrefix(type) };
    let last = null as { id: string; row: VersionRow } | null;
    const options = { batchSize: VERSIONS_PER_READ };
    for await (const { key, value } of context.store.list<VersionRow>(range, options)) {
      const id = key[2] as string;
      const { body: _body, ...row } = value;
      if (last?.id === id && row.n > last.row.n + 1) {
        yield* checkGap(context, { type, id, before: last.row, row });
      }
      last = { id, row };
    }
    yield* checkNotes(context, type);
  }
}

async function* checkGap(context: Context, step: Step): AsyncGenerator<Finding> {
  const { type, id, before, row } = step;
  const key = versionNoteKey(type, id, before.n + 1);
  const [note, ...neighbours] = await context.store.getMany([
    key,
    versionKey(type, id, before.n),
    versionKey(type, id, row.n),
  ]) as Entry[];
  // A prune may have run in between.
  if (neighbours.some(({ value }) => value === null)) return;
  if ((note!.value as Gap | null)?.end === row.n) return;
  yield {
    check: "histories",
    subject: `${type} ${id} version ${row.n}`,
    problem: `nothing says what became of the versions since ${before.n}`,
    repair: () => noteGap(context, step, note!),
  };
}

/** Notes that versions are gone, without further details. */
async function noteGap(
  { store }: Context,
  { type, id, before, row }: Step,
  note: Entry,
): Promise<boolean> {
  const range = { first: before.n + 1, end: row.n };
  const gap: Gap = { end: row.n, at: before.at, sitting: false };
  const operation = new Operation().check(note).touch(noteStampKey(type, id)).set(note.key, gap);
  recordPruned(operation, type, id, range);
  return (await store.commit(operation)).ok;
}

async function* checkNotes(context: Context, type: EntityType): AsyncGenerator<Finding> {
  const { store } = context;
  for await (const note of store.list<VersionNote>({ prefix: versionNotePrefix(type) })) {
    const [, , id, n] = note.key as [string, string, string, number];
    if (n === 0) continue;
    const isName = typeof note.value === "string";
    const version = await store.get(versionKey(type, id, n));
    if ((version.value !== null) === isName) continue;
    yield {
      check: "histories",
      subject: `${type} ${id} version ${n}`,
      problem: isName
        ? `it is called "${note.value}" and is not there`
        : "it is there, although a note tells that it was pruned",
      repair: async () => {
        const operation = new Operation().check(note).check(version).delete(note.key);
        return (await store.commit(operation)).ok;
      },
    };
  }
}
