/**
 * Every kind of job on one page, in the order of the specification.
 *
 * @module
 */
import { Settings } from "../kv/site/settings.ts";
import { compactIndexKind } from "./compact_index.ts";
import { compactSearchKind } from "./compact_search.ts";
import { compactTimelineKind } from "./compact_timeline.ts";
import { exportKind } from "./export.ts";
import { importKind } from "./import.ts";
import { flushEditsKind } from "./flush_edits.ts";
import { callPluginKind, type PluginCallDeps } from "./call_plugin.ts";
import { installKind } from "./install.ts";
import type { JobKind } from "./runner/job_kind.ts";
import { migrateKind } from "./migrate.ts";
import { pruneKind } from "./prune.ts";
import { publishKind } from "./publishing/publish.ts";
import type { Publishing } from "./publishing/publishing.ts";
import { rebuildSearchKind } from "./rebuild_search.ts";
import { regenerateKind } from "./publishing/regenerate.ts";
import { renderReferrersKind } from "./publishing/render_referrers.ts";
import { renderSiteKind } from "./publishing/render_site.ts";
import { restoreKind } from "./restore.ts";
import { scheduleKind } from "./publishing/schedule.ts";
import { seedKind } from "./seed/seed.ts";
import { sendMailKind, type SendMailOptions } from "./send_mail.ts";
import { sweepMediaKind } from "./sweep_media.ts";
import { tidyJobsKind } from "./tidy_jobs.ts";
import { unpublishKind } from "./publishing/unpublish.ts";

/** What the kinds are made of. */
export interface KindsOptions {
  publishing: Publishing;
  /** Left out where no mails are sent. */
  mail?: SendMailOptions;
  /** Left out where there are no themes and plugins. */
  packages?: PluginCallDeps;
}

/** The kinds that a runner knows. */
export function jobKinds({ publishing, mail, packages }: KindsOptions): JobKind[] {
  const { content } = publishing;
  return [
    publishKind(publishing),
    unpublishKind(publishing),
    scheduleKind(content),
    importKind(publishing),
    migrateKind(content),
    exportKind(new Settings(content.context)),
    regenerateKind(publishing),
    renderReferrersKind(publishing),
    renderSiteKind(publishing),
    compactIndexKind(content),
    compactSearchKind(),
    compactTimelineKind(),
    pruneKind(content),
    restoreKind(content),
    rebuildSearchKind(content),
    seedKind(content),
    sweepMediaKind(),
    tidyJobsKind(),
    flushEditsKind(content),
    ...(mail === undefined ? [] : [sendMailKind(mail)]),
    ...(packages === undefined ? [] : [installKind(packages), callPluginKind(packages)]),
  ];
}
