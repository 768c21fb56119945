/**
 * Makes everything that the routes are given, from the surroundings and the configuration.
 *
 * @module
 */
import type { SendMail } from "../../jobs/mail/mail.ts";
import { settleEdits } from "../../kv/live/settle_edits.ts";
import { PendingSlugs } from "../../kv/documents/pending_slugs.ts";
import { jobKinds } from "../../jobs/kinds.ts";
import { PictureChecker } from "../../jobs/images/picture_checker.ts";
import { PictureQueue } from "../../jobs/images/picture_queue.ts";
import { ImageTransformer } from "../../jobs/images/transformer.ts";
import { ActiveTheme } from "../../jobs/packages/active_theme.ts";
import {
  guardedRequest,
  type GuardOptions,
  refuseAddress,
} from "../../jobs/network/guarded_request.ts";
import { PackageArchives } from "../../jobs/packages/package_store.ts";
import { notifyInstalled } from "../../jobs/plugins/notify.ts";
import { Sandbox } from "../../jobs/plugins/sandbox.ts";
import type { Traffic } from "../../jobs/runner/traffic.ts";
import { ListPages } from "../../jobs/publishing/lists/list_pages.ts";
import { createPublishing } from "../../jobs/publishing/publishing.ts";
import { PurgeCollector } from "../../jobs/publishing/purge_collector.ts";
import { type Purge, recordedPurge } from "../../jobs/publishing/purge.ts";
import { emptySections } from "../../jobs/publishing/empty_sections.ts";
import { findMediumFacts } from "../../jobs/publishing/page_lookup.ts";
import { RenderingSource } from "../../jobs/render/rendering_source.ts";
import { Runner, type RunnerOptions } from "../../jobs/runner/runner.ts";
import { systemClock } from "../../jobs/runner/runner_clock.ts";
import { AccessSource } from "../../kv/people/access.ts";
import { Attempts } from "../../kv/people/attempts.ts";
import type { Content } from "../../kv/documents/content.ts";
import type { Context } from "../../kv/context.ts";
import { DraftOverlays } from "../../kv/documents/draft_overlay.ts";
import { DocumentReader } from "../../kv/documents/reader.ts";
import { readIndexRows, readWholeRows } from "../../kv/documents/rows.ts";
import { ListIndex } from "../../kv/index/list_index.ts";
import { WebhookSource } from "../../kv/sources/webhook_source.ts";
import { SecretBox } from "../../kv/model/primitives/secret_box.ts";
import { EditSessionPages } from "../../kv/versioning/edit_sessions.ts";
import { ReleaseSource } from "../../kv/versioning/open_releases.ts";
import { ChangeFeed } from "../../kv/change_feed/change_feed.ts";
import { ChangeSignal } from "../../kv/changes/change_signal.ts";
import { endPreviewsOf } from "../../kv/documents/lists/previews.ts";
import { LiveHub } from "../../kv/live/hub.ts";
import { MediaList } from "../../kv/media/media_list.ts";
import { type PasswordCost, Passwords } from "../../kv/people/passwords.ts";
import { createMailer } from "../../jobs/mail/mailer.ts";
import { RateLimiter } from "../../kv/rate_limit/rate_limiter.ts";
import { readWebhookFilter } from "../query/webhook_filter.ts";
import { SchemaSource } from "../../kv/sources/schema_source.ts";
import { unlessFull } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { SearchIndex } from "../../kv/search/search_index.ts";
import {
  requestLanguagesRebuild,
  requestSearchCompaction,
} from "../../kv/search/delta/search_requests.ts";
import { Redirects } from "../../jobs/publishing/redirects.ts";
import { Settings } from "../../kv/sources/settings.ts";
import type { Deps } from "../deps/deps.ts";
import type { EnvProvider } from "../../jobs/oidc/providers.ts";
import { OidcClient } from "../../jobs/oidc/oidc_client.ts";

/** Options from the environment. */
export interface WiringOptions {
  trustProxy: number;
  setupCode: string;
  development?: boolean;
  explorerPublicToken?: string;
  /** The OpenID provider that the environment names. */
  oidcEnv?: EnvProvider | null;
  metricsToken?: string;
  version?: string;
  passwordCost?: PasswordCost;
  /** `BASE_URL`, or empty: the setting `site.url` then. */
  baseUrl?: string;
  /** `SECRETS_KEY`: what stored secrets are sealed with; the first one seals. */
  secretsKeys?: string[];
  /** Sends emails; without it, the log only records that there was one. */
  sendMail?: SendMail;
  /** Makes caches forget pages; recorded in the job when left out. */
  purge?: Purge;
  /** Milliseconds of a monotonic clock; default: the context's `now`. */
  monotonic?: () => number;
  /** The requests of this process, which bulk work lets go first. */
  traffic?: Traffic;
  /** Bytes of documents that are kept in memory, estimated. */
  documentCacheBytesMax?: number;
  /** Which addresses packages and plugins may reach; the public internet alone when left out. */
  guard?: GuardOptions;
}

/** Wires the service. */
export function createDeps(context: Context, options: WiringOptions): Deps {
  const { store, now } = context;
  context.secrets = new SecretBox(options.secretsKeys ?? []);
  const baseUrl = (options.baseUrl ?? "").replace(/\/+$/, "");
  context.environment = { baseUrl, oidcIssuer: options.oidcEnv?.issuer ?? null };
  const guard = options.guard ?? { allowLocal: false };
  const changeSignal = new ChangeSignal(context);
  const content = contentOf(context, changeSignal);
  const reader = readerOf(content, options);
  const settings = new Settings(context);
  const archives = new PackageArchives(context);
  const activeTheme = new ActiveTheme({ context, settings }, archives);
  const renderings = renderingsOf(content, settings, activeTheme, options);
  const purges = new PurgeCollector(context, options.purge ?? recordedPurge());
  const publishing = createPublishing({
    content,
    reader,
    rendering: () => renderings.current(),
    purge: purges.purge,
    notifyPlugins: notifyInstalled(context),
  }, options.traffic);
  const [mediaList, releases] = [new MediaList(context), new ReleaseSource(context)];
  const limited = { store, now, monotonic: options.monotonic ?? now };
  return {
    content,
    reader,
    drafts: new DraftOverlays(content, reader),
    editSessions: new EditSessionPages(context),
    mediaList,
    ...picturesOf(context),
    settings,
    ...transfersOf({ content, reader, settings }, guard),
    publishing,
    listPages: new ListPages(publishing),
    purges,
    search: new SearchIndex({
      store,
      loadDocuments: (ids) => loadDocuments(content, reader, ids),
      stemmedLanguage: () => settings.stemmedLanguage(),
      siteLanguage: () => settings.get<string>("site.language"),
      onLongDelta: () => requestWork(context, requestSearchCompaction),
      onStaleLanguages: () => requestWork(context, requestLanguagesRebuild),
    }),
    limiter: new RateLimiter(limited),
    activeTheme,
    packages: packagesOf({ context, settings, publishing, mediaList, archives }, guard),
    releases,
    changes: new ChangeFeed(content, reader),
    webhooks: webhooksOf(content, settings, guard),
    changeSignal,
    ...liveOf(content, releases),
    people: {
      context,
      access: new AccessSource(context),
      passwords: new Passwords(options.passwordCost),
      attempts: new Attempts(limited),
      settings,
    },
    setupCode: options.setupCode,
    development: options.development ?? false,
    baseUrl,
    explorerPublicToken: options.explorerPublicToken ?? "",
    oidcEnv: options.oidcEnv ?? null,
    oidc: new OidcClient(context, guardedRequest(guard)),
    metricsToken: options.metricsToken ?? "",
    version: options.version ?? "0.0.0",
    trustProxy: options.trustProxy,
    sendMail: options.sendMail ?? undeliveredMail(context),
  };
}

function readerOf(content: Content, { documentCacheBytesMax: max }: WiringOptions): DocumentReader {
  return new DocumentReader(content, max === undefined ? {} : { cacheBytesMax: max });
}

function packagesOf(
  parts: Omit<Deps["packages"], "sandbox" | "request">,
  guard: GuardOptions,
): Deps["packages"] {
  return { ...parts, sandbox: new Sandbox(), request: guardedRequest(guard) };
}

/** Mails of a process without a mail server are logged. */
function undeliveredMail({ log }: Context): Deps["sendMail"] {
  return createMailer({ smtpUrl: "", emailDomain: "", outbox: null, log });
}

/** Redirects, and what transfers are run with. */
function transfersOf(
  { content, reader, settings }: Pick<Deps, "content" | "reader" | "settings">,
  guard: GuardOptions,
): Pick<Deps, "redirects" | "transfers"> {
  // Sources of other systems are often older than HTTPS.
  const request = guardedRequest({ ...guard, allowPlain: true });
  return {
    redirects: new Redirects(content.context, settings, content.schema),
    transfers: { content, reader, settings, request },
  };
}

/** Live editing, and ending it for a user, together with their previews. */
function liveOf(content: Content, releases: ReleaseSource): Pick<Deps, "live" | "endAccess"> {
  const { context } = content;
  const live = new LiveHub(content, { clock: systemClock(context.store.random), releases });
  return {
    live,
    endAccess: async (userId) => {
      live.endUser(userId);
      await endPreviewsOf(context, userId);
    },
  };
}

function picturesOf(context: Context): Pick<Deps, "pictures" | "transformer"> {
  const queue = new PictureQueue();
  return {
    pictures: new PictureChecker(context, { queue }),
    transformer: new ImageTransformer(context, { queue }),
  };
}

/** Adds a job; without space for it, the index stays as it is. */
async function requestWork(
  context: Context,
  request: typeof requestSearchCompaction,
): Promise<void> {
  const operation = new Operation();
  request(operation, context);
  await unlessFull(context.store.commit(operation), null);
}

function webhooksOf(
  content: Content,
  settings: Settings,
  given: GuardOptions,
): Deps["webhooks"] {
  const allowedHosts = async () => await settings.get<string[] | null>("webhooks.hosts") ?? [];
  const guard = { ...given, allowedHosts };
  return {
    content,
    webhooks: content.webhooks!,
    request: guardedRequest(guard),
    readFilter: readWebhookFilter,
    refuseAddress: (url) => refuseAddress(url, guard),
  };
}

function contentOf(context: Context, changes: ChangeSignal): Content {
  const schema = new SchemaSource(context);
  context.unheardAuditAt = () => schema.unheardAuditAt;
  return {
    context,
    changes,
    webhooks: new WebhookSource(schema),
    schema,
    index: new ListIndex({
      store: context.store,
      loadRows: (collection, ids) => readIndexRows(context, collection, ids),
      loadWhole: (collection, versions, items) =>
        readWholeRows(context, collection, versions, { items }),
    }),
    slugs: new PendingSlugs(),
    settleEdits,
  };
}

/** Documents for search results, with their collections. */
async function* loadDocuments(content: Content, reader: DocumentReader, ids: string[]) {
  const { byId, blocks } = await content.schema.current();
  for await (const { state } of reader.each(ids)) {
    const collection = byId.get(state.collectionId);
    if (collection !== undefined) yield { state, collection, blocks };
  }
}

/** The runner of this process, with every kind of job. */
export function createRunner(
  deps: Deps,
  options: Omit<RunnerOptions, "kinds" | "runningMax"> = {},
): Runner {
  const mail = {
    access: deps.people.access,
    schema: deps.content.schema,
    sendMail: deps.sendMail,
    site: async () => (await deps.publishing.rendering()).site,
    isQuiet: async () => !(await deps.settings.get<boolean>("auth.mail")),
  };
  const kinds = jobKinds({
    mail,
    publishing: deps.publishing,
    packages: deps.packages,
    webhooks: deps.webhooks,
    transfers: deps.transfers,
  });
  return new Runner(deps.content.context, { kinds, ...options });
}

function renderingsOf(
  { context, schema }: Content,
  settings: Settings,
  theme: ActiveTheme,
  { baseUrl, version }: { baseUrl?: string; version?: string },
): RenderingSource {
  const empty = emptySections(context);
  return new RenderingSource({
    settings: () => settings.all(),
    schema: () => schema.current(),
    theme: () => theme.current(),
    now: context.now,
    empty: () => empty.current(),
    medium: (id) => findMediumFacts(context, id),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(version !== undefined && { release: version }),
  });
}
