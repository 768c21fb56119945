/**
 * The dependencies of the routes, created once in `main.ts` or by a test.
 *
 * @module
 */
import type { OidcClient } from "../../jobs/oidc/oidc_client.ts";
import type { SendMail } from "../../jobs/mail/mail.ts";
import type { Content } from "../../kv/documents/content.ts";
import type { ListPages } from "../../jobs/publishing/lists/list_pages.ts";
import type { Publishing } from "../../jobs/publishing/publishing.ts";
import type { TransferDeps } from "../../jobs/transfers/run/transfer_deps.ts";
import type { Redirects } from "../../jobs/publishing/redirects.ts";
import type { PurgeCollector } from "../../jobs/publishing/purge_collector.ts";
import type { PictureChecker } from "../../jobs/images/picture_checker.ts";
import type { ImageTransformer } from "../../jobs/images/transformer.ts";
import type { DraftOverlays } from "../../kv/documents/draft_overlay.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { ActiveTheme } from "../../jobs/packages/active_theme.ts";
import type { PluginReceiverDeps } from "../../jobs/deliveries/plugin_receiver.ts";
import type { MediaList } from "../../kv/media/media_list.ts";
import type { ChangeFeed } from "../../kv/change_feed/change_feed.ts";
import type { ChangeSignal } from "../../kv/changes/change_signal.ts";
import type { WebhookDeps } from "../../jobs/deliveries/webhook_receiver.ts";
import type { EditSessionPages } from "../../kv/versioning/edit_sessions.ts";
import type { ReleaseSource } from "../../kv/versioning/open_releases.ts";
import type { LiveHub } from "../../kv/live/hub.ts";
import type { SearchIndex } from "../../kv/search/search_index.ts";
import type { RateLimiter } from "../../kv/rate_limit/rate_limiter.ts";
import type { PeopleDeps } from "./people_deps.ts";

/** The surroundings of every route. */
export interface Deps extends PeopleDeps {
  content: Content;
  reader: DocumentReader;
  drafts: DraftOverlays;
  /** Histories as editors see them. */
  editSessions: EditSessionPages;
  mediaList: MediaList;
  /** Decodes uploaded pictures. */
  pictures: Pick<PictureChecker, "check">;
  transformer: ImageTransformer;
  search: SearchIndex;
  publishing: Publishing;
  /** Pages of the public site that show many documents. */
  listPages: ListPages;
  redirects: Redirects;
  transfers: TransferDeps;
  /** Purges that shared caches have not received yet. */
  purges: PurgeCollector;
  limiter: RateLimiter;
  live: LiveHub;
  changes: ChangeFeed;
  changeSignal: ChangeSignal;
  webhooks: WebhookDeps & {
    /** Throws for an address that must not be called. */
    refuseAddress: (url: string) => Promise<void>;
  };
  releases: ReleaseSource;
  activeTheme: ActiveTheme;
  /** Dependencies of installing and calling packages. */
  packages: PluginReceiverDeps;
  sendMail: SendMail;
  /** The client of OpenID providers. */
  oidc: OidcClient;
  /** `BASE_URL` without a slash at its end, or empty. */
  baseUrl: string;
  /** The release, as `deno.json` names it. */
  version: string;
  /** `METRICS_TOKEN`, or empty. */
  metricsToken: string;
  /** Whether the service runs in development mode. */
  development: boolean;
  /** `EXPLORER_PUBLIC_TOKEN`, or empty. */
  explorerPublicToken: string;
}
