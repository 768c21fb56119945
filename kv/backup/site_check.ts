/**
 * Whether a site could live with what a back-up would put in place: names that must be unique, and counts
 * that everything else relies on.
 *
 * @module
 */
import { COLLECTIONS_MAX, FIELDS_MAX, USERS_MAX } from "../limits.ts";
import type { VersionLine } from "../model/backup.ts";
import { namesOf } from "../model/entity_kinds.ts";
import { FAULTS_NAMED_MAX } from "../tuning.ts";

/** Gathers what must be unique among living entities. */
export class SiteCheck {
  readonly #names = new Set<string>();
  readonly #doubles: string[] = [];
  readonly #fields = new Map<string, number>();
  #counts = { user: 0, collection: 0 };

  /** Looks at a living entity. */
  entity({ entity_type: type, state }: VersionLine): void {
    if (state === null) return;
    if (type === "user") this.#counts.user += 1;
    if (type === "collection") this.#counts.collection += 1;
    if (type === "field_definition") {
      const { collectionId } = state;
      this.#fields.set(collectionId, (this.#fields.get(collectionId) ?? 0) + 1);
    }
    for (const name of namesOf(type, state)) {
      if (this.#names.has(name)) this.#doubles.push(`Two of its entities have the same ${name}`);
      this.#names.add(name);
    }
  }

  /** What is wrong, once everything was seen. */
  faults(): string[] {
    const faults = this.#doubles.slice(0, FAULTS_NAMED_MAX);
    if (this.#counts.user > USERS_MAX) faults.push(`It has over ${USERS_MAX} users`);
    if (this.#counts.collection > COLLECTIONS_MAX) {
      faults.push(`It has over ${COLLECTIONS_MAX} collections`);
    }
    if ([...this.#fields.values()].some((count) => count > FIELDS_MAX)) {
      faults.push(`It has a collection of over ${FIELDS_MAX} fields`);
    }
    return faults;
  }
}
