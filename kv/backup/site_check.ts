/**
 * Whether a site could live with what a back-up would put in place: names that must be unique, and counts
 * that everything else relies on.
 *
 * @module
 */
import { COLLECTIONS_MAX, FIELDS_MAX } from "../limits.ts";
import { normalizeEmail } from "../model/access.ts";
import type { TableName } from "../model/backup.ts";
import type { State } from "../model/entity.ts";
import { USERS_MAX } from "../people/users.ts";

/** Faults of one kind that are worth telling. */
const NAMED_MAX = 5;

/** Gathers what must be unique among living entities. */
export class SiteCheck {
  readonly #names = new Map<string, Set<string>>();
  readonly #doubles: string[] = [];
  readonly #fields = new Map<string, number>();
  #counts = { user: 0, collection: 0 };

  /** Looks at a living entity. */
  entity(table: TableName, state: State): void {
    switch (table) {
      case "user":
        this.#counts.user += 1;
        return this.#assertFree("user's address", normalizeEmail(String(state.email)));
      case "role":
        return this.#assertFree("role", String(state.name).toLowerCase());
      case "setting":
        return this.#assertFree("setting", String(state.key));
      case "collection":
        this.#counts.collection += 1;
        return this.#assertFree("collection", String(state.slug));
      case "block_definition":
        return this.#assertFree("block", String(state.name));
      case "field_definition": {
        const { collectionId, name, key } = state as { [key: string]: string };
        this.#fields.set(collectionId!, (this.#fields.get(collectionId!) ?? 0) + 1);
        this.#assertFree("field", `${collectionId} ${name}`);
        return this.#assertFree("storage key", `${collectionId} ${key}`);
      }
    }
  }

  /** What is wrong, once everything was seen. */
  faults(): string[] {
    const faults = this.#doubles.slice(0, NAMED_MAX);
    if (this.#counts.user > USERS_MAX) faults.push(`It has over ${USERS_MAX} users`);
    if (this.#counts.collection > COLLECTIONS_MAX) {
      faults.push(`It has over ${COLLECTIONS_MAX} collections`);
    }
    if ([...this.#fields.values()].some((count) => count > FIELDS_MAX)) {
      faults.push(`It has a collection of over ${FIELDS_MAX} fields`);
    }
    return faults;
  }

  #assertFree(kind: string, name: string): void {
    let names = this.#names.get(kind);
    if (names === undefined) this.#names.set(kind, names = new Set());
    if (names.has(name)) this.#doubles.push(`Two of its entities have the same ${kind}: ${name}`);
    names.add(name);
  }
}
