/**
 * Requests to render pages that no publish renews: after a change of the site's settings, schema or theme, or
 * of entities that documents refer to. Several requests render once.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { Operation } from "../store/operation.ts";

/** The name of the job that renders the whole site: there is one. */
export const SITE_JOB = "site";

/** Adds the rendering of the whole site to a commit; answers the job's id. */
export function requestSiteRendering(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): string {
  return addJob(operation, context, { type: "RENDER_SITE", name: SITE_JOB, payload: {} });
}

/** The name of the job that brings home, feeds, sitemap and robots up to date. */
const AGGREGATES_JOB = "aggregates";

/** Adds the rendering of what is made of many documents to a commit; many such requests are answered by one. */
export function requestAggregates(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): string {
  return addJob(operation, context, { type: "REGENERATE", name: AGGREGATES_JOB, payload: {} });
}

/** Adds the rendering of the pages that show a document or medium to a commit. */
export function requestReferrerRendering(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  targetId: string,
): string {
  const payload = { targetId };
  return addJob(operation, context, {
    type: "RENDER_REFERRERS",
    name: `referrers:${targetId}`,
    payload,
  });
}
