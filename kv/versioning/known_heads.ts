/**
 * The heads of a group's entities as of one versionstamp of the group's version key. A write that checks the
 * version key may use them without reading, because every change of an entity touches that key.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { absentHead, type Head, livingEntities, type LivingHead } from "./entities.ts";
import { keyText } from "../store/operation.ts";
import { currentKey } from "../keys.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";

/** Heads by type and id. */
export class KnownHeads {
  readonly #heads = new Map<string, LivingHead>();

  /** Reads the living entities of a type and remembers their heads; returns the states in order of id. */
  async read<T extends EntityType>(context: Context, type: T): Promise<Map<string, StateOf<T>>> {
    const states = new Map<string, StateOf<T>>();
    for await (const { id, entry, row, state } of livingEntities(context, type)) {
      // Keep the state once, not as bytes too.
      const { body: _body, ...rest } = row;
      const head: LivingHead = { entry: { ...entry, value: rest }, row: rest, state };
      this.#heads.set(keyText(currentKey(type, id)), head);
      states.set(id, state);
    }
    return states;
  }

  /** The head of an entity if it was living; the caller owns its state. */
  find<T extends EntityType>(type: T, id: string): LivingHead<T> | undefined {
    const head = this.#heads.get(keyText(currentKey(type, id))) as LivingHead<T> | undefined;
    return head && { ...head, state: structuredClone(head.state) };
  }
}

/** The heads that one attempt of a write need not read: those of groups, and those that it creates. */
export class KnownHeadsOfAttempt {
  readonly #known = new Set<KnownHeads>();
  readonly #begun = new Set<string>();

  know(heads: KnownHeads): void {
    this.#known.add(heads);
  }

  /** Remembers an id that this attempt created; returns it. */
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
