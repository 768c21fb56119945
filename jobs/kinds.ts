/**
 * Every kind of job on one page, in the order of the specification.
 *
 * @module
 */
import { compactIndexKind } from "./compact_index.ts";
import { compactSearchKind } from "./compact_search.ts";
import type { JobKind } from "./job_kind.ts";
import { publishKind } from "./publish.ts";
import type { Publishing } from "./publishing.ts";
import { rebuildSearchKind } from "./rebuild_search.ts";
import { regenerateKind } from "./regenerate.ts";
import { renderPointingKind } from "./render_pointing.ts";
import { renderSiteKind } from "./render_site.ts";
import { scheduleKind } from "./schedule.ts";
import { sweepMediaKind } from "./sweep_media.ts";
import { tidyJobsKind } from "./tidy_jobs.ts";
import { unpublishKind } from "./unpublish.ts";

/** What the kinds are made of. */
export interface KindsOptions {
  publishing: Publishing;
}

/** The kinds that a runner knows. */
export function jobKinds({ publishing }: KindsOptions): JobKind[] {
  const { content } = publishing;
  return [
    publishKind(publishing),
    unpublishKind(publishing),
    scheduleKind(content),
    regenerateKind(publishing),
    renderPointingKind(publishing),
    renderSiteKind(publishing),
    compactIndexKind(content),
    compactSearchKind(),
    rebuildSearchKind(content),
    sweepMediaKind(),
    tidyJobsKind(),
  ];
}
