/**
 * A page of jobs as a process that has just begun reads it.
 *
 * @module
 */
import { type JobPage, type JobPageQuery, JobPages } from "../../../kv/jobs/job_pages.ts";
import type { Store } from "../../../kv/store/store.ts";

/** A page, and how many jobs fit. */
export function listJobs(store: Store, query: JobPageQuery): Promise<JobPage> {
  return new JobPages(store).read(query);
}
