/**
 * Whether a site could live with what a backup would put in place: names that must be unique, and counts
 * that everything else relies on.
 *
 * @module
 */
import type { VersionLine } from "../model/entities/backup.ts";
import { type EntityType, kindOf, namesOf } from "../model/entities/entity_kinds.ts";
import { FAULTS_NAMED_MAX } from "../tuning.ts";

/** Gathers what must be unique among living entities, and counts those that a site has few of. */
export class SiteCheck {
  readonly #names = new Set<string>();
  readonly #doubles: string[] = [];
  /** By type and what they are counted in. */
  readonly #counts = new Map<EntityType, Map<string, number>>();

  /** Looks at a living entity. */
  entity({ entity_type: type, state }: VersionLine): void {
    if (state === null) return;
    const { most } = kindOf(type);
    if (most !== undefined) {
      const within = most.within?.(state) ?? "";
      const counts = this.#counts.get(type) ?? new Map<string, number>();
      this.#counts.set(type, counts.set(within, (counts.get(within) ?? 0) + 1));
    }
    for (const name of namesOf(type, state)) {
      if (this.#names.has(name)) this.#doubles.push(`Two of its entities have the same ${name}`);
      this.#names.add(name);
    }
  }

  /** The faults, once every row has been checked. */
  faults(): string[] {
    const faults = this.#doubles.slice(0, FAULTS_NAMED_MAX);
    for (const [type, counts] of this.#counts) {
      const { count = Infinity, fault } = kindOf(type).most ?? {};
      if ([...counts.values()].some((there) => there > count)) faults.push(`It has ${fault}`);
    }
    return faults;
  }
}
