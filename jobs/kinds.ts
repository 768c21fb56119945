/**
 * Every kind of job on one page, in the order of the specification.
 *
 * @module
 */
import { Settings } from "../kv/sources/settings.ts";
import type { JobType } from "../kv/jobs/job_contracts.ts";
import { compactChangesKind } from "./kinds/compact_changes.ts";
import { compactIndexKind } from "./kinds/compact_index.ts";
import { compactSearchKind } from "./kinds/compact_search.ts";
import { compactTimelineKind } from "./kinds/compact_timeline.ts";
import { exportKind } from "./kinds/export.ts";
import { importKind } from "./kinds/import.ts";
import { flushEditsKind } from "./kinds/flush_edits.ts";
import { deliverKind } from "./kinds/deliver.ts";
import type { PluginReceiverDeps } from "./deliveries/plugin_receiver.ts";
import type { WebhookDeps } from "./deliveries/webhook_receiver.ts";
import { fanOutWebhooksKind } from "./kinds/fan_out_webhooks.ts";
import { replayWebhookKind } from "./kinds/replay_webhook.ts";
import { installKind } from "./kinds/install.ts";
import type { JobKind } from "./runner/job_kind.ts";
import { migrateKind } from "./kinds/migrate.ts";
import { pruneKind } from "./kinds/prune.ts";
import { publishKind } from "./publishing/publish.ts";
import type { Publishing } from "./publishing/publishing.ts";
import { rebuildSearchKind } from "./kinds/rebuild_search.ts";
import { releaseKind } from "./kinds/release.ts";
import { regenerateKind } from "./publishing/regenerate.ts";
import { renderReferrersKind } from "./publishing/render_referrers.ts";
import { compareSiteKind } from "./publishing/compare_site.ts";
import { renderListingsKind } from "./kinds/retired_jobs.ts";
import { renderTagsKind } from "./publishing/lists/render_tags.ts";
import { renderSiteKind } from "./publishing/render_site.ts";
import { reserveUniqueKind } from "./kinds/reserve_unique.ts";
import { restoreKind } from "./kinds/restore.ts";
import { scheduleKind } from "./publishing/schedule.ts";
import { schemaKind } from "./kinds/schema.ts";
import { seedKind } from "./seed/seed.ts";
import { sendMailKind } from "./kinds/send_mail.ts";
import type { SendMailOptions } from "./mail/send_mail_options.ts";
import { sweepMediaKind } from "./kinds/sweep_media.ts";
import { tidyJobsKind } from "./kinds/tidy_jobs.ts";
import { translationExportKind } from "./transfers/xliff/xliff_export.ts";
import { translationImportKind } from "./transfers/xliff/translation_import.ts";
import { transferExportKind } from "./transfers/exports/transfer_export.ts";
import { transferKind } from "./transfers/transfer.ts";
import type { TransferDeps } from "./transfers/run/transfer_deps.ts";
import { unpublishKind } from "./publishing/unpublish.ts";

/** The services that the job kinds use. */
export interface KindsOptions {
  publishing: Publishing;
  /** Left out where no mails are sent. */
  mail?: SendMailOptions;
  /** Left out where there are no themes and plugins. */
  packages?: PluginReceiverDeps;
  /** Left out where nothing is transferred. */
  transfers?: TransferDeps;
  /** Left out where there are no webhooks. */
  webhooks?: WebhookDeps;
}

/** A kind for each type of job; null for those that cannot run here. */
type Kinds = { readonly [T in JobType]: JobKind<T> | null };

/** The kinds that a runner knows. */
export function jobKinds(
  { publishing, mail, packages, webhooks, transfers }: KindsOptions,
): JobKind[] {
  const { content } = publishing;
  const kinds: Kinds = {
    PUBLISH: publishKind(publishing),
    UNPUBLISH: unpublishKind(publishing),
    SCHEDULE: scheduleKind(content),
    RELEASE: releaseKind(content),
    IMPORT: importKind(publishing),
    EXPORT: exportKind(new Settings(content.context)),
    PRUNE: pruneKind(content),
    SWEEP_MEDIA: sweepMediaKind(),
    MIGRATE: migrateKind(content),
    RESTORE: restoreKind(content),
    INSTALL: packages === undefined ? null : installKind(packages),
    TRANSFER: transfers === undefined ? null : transferKind(transfers),
    TRANSFER_EXPORT: transfers === undefined ? null : transferExportKind(transfers),
    TRANSLATION_EXPORT: translationExportKind(publishing),
    TRANSLATION_IMPORT: translationImportKind(publishing),
    SEED: seedKind(content),
    REBUILD_SEARCH: rebuildSearchKind(content),
    REGENERATE: regenerateKind(publishing),
    RENDER_SITE: renderSiteKind(publishing),
    RENDER_LISTINGS: renderListingsKind(),
    RENDER_TAGS: renderTagsKind(publishing),
    COMPARE_SITE: compareSiteKind(publishing),
    RENDER_REFERRERS: renderReferrersKind(publishing),
    COMPACT_INDEX: compactIndexKind(content),
    COMPACT_SEARCH: compactSearchKind(content),
    COMPACT_TIMELINE: compactTimelineKind(),
    COMPACT_CHANGES: compactChangesKind(),
    SEND_MAIL: mail === undefined ? null : sendMailKind(mail),
    RESERVE_UNIQUE: reserveUniqueKind(content),
    TIDY_JOBS: tidyJobsKind(),
    FLUSH_EDITS: flushEditsKind(content),
    FAN_OUT_WEBHOOKS: webhooks === undefined ? null : fanOutWebhooksKind(webhooks),
    DELIVER: webhooks && packages ? deliverKind({ webhooks, plugins: packages }) : null,
    SCHEMA: schemaKind(content),
    REPLAY_WEBHOOK: webhooks === undefined ? null : replayWebhookKind(webhooks),
  };
  return Object.values<JobKind | null>(kinds).filter((kind) => kind !== null);
}
