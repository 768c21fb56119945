/**
 * The rights and visibility of a token, resolved once per request. Lists, includes, filters and facets use the
 * same snapshot, so that they cannot disagree about a document.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../kv/model/entities/document.ts";
import {
  type Action,
  allows,
  allowsMedia,
  type MediaAction,
  visiblePastStatuses,
  visibleStatuses,
} from "../../../kv/model/entities/scope.ts";
import type { Visibility } from "../../query/filter_budget.ts";
import type { IncludeVisibility } from "./includes.ts";

/** The access of a token to one collection. */
export interface CollectionAccess {
  /** Statuses of documents that it may read now; empty without the scope `read`. */
  statuses: readonly Status[];
  /** Statuses of past versions that it may read; empty without the scope `read-history`. */
  pastStatuses: readonly Status[];
  canSeeDrafts: boolean;
  canWrite: boolean;
}

/** How a request narrows what its token may see. */
export interface VisibilityLimits {
  /** The request reads the past, which takes the scope of history in every collection. */
  isPast?: boolean;
  /** The request sees published documents only. */
  isPublic?: boolean;
}

/** The visibility of one token under one schema. */
export class TokenVisibility implements Visibility, IncludeVisibility {
  readonly #scopes: readonly string[];
  readonly #schema: Schema;
  readonly #limits: VisibilityLimits;
  readonly #bySlug: Map<string, CollectionAccess>;

  constructor(
    scopes: readonly string[],
    schema: Schema,
    limits: VisibilityLimits = {},
    resolved = new Map<string, CollectionAccess>(),
  ) {
    this.#scopes = scopes;
    this.#schema = schema;
    this.#limits = limits;
    this.#bySlug = resolved;
  }

  /** The same token, with what it may see narrowed to what a request asks for. */
  narrowed(limits: VisibilityLimits): TokenVisibility {
    return new TokenVisibility(this.#scopes, this.#schema, limits, this.#bySlug);
  }

  /** The access to a collection, by slug; `*` is access to every collection. */
  access(slug: string): CollectionAccess {
    const known = this.#bySlug.get(slug);
    if (known !== undefined) return known;
    const access = {
      statuses: visibleStatuses(this.#scopes, slug),
      pastStatuses: visiblePastStatuses(this.#scopes, slug),
      canSeeDrafts: allows(this.#scopes, slug, "read-drafts"),
      canWrite: allows(this.#scopes, slug, "write"),
    };
    this.#bySlug.set(slug, access);
    return access;
  }

  /** Whether the token has the scope for an action on a collection. */
  can(slug: string, action: Action): boolean {
    const { statuses, pastStatuses, canSeeDrafts, canWrite } = this.access(slug);
    switch (action) {
      case "read":
        return statuses.length > 0;
      case "read-drafts":
        return canSeeDrafts;
      case "read-history":
        return pastStatuses.length > 0;
      case "write":
        return canWrite;
    }
  }

  /** Whether the token has the scope for an action on media; `*:read` is about collections. */
  canMedia(action: MediaAction): boolean {
    return allowsMedia(this.#scopes, action);
  }

  get canSeeMedia(): boolean {
    return this.canMedia("read");
  }

  /** A collection by its slug; undefined for one that is not exposed. */
  collection(slug: string): Collection | undefined {
    const collection = this.#schema.bySlug.get(slug);
    return collection?.exposed ? collection : undefined;
  }

  statuses({ slug }: Collection): readonly Status[] | null {
    const { isPast = false, isPublic = false } = this.#limits;
    if (isPast && !this.can(slug, "read-history")) return null;
    const { statuses } = this.access(slug);
    if (statuses.length === 0) return null;
    return isPublic ? statuses.filter((status) => status === "published") : statuses;
  }

  collectionOf({ collectionId, status }: DocumentState): Collection | null {
    const collection = this.#schema.byId.get(collectionId);
    if (!collection?.exposed) return null;
    return this.statuses(collection)?.includes(status) ? collection : null;
  }

  /** Whether unpublished changes of a document may be seen. */
  canSeeDraftsOf({ collectionId }: Pick<DocumentState, "collectionId">): boolean {
    const collection = this.#schema.byId.get(collectionId);
    return collection !== undefined && this.access(collection.slug).canSeeDrafts;
  }
}
