/**
 * A user's rights to the documents of each collection, decided only here. Permissions of a role apply to every
 * collection, its collection rights to the collection that they name.
 *
 * @module
 */
import type { DocumentState } from "./document.ts";
import type { Actor } from "./entity.ts";
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
  /** The languages that it may write in; absent for all. */
  languages?: readonly string[];
}

/** Actions that a role allows in a collection, or in all of them, and the languages that it may write in. */
interface RightsGrant {
  collectionId: string | null;
  actions: ReadonlySet<DocumentAction>;
  languages: readonly string[] | null;
}

/** The rights that a role gives, one for all collections and one for each that it names. */
function grantsOf(
  { permissions, collections = [], languages: named }: RightsGiver,
): RightsGrant[] {
  const languages = named ?? null;
  const everywhere = new Set(permissions.flatMap((name) => MEANT_BY[name] ?? []));
  return [
    { collectionId: null, actions: everywhere, languages },
    ...collections.map(({ collectionId, actions }) => ({
      collectionId,
      actions: new Set(actions),
      languages,
    })),
  ];
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
  readonly #grants: readonly RightsGrant[];

  constructor(userId: string, givers: readonly RightsGiver[]) {
    this.#userId = userId;
    this.#grants = givers.flatMap(grantsOf).filter(({ actions }) => actions.size > 0);
  }

  /** Whether they may do it in every collection, and in those that are still to come. */
  everywhere(action: DocumentAction): boolean {
    return this.allows(action, null);
  }

  /** Whether there is a collection in which they may do it. */
  somewhere(action: DocumentAction): boolean {
    return this.#grants.some(({ actions }) => actions.has(action));
  }

  /** Whether they may do it with every document of a collection. */
  in(action: DocumentAction, collectionId: string): boolean {
    return this.allows(action, collectionId);
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

  /** What limits their writes to some languages; nothing if no role does. */
  get limits(): Pick<Actor, "languagesOn"> {
    if (this.#grants.every(({ languages }) => languages === null)) return {};
    return { languagesOn: (action, document) => this.languagesOn(action, document) };
  }

  /** The languages of a document in which they may do it; null for all. */
  languagesOn(
    action: DocumentAction,
    { collectionId, createdBy }: Pick<DocumentState, "collectionId" | "createdBy">,
  ): readonly string[] | null {
    const isOwn = action === "edit" && createdBy === this.#userId;
    return languagesOf(
      this.#givenIn(collectionId).filter(({ actions }) =>
        actions.has(action) || (isOwn && actions.has("editOwn"))
      ),
    );
  }

  /**
   * Whether they may do it in a collection, null for all of them, in some languages, null for all of them. Without
   * `languages`, whether they may do it in any.
   */
  allows(
    action: DocumentAction,
    collectionId: string | null,
    languages?: readonly string[] | null,
  ): boolean {
    const granting = this.#givenIn(collectionId).filter(({ actions }) => actions.has(action));
    if (granting.length === 0 || languages === undefined) return granting.length > 0;
    const own = action === "read" ? null : languagesOf(granting);
    return own === null || (languages?.every((code) => own.includes(code)) ?? false);
  }

  /** Whether everything that a role allows is theirs already. */
  cover(role: RightsGiver): boolean {
    return grantsOf(role).every(({ collectionId, actions, languages }) =>
      [...actions].every((action) => this.allows(action, collectionId, languages))
    );
  }

  /** What they are given in a collection; null: in all of them. */
  #givenIn(collectionId: string | null): RightsGrant[] {
    return this.#grants.filter((grant) =>
      grant.collectionId === null || grant.collectionId === collectionId
    );
  }
}

/** The languages of some grants together; null for all. */
function languagesOf(grants: readonly RightsGrant[]): readonly string[] | null {
  const named = grants.map(({ languages }) => languages);
  return named.includes(null) ? null : [...new Set(named.flatMap((codes) => codes ?? []))];
}
