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
  const data = converted(state.data, collection, blocks);
  const { workingCopy } = state;
  const changes = workingCopy && converted(workingCopy, collection, blocks);
  const translations = inAll(state.translations, (one) => converted(one, collection, blocks));
  const isSame = data === state.data && changes === workingCopy;
  if (isSame && translations === state.translations) return state;
  return {
    ...state,
    data,
    ...(changes !== undefined && { workingCopy: changes }),
    ...(translations !== undefined && { translations }),
  };
}

/** Translations with their values, and those of their working copies, converted; the same ones if none changes. */
function inAll(
  translations: DocumentState["translations"],
  convert: (values: Values) => Values,
): DocumentState["translations"] {
  let changed = false;
  const next = Object.entries(translations ?? {}).map(([code, translation]) => {
    const { data, workingCopy } = translation;
    const values = convert(data);
    const changes = workingCopy && convert(workingCopy);
    if (values === data && changes === workingCopy) return [code, translation] as const;
    changed = true;
    const copy = changes !== undefined && { workingCopy: changes };
    return [code, { ...translation, data: values, ...copy }] as const;
  });
  return changed ? Object.fromEntries(next) : translations;
}

type Values = { [key: string]: Json };

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
  const { workingCopy } = state;
  const read = (values: Values) => modernizedValues(values, collection, blocks);
  const translations = inAll(state.translations, read);
  return {
    ...state,
    data: read(state.data),
    ...(workingCopy !== undefined && { workingCopy: read(workingCopy) }),
    ...(translations !== undefined && { translations }),
  };
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
