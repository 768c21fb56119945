/**
 * The format of what is stored: a number that the first start writes and every start checks. A newer store
 * is refused, an older one is brought up by named steps, each in portions that any process can go on with.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { formatKey } from "../keys.ts";
import type { Json } from "../model/entity.ts";
import { type Entry, Operation } from "./operation.ts";
import type { Store } from "./store.ts";

/** The format that this release writes. */
export const FORMAT = 1;

/** A portion of a step: what it changes, and from where the next goes on; null when it was the last. */
export interface Portion {
  operation: Operation;
  cursor: Json;
}

/** What brings a store from the format before to `to`. A portion that runs twice does no harm. */
export interface FormatStep {
  to: number;
  /** Never changed once released: a step that was interrupted is found by it. */
  name: string;
  portion(context: Context, cursor: Json): Promise<Portion>;
}

/** Every step, oldest first. */
export const FORMAT_STEPS: readonly FormatStep[] = [];

/** The stored format, and the step that is under way. */
interface FormatRow {
  format: number;
  step?: string;
  cursor?: Json;
  /** Set once the back-up before the first step is there. */
  backedUp?: true;
}

/** The store was written by a newer release. */
export class NewerFormat extends Error {
  override name = "NewerFormat";
}

/** What bringing a store up needs besides it. */
export interface FormatOptions {
  steps?: readonly FormatStep[];
  target?: number;
  /** Makes a back-up; called before the first step of an older store. */
  backUp: () => Promise<void>;
}

/**
 * Checks the format of a store, writes it into one that has none, and brings an older one up. Throws
 * {@linkcode NewerFormat} for one that this release cannot read.
 */
export async function bringUpFormat(context: Context, options: FormatOptions): Promise<void> {
  const { steps = FORMAT_STEPS, target = FORMAT, backUp } = options;
  const { store, log } = context;
  for (;;) {
    const entry = await store.get<FormatRow>(formatKey);
    const row = entry.value;
    if (row === null) {
      // Every store without a number was written by releases of the first format, or is new.
      const first = await isEmpty(store) ? target : 1;
      await advance(store, entry, { format: first });
      continue;
    }
    if (row.format > target) {
      throw new NewerFormat(
        `the store has format ${row.format}, this release knows ${target}: start a newer release`,
      );
    }
    if (row.format === target) return;
    if (!row.backedUp) {
      await backUp();
      await advance(store, entry, { ...row, backedUp: true });
      continue;
    }
    const step = steps.find(({ to, name }) => to === row.format + 1 && name === (row.step ?? name));
    if (step === undefined) throw new Error(`No step leads from format ${row.format}`);
    const { operation, cursor } = await step.portion(context, row.cursor ?? null);
    const next = cursor === null
      ? { format: step.to, ...(step.to < target && { backedUp: true as const }) }
      : { format: row.format, backedUp: true as const, step: step.name, cursor };
    const done = await advance(store, entry, next, operation);
    if (done && cursor === null) log.info("store brought up", { step: step.name, format: step.to });
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
