/**
 * Pages of jobs, newest first, with totals: a page reads the jobs that it shows.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import { CountedRows } from "../store/counted_rows.ts";
import type { CountedWindows } from "../store/counted_windows.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import type { JobRecord, JobState } from "./job.ts";
import type { JobType } from "./job_contracts.ts";
import { jobKey } from "./job_keys.ts";
import { fits, NAMED_END, namedJobs } from "./job_list.ts";

/** The question for a page of jobs. */
export interface JobPageQuery {
  type?: JobType | undefined;
  state?: JobState | undefined;
  page: number;
  perPage: number;
}

/** A page of jobs, and how many there are. */
export interface JobPage {
  jobs: JobRecord[];
  total: number;
}

/** The jobs of a store, as one process counts them. */
export class JobPages {
  readonly #store: Store;
  readonly #counted: CountedRows<JobRecord>;

  constructor(store: Store) {
    this.#store = store;
    this.#counted = new CountedRows<JobRecord>(store, {
      family: "jobs",
      range: (start, end) => ({
        start: jobKey(start < NAMED_END ? NAMED_END : start),
        end: jobKey(end),
      }),
      kindOf: ({ value: { id, state, type } }) => ({ id, kind: kindOf(state, type) }),
    });
  }

  /** A page, and how many jobs fit. */
  async read(query: JobPageQuery): Promise<JobPage> {
    const [named, counted] = await Promise.all([namedJobs(this.#store), this.#counted.current()]);
    const fitting = named.filter((record) => fits(record, query))
      .sort((a, b) => b.createdAt - a.createdAt);
    const { ids, total } = pageOfIds(counted, fitting, query);
    const records = await this.#records(ids.filter((one) => typeof one === "string"));
    const jobs = ids.flatMap((one) => {
      const record = typeof one === "string" ? records.get(one) : one;
      if (record !== undefined && fits(record, query)) return [record];
      // It has changed since, or no longer exists.
      if (typeof one === "string") this.#counted.doubt(one);
      return [];
    });
    return { jobs, total };
  }

  async #records(ids: string[]): Promise<Map<string, JobRecord>> {
    const entries = await this.#store.getMany(ids.map(jobKey)) as Entry<JobRecord>[];
    return new Map(
      entries.map(({ value }) => value).filter((value) => value !== null)
        .map((record) => [record.id, record]),
    );
  }
}

function kindOf(state: JobState, type: JobType): string {
  return `${state} ${type}`;
}

/** The ids of a page, and the named jobs on it, which stand at their time among the others. */
function pageOfIds(
  counted: CountedWindows,
  named: readonly JobRecord[],
  { state, type, page, perPage }: JobPageQuery,
): { ids: (string | JobRecord)[]; total: number } {
  const start = (page - 1) * perPage;
  // So many of the rows before the page may be named ones.
  const skip = Math.max(0, start - named.length);
  const { ids, total } = counted.page({
    fits: (kind) => {
      const [ofState, ofType] = kind.split(" ");
      return (state ?? ofState) === ofState && (type ?? ofType) === ofType;
    },
    skip,
    limit: perPage + start - skip,
  });
  const first = ids[0] === undefined ? -Infinity : decodeTime(ids[0]);
  const before = skip === 0 ? 0 : named.filter(({ createdAt }) => createdAt >= first).length;
  const merged = [
    ...ids.map((one) => ({ one, time: decodeTime(one) })),
    ...named.slice(before).map((one) => ({ one, time: one.createdAt })),
  ].sort((a, b) =>
    b.time - a.time || Number(typeof a.one === "string") - Number(typeof b.one === "string")
  );
  const from = start - skip - before;
  return {
    ids: merged.slice(from, from + perPage).map(({ one }) => one),
    total: total + named.length,
  };
}
