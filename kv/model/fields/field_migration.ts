/**
 * Values of fields whose type changes or has changed: which former values a document stores next to the
 * current ones, and which are no longer needed.
 *
 * @module
 */
import type { Collection, Schema } from "../entities/collection.ts";
import { ownValue } from "../primitives/own_value.ts";
import { convertValue } from "./convert_value.ts";
import type { DocumentState } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";

/**
 * A state as it is to be written: with the converted values of fields that are being migrated, without the
 * values of types that fields had before. A value that cannot be converted is kept as null.
 */
export function withConverted(
  state: DocumentState,
  collection: Collection,
  blocks: Schema["blocks"],
): DocumentState {
  return inAll(state, (values) => converted(values, collection, blocks));
}

type Values = { [key: string]: Json };

/** A state with the values of all its languages converted; itself if none changes. */
function inAll(state: DocumentState, convert: (values: Values) => Values): DocumentState {
  const { translations = {} } = state;
  const own = inOne(state, convert);
  const entries = Object.entries(translations).map(([code, one]) => [code, inOne(one, convert)]);
  const next: typeof translations = Object.fromEntries(entries);
  const isSame = Object.keys(next).every((code) => next[code] === translations[code]);
  return isSame ? own : { ...own, translations: next };
}

/** The values of one language, and those of its working copy, converted; the same ones if none changes. */
function inOne<T extends Pick<DocumentState, "data" | "workingCopy">>(
  one: T,
  convert: (values: Values) => Values,
): T {
  const { workingCopy } = one;
  const data = convert(one.data);
  const changes = workingCopy && convert(workingCopy);
  if (data === one.data && changes === workingCopy) return one;
  return { ...one, data, ...(changes !== undefined && { workingCopy: changes }) };
}

function converted(before: Values, collection: Collection, blocks: Schema["blocks"]): Values {
  const values: Values = { ...before };
  let changed = false;
  for (const field of collection.fields) {
    for (const { key } of field.formerly ?? []) {
      if (!Object.hasOwn(values, key)) continue;
      delete values[key];
      changed = true;
    }
    if (field.migrating === undefined) continue;
    const { key, to } = field.migrating;
    const value = ownValue(values, field.key);
    // In a working copy null is a value: it clears the published one.
    if (value === undefined) delete values[key];
    else if (value === null) values[key] = null;
    else {
      const result = convertValue(value, field, to, blocks);
      values[key] = "value" in result ? result.value : null;
    }
    changed = true;
  }
  return changed ? values : before;
}

/** A state from history with values of former field types converted to the present ones. */
export function modernized(
  state: DocumentState,
  collection: Collection,
  blocks: Schema["blocks"],
): DocumentState {
  if (collection.fields.every(({ formerly }) => formerly === undefined)) return state;
  return inAll(state, (values) => modernizedValues(values, collection, blocks));
}

/** The values of such a state. */
export function modernizedValues(
  before: Values,
  collection: Collection,
  blocks: Schema["blocks"],
): Values {
  const values: Values = { ...before };
  for (const field of collection.fields) {
    if (field.formerly === undefined || Object.hasOwn(values, field.key)) continue;
    const former = field.formerly.findLast(({ key }) => Object.hasOwn(values, key));
    if (former === undefined) continue;
    const converted = convertValue(values[former.key] ?? null, former, field, blocks);
    if ("value" in converted && converted.value !== null) values[field.key] = converted.value;
  }
  return values;
}
