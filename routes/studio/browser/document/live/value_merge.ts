/**
 * Three-way merge of a value that two users have changed. If the changes conflict, the local one wins in the
 * result and the conflict is reported.
 *
 * @module
 */
import type { Value } from "../control_values.ts";
import { isJsonObject } from "../../../../../kv/model/values/json_object.ts";
import { keysOf, same } from "./same_value.ts";
import { type Edit, editOf, sentencesOf, textEdit } from "./sequence_edit.ts";

/** The result of a merge. */
export interface Merged {
  value: Value;
  /** Whether both changed the same part in different ways. */
  isConflict: boolean;
}

/** Texts up to this length are never joined, characters. */
const SHORT_CHARS = 200;
/** Parts of a text block that mean something only together. */
const INSEPARABLE = ["children", "markDefs"];

/** `base` with what became of it here and there. */
export function mergeValues(base: Value, mine: Value, theirs: Value): Merged {
  if (same(mine, base) || same(mine, theirs)) return { value: theirs, isConflict: false };
  if (same(theirs, base)) return { value: mine, isConflict: false };
  if (typeof mine === "string" && typeof theirs === "string") {
    return mergeTexts(typeof base === "string" ? base : "", mine, theirs);
  }
  if (isJsonObject(mine) && isJsonObject(theirs)) {
    return mergeObjects(isJsonObject(base) ? base : {}, mine, theirs);
  }
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    return mergeLists(Array.isArray(base) ? base : [], mine, theirs);
  }
  return { value: mine, isConflict: true };
}

/**
 * Two edits of a text are merged if they are in different sentences. Within one sentence, or in a short text, a
 * merge would produce words that neither user wrote.
 */
function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const conflict = { value: mine, isConflict: true };
  if (Math.min(base.length, mine.length, theirs.length) <= SHORT_CHARS) return conflict;
  const [here, there] = [textEdit(base, mine), textEdit(base, theirs)];
  const [left, right] = [sentencesOf(base, here), sentencesOf(base, there)];
  if (left.to > right.from && right.to > left.from) return conflict;
  const cut = (text: string, from: number, to: number) => text.slice(from, to);
  const parts = woven({ base, mine, theirs }, here, there, cut);
  return parts === null ? conflict : { value: parts.join(""), isConflict: false };
}

interface Three<T> {
  base: T;
  mine: T;
  theirs: T;
}

/** The parts of both results in order; null if the edits overlap. */
function woven<T extends { length: number }>(
  { base, mine, theirs }: Three<T>,
  here: Edit,
  there: Edit,
  cut: (sequence: T, from: number, to: number) => T,
): T[] | null {
  const [first, second] = there.to <= here.from
    ? [{ edit: there, whole: theirs }, { edit: here, whole: mine }]
    : [{ edit: here, whole: mine }, { edit: there, whole: theirs }];
  if (first.edit.to > second.edit.from) return null;
  return [
    cut(base, 0, first.edit.from),
    cut(first.whole, first.edit.from, first.edit.end),
    cut(base, first.edit.to, second.edit.from),
    cut(second.whole, second.edit.from, second.edit.end),
    cut(base, second.edit.to, base.length),
  ];
}

type Values = Record<string, Value>;

function mergeObjects(base: Values, mine: Values, theirs: Values): Merged {
  const value: Values = {};
  let isConflict = false;
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const merged = INSEPARABLE.includes(key) && "_type" in mine
      ? mergeSpans(base[key], mine[key], theirs[key])
      : mergeValues(base[key], mine[key], theirs[key]);
    isConflict ||= merged.isConflict;
    if (merged.value !== undefined) value[key] = merged.value;
  }
  return { value, isConflict };
}

/** Spans are merged only while there are the same of them: their keys do not last. */
function mergeSpans(base: Value, mine: Value, theirs: Value): Merged {
  if (same(mine, base) || same(theirs, base) || same(mine, theirs)) {
    return mergeValues(base, mine, theirs);
  }
  const lists = [base, mine, theirs];
  const [length] = lists.map((list) => Array.isArray(list) ? list.length : -1);
  const isAlike = lists.every((list) => Array.isArray(list) && list.length === length);
  return isAlike
    ? mergeEach(base as Value[], mine as Value[], theirs as Value[])
    : { value: mine, isConflict: true };
}

function mergeEach(base: Value[], mine: Value[], theirs: Value[]): Merged {
  const merged = mine.map((value, at) => mergeValues(base[at], value, theirs[at]));
  return {
    value: merged.map(({ value }) => value),
    isConflict: merged.some(({ isConflict }) => isConflict),
  };
}

function mergeLists(base: Value[], mine: Value[], theirs: Value[]): Merged {
  if (keysOf(base) !== null && keysOf(mine) !== null && keysOf(theirs) !== null) {
    return mergeKeyed(base, mine, theirs);
  }
  if (base.length === mine.length && base.length === theirs.length) {
    return mergeEach(base, mine, theirs);
  }
  const [here, there] = [editOf(base, mine, same), editOf(base, theirs, same)];
  const cut = (list: Value[], from: number, to: number) => list.slice(from, to);
  const parts = woven({ base, mine, theirs }, here, there, cut);
  return parts === null
    ? { value: mine, isConflict: true }
    : { value: parts.flat(), isConflict: false };
}

/**
 * Elements are identified by key: the remote order is kept, and local additions follow the element they were
 * added after.
 */
function mergeKeyed(base: Value[], mine: Value[], theirs: Value[]): Merged {
  const [before, here, there] = [base, mine, theirs].map((list) =>
    new Map(keysOf(list)!.map((key, at) => [key, list[at]]))
  ) as [Map<string, Value>, Map<string, Value>, Map<string, Value>];
  const merged = new Map<string, Value>();
  let isConflict = false;
  for (const key of new Set([...here.keys(), ...there.keys()])) {
    const isHere = here.has(key);
    const isThere = there.has(key);
    if (isHere && isThere) {
      const result = mergeValues(before.get(key), here.get(key), there.get(key));
      isConflict ||= result.isConflict;
      merged.set(key, result.value);
      continue;
    }
    // An element that one user removed stays only if the other user changed it.
    const left = isHere ? here.get(key) : there.get(key);
    if (!before.has(key) || !same(left, before.get(key))) merged.set(key, left);
  }
  return {
    value: ordered(before, here, there).flatMap((key) => {
      return merged.has(key) ? [merged.get(key)] : [];
    }),
    isConflict,
  };
}

type Keyed = ReadonlyMap<string, Value>;

/** All keys in the order of the user who moved elements; additions of the other follow their predecessor. */
function ordered(before: Keyed, here: Keyed, there: Keyed): string[] {
  const common = (keys: Keyed) => [...keys.keys()].filter((key) => here.has(key) && there.has(key));
  const isMovedThere =
    common(there).join() !== common(before).filter((key) => there.has(key)).join();
  const [leading, following] = isMovedThere ? [there, here] : [here, there];
  const order = [...leading.keys()];
  let last: string | null = null;
  for (const key of following.keys()) {
    if (!leading.has(key)) order.splice(last === null ? 0 : order.indexOf(last) + 1, 0, key);
    last = key;
  }
  return order;
}
