/**
 * Texts of which the index holds only the beginning: what that decides about them, and what only the whole
 * text can decide.
 *
 * @module
 */
import { INDEXED_CHARS_MAX } from "../../limits/content.ts";
import type { Dictionary } from "../segments/column.ts";
import type { Bound, FieldCondition, Part } from "./condition.ts";
import type { Sliced } from "../../store/slices.ts";

/** The texts of a dictionary that may be longer than what it holds. */
export interface CutTexts {
  /** Their indexes among the texts. */
  indexes: Uint32Array;
  /** Byte offsets in the sort forms up to which each one equals the sort form of the whole text. */
  ends: Uint32Array;
}

/** Texts that are looked at between two yields. */
const AT_ONCE = 4_096;

const known = new WeakMap<Dictionary, CutTexts | null>();

/** The texts of a field's dictionary that may be cut; null when all of them are whole. */
export function* cutTexts(dictionary: Dictionary): Sliced<CutTexts | null> {
  const before = known.get(dictionary);
  if (before !== undefined) return before;
  const { texts: { bytes, offsets, count }, sortFormOf, sortForms } = dictionary;
  const indexes: number[] = [];
  const ends: number[] = [];
  for (let index = 0; index < count; index++) {
    if (index % AT_ONCE === AT_ONCE - 1) yield;
    const [from, to] = [offsets[index]!, offsets[index + 1]!];
    // A character takes a byte or more.
    if (to - from < INDEXED_CHARS_MAX || characters(bytes, from, to) < INDEXED_CHARS_MAX) continue;
    const form = sortFormOf === null ? index : sortFormOf[index]!;
    indexes.push(index);
    ends.push(certainEnd(sortForms.bytes, sortForms.offsets[form]!, sortForms.offsets[form + 1]!));
  }
  const found = indexes.length === 0
    ? null
    : { indexes: Uint32Array.from(indexes), ends: Uint32Array.from(ends) };
  known.set(dictionary, found);
  return found;
}

/**
 * Takes each cut text for what a condition on it certainly is; one that only the whole text can decide is
 * taken for `unsure`. `wanted` has a mark for each code.
 */
export function* decideCutTexts(
  wanted: Uint8Array,
  leaf: FieldCondition,
  { dictionary, cut, unsure }: { dictionary: Dictionary; cut: CutTexts; unsure: boolean },
): Sliced<void> {
  const { scalars, sortFormOf, sortForms } = dictionary;
  const decide = decider(leaf);
  for (let at = 0; at < cut.indexes.length; at++) {
    if (at % AT_ONCE === AT_ONCE - 1) yield;
    const index = cut.indexes[at]!;
    const form = sortFormOf === null ? index : sortFormOf[index]!;
    const beginning = sortForms.bytes.subarray(sortForms.offsets[form]!, cut.ends[at]!);
    const code = scalars.length + index;
    wanted[code] = Number(decide(beginning, wanted[code] === 1) ?? unsure);
  }
}

/** Decides a condition by the beginning of a text's sort form; undefined where that does not tell. */
type Decide = (beginning: Uint8Array, hasValue: boolean) => boolean | undefined;

function decider(leaf: FieldCondition): Decide {
  switch (leaf.kind) {
    case "values":
      // Values that are asked for are no longer than the beginning: it is one of them, or none is.
      return (_, hasValue) => hasValue ? undefined : false;
    case "range":
      return rangeDecider(leaf.from, leaf.to);
    case "part":
      return partDecider(leaf.where, new TextEncoder().encode(leaf.text));
  }
}

function rangeDecider(from: Bound | null, to: Bound | null): Decide {
  const bytesOf = (bound: Bound | null) =>
    typeof bound?.value === "string" ? new TextEncoder().encode(bound.value) : null;
  const [low, high] = [bytesOf(from), bytesOf(to)];
  return (beginning, isBetween) => {
    // A range of numbers has no texts.
    if (low === null && high === null) return isBetween;
    const above = low === null ? 1 : compareWhole(beginning, low);
    const below = high === null ? -1 : compareWhole(beginning, high);
    if ((above !== undefined && above < 0) || (below !== undefined && below > 0)) return false;
    return above === undefined || below === undefined ? undefined : true;
  };
}

function partDecider(where: Part, part: Uint8Array): Decide {
  if (part.length === 0) return () => true;
  if (where === "endsWith") return () => undefined;
  if (where === "contains") {
    return (beginning) => indexOfBytes(beginning, part) < 0 ? undefined : true;
  }
  return (beginning) => {
    const shared = Math.min(beginning.length, part.length);
    if (commonLength(beginning, part) < shared) return false;
    return part.length <= beginning.length ? true : undefined;
  };
}

/** Compares a text of which this is a beginning with another one; undefined where that does not tell. */
function compareWhole(beginning: Uint8Array, other: Uint8Array): number | undefined {
  const at = commonLength(beginning, other);
  if (at === beginning.length) return undefined;
  return at === other.length ? 1 : beginning[at]! - other[at]!;
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  return at;
}

function indexOfBytes(bytes: Uint8Array, part: Uint8Array): number {
  const last = bytes.length - part.length;
  for (let at = bytes.indexOf(part[0]!); at >= 0 && at <= last; at = bytes.indexOf(part[0]!, at)) {
    let same = 1;
    while (same < part.length && bytes[at + same] === part[same]) same += 1;
    if (same === part.length) return at;
    at += 1;
  }
  return -1;
}

/** How many code points bytes of UTF-8 spell. */
function characters(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (!isContinuation(bytes[at]!)) count += 1;
  return count;
}

/**
 * The end of the part of a sort form that no following text can change: before its last character that
 * normalization never joins to the previous one, and that decides the lower case of a preceding sigma.
 */
function certainEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let end = to; end > from;) {
    let start = end - 1;
    while (start > from && isContinuation(bytes[start]!)) start -= 1;
    if (isBoundary(decoder.decode(bytes.subarray(start, end)))) return start;
    end = start;
  }
  return from;
}

/** Whether a lower-case character is a boundary for normalization and case. */
export function isBoundary(character: string): boolean {
  return /^[\p{Ll}\p{Lo}\p{Nd} ]$/u.test(character) && !JOINING.test(character);
}

/** Letters that normalization can join to what stands before them: medial and final jamo, Kirat Rai vowels. */
const JOINING = /^[\u1160-\u11ff\ud7b0-\ud7ff\u{16d63}-\u{16d6a}]$/u;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
