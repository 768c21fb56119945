/**
 * What a token may see, in every collection that a request reaches.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../kv/model/entities/document.ts";
import { allows, allowsMedia, visibleStatuses } from "../../../kv/model/entities/scope.ts";
import type { Sight } from "../../query/filter_budget.ts";

/** What the scopes of a token show. */
export class TokenSight implements Sight {
  readonly #scopes: readonly string[];
  readonly #schema: Schema;

  readonly #isPast: boolean;
  readonly #isPublic: boolean;

  /** `isPast` asks for the scope of history, too; `isPublic` shows nothing but what is published. */
  constructor(
    scopes: readonly string[],
    schema: Schema,
    { isPast = false, isPublic = false }: { isPast?: boolean; isPublic?: boolean } = {},
  ) {
    this.#scopes = scopes;
    this.#schema = schema;
    this.#isPast = isPast;
    this.#isPublic = isPublic;
  }

  /** A collection by its slug; one that is not exposed is not there. */
  collection(slug: string): Collection | undefined {
    const collection = this.#schema.bySlug.get(slug);
    return collection?.exposed ? collection : undefined;
  }

  statuses(collection: Collection): readonly Status[] | null {
    if (this.#isPast && !this.showsHistory(collection)) return null;
    const visible = visibleStatuses(this.#scopes, collection.slug);
    if (visible.length === 0) return null;
    return this.#isPublic ? visible.filter((status) => status === "published") : visible;
  }

  /** The collection of a document that may be seen; null for one that may not. */
  homeOf({ collectionId, status }: DocumentState): Collection | null {
    const collection = this.#schema.byId.get(collectionId);
    if (!collection?.exposed) return null;
    return this.statuses(collection)?.includes(status) ? collection : null;
  }

  /** Whether what is not public yet of a document may be seen. */
  showsDraftsOf({ collectionId }: Pick<DocumentState, "collectionId">): boolean {
    const collection = this.#schema.byId.get(collectionId);
    return collection !== undefined && allows(this.#scopes, collection.slug, "read-drafts");
  }

  /** Whether what a collection was may be seen. */
  showsHistory({ slug }: Collection): boolean {
    return allows(this.#scopes, slug, "read-history");
  }

  /** Whether media may be seen as such; `*:read` is about collections. */
  get showsMedia(): boolean {
    return allowsMedia(this.#scopes, "read");
  }
}
