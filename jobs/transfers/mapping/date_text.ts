/**
 * Times in the spellings of other systems.
 *
 * @module
 */
import { DATE_SECONDS_MAX } from "../../../kv/limits/content.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";

/** Seconds from which on a number must be milliseconds: the year 5138. */
const MILLISECONDS_FROM = 100_000_000_000;

/** A date with an English month and no zone, such as `Jul 08 2022` and `8 July 2022, 10:30`. */
const NAMED_MONTH =
  /^(?:(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2})?),? \d{4}(?:,? \d{1,2}:\d{2}(?::\d{2})?)?$/i;

/** The parts of a format, as regular expressions. */
const PARTS: Readonly<Record<string, string>> = {
  YYYY: "(?<YYYY>\\d{4})",
  MM: "(?<MM>\\d{1,2})",
  DD: "(?<DD>\\d{1,2})",
  HH: "(?<HH>\\d{1,2})",
  mm: "(?<mm>\\d{1,2})",
  ss: "(?<ss>\\d{1,2})",
};

/** Epoch seconds of a time; null if it is none. A time without a zone is in UTC. */
export function secondsOf(value: Json | undefined, format?: string): number | null {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return null;
    return bounded(Math.floor(value >= MILLISECONDS_FROM ? value / 1000 : value));
  }
  if (typeof value !== "string" || value.trim() === "") return null;
  const text = value.trim();
  if (format !== undefined) return byFormat(text, format);
  if (/^\d{9,13}$/.test(text)) return secondsOf(Number(text));
  const iso =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|[+-]\d{2}:?\d{2})?$/i
      .exec(text);
  if (iso !== null) {
    const [, date, time = "00:00", zone = "Z"] = iso;
    const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
    return ofMilliseconds(Date.parse(`${date}T${time}${offset.toUpperCase()}`));
  }
  if (NAMED_MONTH.test(text)) return ofMilliseconds(Date.parse(`${text} UTC`));
  // Mail and feed dates name their zone; other spellings depend on where they are read.
  const isZoned = /(?:GMT|UTC|UT|[+-]\d{4}|Z)\s*$/.test(text) && /\d{4}/.test(text);
  return isZoned ? ofMilliseconds(Date.parse(text)) : null;
}

function byFormat(text: string, format: string): number | null {
  const pattern = format.split(/(YYYY|MM|DD|HH|mm|ss)/).map((part) =>
    PARTS[part] ?? RegExp.escape(part)
  ).join("");
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (found === undefined) return null;
  const number = (name: string, initial: number) => Number(found[name] ?? initial);
  const [year, month, day] = [number("YYYY", 1970), number("MM", 1), number("DD", 1)];
  const at = Date.UTC(year, month - 1, day, number("HH", 0), number("mm", 0), number("ss", 0));
  const date = new Date(at);
  // The 31st of February is another day.
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? ofMilliseconds(at) : null;
}

function ofMilliseconds(ms: number): number | null {
  return Number.isNaN(ms) ? null : bounded(Math.floor(ms / 1000));
}

function bounded(seconds: number): number | null {
  return Math.abs(seconds) > DATE_SECONDS_MAX ? null : seconds;
}
