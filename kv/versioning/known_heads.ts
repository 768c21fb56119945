/**
 * The heads of a group's entities as they were read with one state of the group's version key. A write that checks
 * the version key decides by them without reading any again: whoever changes one touches the version key.
 *
 * @module
 */
import type { Context } from "./context.ts";
import { absentHead, type Head, livingEntities } from "./entities.ts";
import { keyText } from "../store/operation.ts";
import { currentKey } from "../keys.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";

/** Heads by type and id. */
export class KnownHeads {
  readonly #heads = new Map<string, Head>();

  /** Reads the living entities of a type, and keeps their heads; answers the states by id, in order of id. */
  async read<T extends EntityType>(context: Context, type: T): Promise<Map<string, StateOf<T>>> {
    const states = new Map<string, StateOf<T>>();
    for await (const { id, entry, row, state } of livingEntities(context, type)) {
      // The state is kept once, not as bytes too.
      const { body: _body, ...rest } = row;
      const head: Head = { entry: { ...entry, value: rest }, row: rest, state };
      this.#heads.set(keyText(currentKey(type, id)), head);
      states.set(id, state);
    }
    return states;
  }

  /** The head of an entity, if it was living; its state is the caller's own. */
  find<T extends EntityType>(type: T, id: string): Head<T> | undefined {
    const head = this.#heads.get(keyText(currentKey(type, id))) as Head<T> | undefined;
    return head && { ...head, state: structuredClone(head.state) };
  }
}

/** What one attempt of a write need not read: what is known of groups, and what it has begun itself. */
export class KnownHeadsOfAttempt {
  readonly #known = new Set<KnownHeads>();
  readonly #begun = new Set<string>();

  know(heads: KnownHeads): void {
    this.#known.add(heads);
  }

  /** Notes an id that was made for this attempt; answers it. */
  begin(id: string): string {
    this.#begun.add(id);
    return id;
  }

  find<T extends EntityType>(type: T, id: string): Head<T> | undefined {
    if (this.#begun.has(id)) return absentHead(currentKey(type, id));
    for (const heads of this.#known) {
      const found = heads.find(type, id);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
