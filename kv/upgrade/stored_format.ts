/**
 * The format of what is stored: a number that the first start writes and every start checks. A newer store
 * is refused, an older one is brought up by named steps, each in portions that any process can continue.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { listReferencesStep } from "./list_references_step.ts";
import { listReviewsStep } from "./list_reviews_step.ts";
import { packRowsStep } from "./pack_rows_step.ts";
import { formatKey } from "../keys.ts";
import type { Json } from "../model/entities/entity.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** The format that this release writes. */
export const FORMAT = 4;

/** A portion of a step: what it changes, and where the next one continues; null when it was the last. */
export interface Portion {
  operation: Operation;
  cursor: Json;
}

/** A step that upgrades a store from the previous format to `to`. Running a portion twice is harmless. */
export interface FormatStep {
  to: number;
  /** Never changed once released: a step that was interrupted is found by it. */
  name: string;
  /** Whether the service can work before it is done: it adds rows that earlier releases did not write. */
  inBackground?: true;
  portion(context: Context, cursor: Json): Promise<Portion>;
}

/** Every step, oldest first. */
export const FORMAT_STEPS: readonly FormatStep[] = [
  listReferencesStep,
  packRowsStep,
  listReviewsStep,
];

/** The stored format, and the step that is under way. */
interface FormatRow {
  format: number;
  step?: string;
  cursor?: Json;
  /** Set once the backup before the first step exists. */
  backedUp?: true;
}

/** The store was written by a newer release. */
export class NewerFormat extends Error {
  override name = "NewerFormat";
}

/** Options of an upgrade. */
export interface FormatOptions {
  steps?: readonly FormatStep[];
  target?: number;
  /** Makes a backup; called before the first step of an older store that changes what is there. */
  backUp: () => Promise<void>;
  /** Whether a store of a newer release is opened all the same. */
  allowNewer?: boolean;
}

/** Writes the format into a store that has none: this release's into a new one. */
export async function recordFormat(store: Store, target = FORMAT): Promise<void> {
  for (;;) {
    const entry = await store.get<FormatRow>(formatKey);
    if (entry.value !== null) return;
    // Every store without a number was written by releases of the first format, or is new.
    await advance(store, entry, { format: await isEmpty(store) ? target : 1 });
  }
}

/**
 * Checks the format of a store and brings an older one up, except for steps that can run in the background; answers
 * the names of those, for {@linkcode finishFormat}.
 *
 * @throws {NewerFormat} When the store was written by a newer release.
 */
export async function bringUpFormat(context: Context, options: FormatOptions): Promise<string[]> {
  const { steps = FORMAT_STEPS, target = FORMAT, backUp, allowNewer = false } = options;
  const { store, log } = context;
  await recordFormat(store, target);
  for (;;) {
    const entry = await store.get<FormatRow>(formatKey) as Entry<FormatRow> & { value: FormatRow };
    const row = entry.value;
    if (row.format > target) {
      if (!allowNewer) {
        throw new NewerFormat(
          `the store has format ${row.format}, this release knows ${target}: start a newer ` +
            "release, or set ALLOW_NEWER_STORE=1 to open it all the same",
        );
      }
      log.warn("store of a newer release", { format: row.format, known: target });
      return [];
    }
    const left = steps.filter(({ to }) => to > row.format && to <= target);
    if (left.every(({ inBackground }) => inBackground)) return left.map(({ name }) => name);
    if (!row.backedUp) {
      await backUp();
      await advance(store, entry, { ...row, backedUp: true });
      continue;
    }
    await takeStep(context, { steps, target }, entry);
  }
}

/** Takes the steps that can run in the background. */
export async function finishFormat(
  context: Context,
  { steps = FORMAT_STEPS, target = FORMAT }: Omit<FormatOptions, "backUp"> = {},
): Promise<void> {
  for (;;) {
    const entry = await context.store.get<FormatRow>(formatKey);
    if (entry.value === null || entry.value.format >= target) return;
    await takeStep(context, { steps, target }, entry as Entry<FormatRow> & { value: FormatRow });
  }
}

/** Makes one portion of the step that is due. */
async function takeStep(
  context: Context,
  { steps, target }: Required<Pick<FormatOptions, "steps" | "target">>,
  entry: Entry<FormatRow> & { value: FormatRow },
): Promise<void> {
  const { store, log } = context;
  const row = entry.value;
  const step = steps.find(({ to, name }) => to === row.format + 1 && name === (row.step ?? name));
  if (step === undefined) throw new Error(`No step leads from format ${row.format}`);
  const { operation, cursor } = await step.portion(context, row.cursor ?? null);
  const kept = row.backedUp && { backedUp: row.backedUp };
  const next = cursor === null
    ? { format: step.to, ...(step.to < target && kept) }
    : { format: row.format, ...kept, step: step.name, cursor };
  const done = await advance(store, entry, next, operation);
  if (done && cursor === null) {
    log.info("stored format upgraded", { step: step.name, format: step.to });
  }
}

/** Commits under a check of the row, so that of many processes one makes each portion. */
async function advance(
  store: Store,
  entry: Entry<FormatRow>,
  row: FormatRow,
  operation = new Operation(),
): Promise<boolean> {
  return (await store.commit(operation.check(entry).set(formatKey, row))).ok;
}

async function isEmpty(store: Store): Promise<boolean> {
  return (await store.listAll({ prefix: [] }, { limit: 1 })).length === 0;
}
