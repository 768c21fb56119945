/**
 * A user's rights to the documents of each collection, decided only here. Permissions of a role apply to every
 * collection, its collection rights to the collection that they name.
 *
 * @module
 */
import type { DocumentState } from "./document.ts";
import type { Permission } from "./permission.ts";

/** Everything that a right can be about; `editOwn` is to change what one has created oneself. */
export const DOCUMENT_ACTIONS = [
  "read",
  "create",
  "editOwn",
  "edit",
  "publish",
  "delete",
] as const;

/** An action on documents. */
export type DocumentAction = typeof DOCUMENT_ACTIONS[number];

/** The actions that a role allows in one collection. */
export interface CollectionRights {
  collectionId: string;
  actions: DocumentAction[];
}

/** The document rights of a role. */
export interface RightsGiver {
  permissions: readonly Permission[];
  collections?: readonly CollectionRights[];
}

/** The actions that the permissions of a role allow in every collection. */
export const MEANT_BY: { readonly [name in Permission]?: readonly DocumentAction[] } = {
  "documents.read": ["read"],
  "documents.write": ["create", "editOwn", "edit", "delete"],
  "documents.publish": ["publish"],
};

/** The actions in order, with those that they include: users who change documents see them. */
export function completeActions(actions: readonly DocumentAction[]): DocumentAction[] {
  const taken = new Set<DocumentAction>(actions);
  if (taken.size > 0) taken.add("read");
  if (taken.has("edit")) taken.add("editOwn");
  return DOCUMENT_ACTIONS.filter((action) => taken.has(action));
}

/** The rights of one person: the sum of those of their roles. */
export class DocumentRights {
  readonly #userId: string;
  readonly #everywhere: ReadonlySet<DocumentAction>;
  readonly #byCollection = new Map<string, Set<DocumentAction>>();

  constructor(userId: string, givers: readonly RightsGiver[]) {
    this.#userId = userId;
    this.#everywhere = new Set(
      givers.flatMap(({ permissions }) => permissions.flatMap((name) => MEANT_BY[name] ?? [])),
    );
    for (const { collectionId, actions } of givers.flatMap(({ collections = [] }) => collections)) {
      const known = this.#byCollection.get(collectionId);
      this.#byCollection.set(collectionId, new Set([...known ?? [], ...actions]));
    }
  }

  /** Whether they may do it in every collection, and in those that are still to come. */
  everywhere(action: DocumentAction): boolean {
    return this.#everywhere.has(action);
  }

  /** Whether there is a collection in which they may do it. */
  somewhere(action: DocumentAction): boolean {
    return this.everywhere(action) ||
      [...this.#byCollection.values()].some((actions) => actions.has(action));
  }

  /** Whether they may do it with every document of a collection. */
  in(action: DocumentAction, collectionId: string): boolean {
    return this.everywhere(action) || this.#byCollection.get(collectionId)?.has(action) === true;
  }

  /** Whether they may do it with this document. */
  on(
    action: Exclude<DocumentAction, "create" | "editOwn">,
    { collectionId, createdBy }: Pick<DocumentState, "collectionId" | "createdBy">,
  ): boolean {
    if (this.in(action, collectionId)) return true;
    return action === "edit" && createdBy === this.#userId && this.in("editOwn", collectionId);
  }

  /** Those of some collections in which they may do it. */
  within<T extends { id: string }>(action: DocumentAction, collections: readonly T[]): T[] {
    return collections.filter(({ id }) => this.in(action, id));
  }

  /** Whether everything that a role allows is theirs already. */
  cover({ collections = [] }: RightsGiver): boolean {
    return collections.every(({ collectionId, actions }) =>
      actions.every((action) => this.in(action, collectionId))
    );
  }
}
