/**
 * Pages of the audit log, newest first, with totals: a page reads the events that it shows.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import type { Context } from "../context.ts";
import { auditKey } from "../keys.ts";
import type { AuditEvent } from "../model/audit_note.ts";
import { timeDigits } from "../model/values/ulid.ts";
import { CountedRows } from "../store/counted_rows.ts";
import { AUDIT_KEPT_MS, type AuditFilter } from "./audit.ts";

/** The audit log of a store, as one process counts it. */
export class AuditPages {
  readonly #context: Pick<Context, "store" | "now">;
  readonly #counted: CountedRows<AuditEvent>;

  constructor(context: Pick<Context, "store" | "now">) {
    this.#context = context;
    this.#counted = new CountedRows<AuditEvent>(context.store, {
      family: "audit",
      range: (start, end) => ({ start: keyFrom(start), end: keyFrom(end) }),
      kindOf: ({ key, value }) => ({ id: key[2] as string, kind: kindOf(value) }),
    });
  }

  /** A page of the selected events, and how many there are. */
  async read(
    { event, userId, tokenId, from = 0, to }: AuditFilter,
    { page, perPage }: { page: number; perPage: number },
  ): Promise<{ data: AuditEvent[]; total: number }> {
    const counted = await this.#counted.current();
    const wanted = [event, userId, tokenId];
    const isFiltered = wanted.some((part) => part !== undefined);
    const { store, now } = this.#context;
    const { ids, total } = counted.page({
      fits: (kind) =>
        !isFiltered ||
        kind.split("\n").every((part, index) => (wanted[index] ?? part) === part),
      // The store removes what has expired only after a while.
      start: timeDigits(Math.max(from * 1000, now() - AUDIT_KEPT_MS, 0)),
      ...(to !== undefined && { end: timeDigits((to + 1) * 1000) }),
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    const entries = await store.getMany(ids.map((id) => auditKey(decodeTime(id), id)));
    const data = entries.flatMap(({ value }) => value === null ? [] : [value as AuditEvent]);
    return { data, total };
  }
}

/** The first key whose id begins with, or comes after, the first characters of an id. */
function keyFrom(start: string): ReturnType<typeof auditKey> {
  const digits = start.replace(/~$/, "");
  const isEnd = digits !== start;
  if (digits === "") return auditKey(isEnd ? Number.MAX_SAFE_INTEGER : 0, "");
  const first = decodeTime(digits.slice(0, TIME_DIGITS).padEnd(ID_DIGITS, "0"));
  return auditKey(isEnd ? first + 32 ** (TIME_DIGITS - digits.length) : first, "");
}

const TIME_DIGITS = 10;
const ID_DIGITS = 26;

/** In the place of no user or token; no filter can ask for it. */
const NONE = "\0";

/** What events are selected by; none of these holds a line break. */
function kindOf({ event, userId, tokenId }: AuditEvent): string {
  return [event, userId ?? NONE, tokenId ?? NONE].join("\n");
}
