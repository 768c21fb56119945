/**
 * Jobs that earlier releases have added and this one no longer needs: they end at once.
 *
 * @module
 */
import { type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The kind of job that rendered stored listing pages; lists are rendered on request. */
export function renderListingsKind(): JobKind<"RENDER_LISTINGS"> {
  return jobKind("RENDER_LISTINGS", { pages: () => Promise.resolve(next({ pages: 0 })) });
}
