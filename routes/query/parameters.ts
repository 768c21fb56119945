/**
 * The parameters of a query as they were sent: in order, each with its value, and no longer than a query
 * may be.
 *
 * @module
 */
import { CURSOR_CHARS_MAX, QUERY_CHARS_MAX } from "../../kv/limits/requests.ts";
import { ownValue } from "../../kv/model/primitives/own_value.ts";
import { Refusal, type RefusalCode } from "../../kv/refusals.ts";

/** Characters of a query with its question mark, a cursor and as much of everything else as there may be. */
const SEARCH_CHARS_MAX = "?&cursor=".length + CURSOR_CHARS_MAX + QUERY_CHARS_MAX;

/** A parameter of a query. */
export interface Parameter {
  name: string;
  /**
   * Undefined if its percent-encoding is broken: a lenient parser would return a different value.
   */
  value: string | undefined;
}

/** The parameters of a query. */
export class Parameters {
  readonly all: readonly Parameter[];

  /** `search` is the query as sent, with or without its question mark; parameters in `without` are ignored. */
  constructor(search: string, without: readonly string[] = []) {
    const pairs = search.replace(/^\?/, "").split("&")
      .filter((pair) => pair !== "" && !without.includes(nameOf(pair)));
    const counted = pairs.filter((pair) => !pair.startsWith("cursor=")).join("&");
    if (counted.length > QUERY_CHARS_MAX || search.length > SEARCH_CHARS_MAX) throw tooLong(pairs);
    this.all = pairs.map((pair) => ({ name: nameOf(pair), value: valueOf(pair) }));
  }

  /** The values of a parameter, in their order. */
  values(name: string): string[] {
    return this.all.filter((one) => one.name === name).map(({ value }) => value ?? "\ufffd");
  }

  /** The value of a parameter that may be given once; undefined when it was not given. */
  single(name: string): string | undefined {
    const values = this.values(name);
    if (values.length > 1) throw parameterInvalid(`${name} must be given only once`);
    return values[0];
  }

  /** The names in comma-separated values; a client that repeats the parameter means the same. */
  names(name: string): string[] | undefined {
    const values = this.values(name);
    return values.length === 0 ? undefined : values.flatMap((value) => value.split(","));
  }

  /** Refuses what differs only in case from a parameter that there is. */
  refuseMisspelled(known: readonly string[]): void {
    refuseMisspelled(this.all.map(({ name }) => name), known);
  }
}

/** Refuses what differs only in case from a parameter that there is: it was meant, and would be ignored. */
export function refuseMisspelled(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    const lower = name.toLowerCase();
    const meant = known.find((one) => one.toLowerCase() === lower && one !== name);
    const isField = lower.startsWith("field.") && !name.startsWith("field.");
    if (meant === undefined && !isField) continue;
    const right = meant ?? `field.${name.slice("field.".length)}`;
    throw parameterInvalid(`${name.slice(0, 100)} is misspelled; use ${right.slice(0, 100)}`);
  }
}

/** A single parameter; undefined if it is omitted. */
export function oneParameter(query: Record<string, string>, name: string): string | undefined {
  refuseMisspelled(Object.keys(query), [name]);
  return query[name];
}

/** The code of a query that is too long is that of the part that makes it so. */
const CODES: Readonly<Record<string, RefusalCode>> = {
  field: "FILTER_INVALID",
  filter: "FILTER_INVALID",
  fields: "FIELD_INVALID",
  include: "INCLUDE_INVALID",
  facets: "FACET_INVALID",
  counts: "COUNT_INVALID",
  sort: "SORT_FIELD_INVALID",
  cursor: "CURSOR_INVALID",
  page: "PAGINATION_INVALID",
  perPage: "PAGINATION_INVALID",
};

function tooLong(pairs: readonly string[]): Refusal {
  const chars = new Map<string, number>();
  for (const pair of pairs) {
    const [part = ""] = pair.split(/[.=[]/);
    chars.set(part, (chars.get(part) ?? 0) + pair.length);
  }
  const [longest = ""] = [...chars].sort((a, b) => b[1] - a[1])[0] ?? [];
  const code = ownValue(CODES, longest) ?? "PARAMETER_INVALID";
  const about = `the query string may have at most ${QUERY_CHARS_MAX} characters`;
  return new Refusal(code, { about });
}

/** A parameter that is out of its range. */
export function parameterInvalid(about: string): Refusal {
  return new Refusal("PARAMETER_INVALID", { about });
}

function nameOf(pair: string): string {
  const [name = ""] = new URLSearchParams(pair).keys();
  return name;
}

function valueOf(pair: string): string | undefined {
  const equals = pair.indexOf("=");
  if (equals < 0) return "";
  try {
    return decodeURIComponent(pair.slice(equals + 1).replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
