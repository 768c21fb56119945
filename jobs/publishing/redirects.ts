/**
 * Redirects of a site: the rules of its setting, former addresses, and how often each is followed.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { REDIRECT_HITS_WAITING_MAX } from "../../kv/limits/transfers.ts";
import {
  canonicalPath,
  type CompiledRedirect,
  compileRedirect,
  matchRedirect,
  type RedirectRule,
  type RedirectStatus,
  splitAddress,
} from "../../kv/model/entities/redirect.ts";
import { type Collection, hasPages, type Schema } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { mediaUrl } from "../../kv/model/entities/media.ts";
import { isPublished } from "../../kv/model/entities/page.ts";
import { pageLanguagesOf } from "../../kv/model/languages/language.ts";
import { currentKey } from "../../kv/keys.ts";
import { findMedia } from "../../kv/media/media.ts";
import { readHead } from "../../kv/versioning/entities.ts";
import { documentPath } from "../render/site_facts.ts";
import { documentPathIn } from "../render/site_languages.ts";
import type { Settings } from "../../kv/sources/settings.ts";
import type { SchemaSource } from "../../kv/sources/schema_source.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { Operation } from "../../kv/store/operation.ts";
import { FormerAddressPages } from "../../kv/redirects/former_address_pages.ts";
import { findFormerAddress, type FormerAddress } from "../../kv/redirects/former_addresses.ts";
import { redirectHitsKey } from "../../kv/redirects/redirect_keys.ts";

/** Hits are written at most this often by one process, milliseconds. */
const HITS_WRITTEN_EVERY_MS = 10_000;

const NO_RULES: readonly RedirectRule[] = [];

/** A redirect as the admin API shows it. */
export interface RedirectView {
  from: string;
  /** Null if the page is gone, or if its document is not public. */
  to: string | null;
  status: RedirectStatus;
  kind: "rule" | "former";
  /** The transfer that brought a former address. */
  transfer?: string;
  hits: number;
}

/** The redirect of an address; `location` is null for a page that is gone, or whose document is not public. */
export interface RedirectMatch {
  from: string;
  location: string | null;
  status: RedirectStatus | 404;
  kind: "rule" | "former";
  transfer?: string;
}

/** Finds, counts and lists redirects. */
export class Redirects {
  readonly #context: Context;
  readonly #settings: Settings;
  readonly #schema: Pick<SchemaSource, "current">;
  #compiled: { rules: readonly RedirectRule[]; compiled: CompiledRedirect[] } | null = null;
  readonly #former: FormerAddressPages;
  readonly #hits = new Map<string, number>();
  #writtenAt = -Infinity;

  constructor(context: Context, settings: Settings, schema: Pick<SchemaSource, "current">) {
    this.#context = context;
    this.#settings = settings;
    this.#schema = schema;
    this.#former = new FormerAddressPages(context);
  }

  /** The redirect of a path, or of a path with its query; null if there is none. */
  async find(path: string, query: string | null): Promise<RedirectMatch | null> {
    const [rules, former, schema] = await Promise.all([
      this.#compiledRules(),
      findFormerAddress(this.#context, path, query),
      this.#schema.current(),
    ]);
    const match = matchRedirect(rules, path, query);
    if (match !== undefined) {
      const { rule: { from, status }, location } = match;
      if (location !== null && leadsToItself(location, path, query)) return null;
      return { from, location, status, kind: "rule" };
    }
    if (former === null) return null;
    const { address: from, row } = former;
    const { transfer } = row;
    const location = await presentPath(this.#context, schema, row);
    // The address of a draft reveals nothing about it.
    if (location === null) return { from, location, status: 404, kind: "former", transfer };
    if (leadsToItself(location, path, query)) return null;
    return { from, location, status: 301, kind: "former", transfer };
  }

  /** Counts that a redirect was followed; the counts are written once in a while. */
  async count({ from }: RedirectMatch): Promise<void> {
    const name = sha256(from);
    if (this.#hits.has(name) || this.#hits.size < REDIRECT_HITS_WAITING_MAX) {
      this.#hits.set(name, (this.#hits.get(name) ?? 0) + 1);
    }
    if (this.#context.now() - this.#writtenAt >= HITS_WRITTEN_EVERY_MS) await this.#write();
  }

  async #write(): Promise<void> {
    const { store, now, log } = this.#context;
    this.#writtenAt = now();
    const waiting = [...this.#hits];
    this.#hits.clear();
    for (const [name, count] of waiting) {
      const entry = await store.get<number>(redirectHitsKey(name));
      const operation = new Operation().check(entry).set(entry.key, (entry.value ?? 0) + count);
      const { ok } = await store.commit(operation);
      // Another process counts the same redirect: the next write adds these.
      if (!ok) this.#hits.set(name, (this.#hits.get(name) ?? 0) + count);
      else log.debug("redirect hits written", { name, count });
    }
  }

  /** One page of all redirects: rules in their order, then former addresses. */
  async list(start: number, end: number): Promise<{ data: RedirectView[]; total: number }> {
    const rules = await this.#rules();
    const data: RedirectView[] = rules.slice(start, end).map(({ from, to = null, status }) => {
      return { from, to, status, kind: "rule", hits: 0 };
    });
    const schema = await this.#schema.current();
    const former = await this.#former.read(
      Math.max(0, start - rules.length),
      Math.max(0, end - rules.length),
    );
    for (const { address, row } of former.rows) {
      const to = await presentPath(this.#context, schema, row);
      const { transfer } = row;
      data.push({ from: address, to, status: 301, kind: "former", transfer, hits: 0 });
    }
    const total = rules.length + former.total;
    return { data: await Promise.all(data.map((view) => this.withHits(view))), total };
  }

  /** A redirect with how often it was followed. */
  async withHits<T extends { from: string }>(view: T): Promise<T & { hits: number }> {
    const name = sha256(view.from);
    const { value } = await this.#context.store.get<number>(redirectHitsKey(name));
    return { ...view, hits: (value ?? 0) + (this.#hits.get(name) ?? 0) };
  }

  async #rules(): Promise<readonly RedirectRule[]> {
    return await this.#settings.get<RedirectRule[] | null>("site.redirects") ?? NO_RULES;
  }

  async #compiledRules(): Promise<CompiledRedirect[]> {
    const rules = await this.#rules();
    if (this.#compiled?.rules !== rules) {
      this.#compiled = { rules, compiled: rules.map(compileRedirect) };
    }
    return this.#compiled.compiled;
  }
}

/** Whether a redirect would lead a browser in a circle. */
function leadsToItself(location: string, path: string, query: string | null): boolean {
  const target = splitAddress(location);
  return canonicalPath(target.path) === canonicalPath(path) && target.query === query;
}

/** The path of a public entity; null for others. */
type PresentPath = (
  context: Context,
  schema: Schema,
  entity: Pick<FormerAddress, "id" | "language">,
) => Promise<string | null>;

const PRESENT_PATHS: Readonly<Record<FormerAddress["type"], PresentPath>> = {
  async document(context, schema, { id, language }) {
    const { state } = await readHead(context, "document", id, currentKey("document", id));
    const collection = state === null ? undefined : schema.byId.get(state.collectionId);
    if (state === null || collection === undefined || !hasPages(collection)) return null;
    const translated = language === undefined
      ? null
      : translationPath(schema, collection, state, language);
    if (translated !== null) return translated;
    return isPublished(state) ? documentPath(collection, state.slug) : null;
  },
  async media_metadata(context, _schema, { id }) {
    const medium = await findMedia(context, id);
    const isPublic = medium !== null && medium.deletedAt === null && !medium.private;
    return isPublic ? mediaUrl(medium) : null;
  },
};

/** The path of a translation; null if it has no page. */
function translationPath(
  schema: Schema,
  collection: Collection,
  state: DocumentState,
  language: string,
): string | null {
  const page = pageLanguagesOf(schema.languages).find(({ code }) => code === language);
  if (page === undefined || !collection.localized) return null;
  return documentPathIn(page, collection, state);
}

/** The present path of an entity; null if it is not public. */
export function presentPath(
  context: Context,
  schema: Schema,
  { type, ...entity }: Pick<FormerAddress, "type" | "id" | "language">,
): Promise<string | null> {
  return PRESENT_PATHS[type](context, schema, entity);
}
