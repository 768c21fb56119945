/**
 * The server's value of each field and how the form differs from it: unsaved changes, values that the server
 * rejects, and conflicts between two users.
 *
 * @module
 */
import { ControlFault, type Value } from "../control_values.ts";
import type { LiveFields } from "./live_fields.ts";
import { same } from "./same_value.ts";
import { mergeValues } from "./value_merge.ts";

/** The title of a document that has none. */
export const WORKING_TITLE = "Untitled";

/** A conflict: two versions of a field, one of which the user must choose. */
export interface FieldConflict {
  theirs: Value;
  /** The other's user id, if that is known. */
  by: string | null;
}

/** A field whose control differs from the server's value. */
export interface Difference {
  base: Value;
  mine: Value;
  /** Set while the field has an open conflict. */
  conflict?: FieldConflict;
}

/** The fields of one document. */
export class FieldStates {
  readonly #fields: LiveFields;
  readonly #onConflict: (name: string, conflict: FieldConflict | null) => void;
  /** The values that the server has. */
  readonly #confirmed = new Map<string, Value>();
  readonly #dirty = new Set<string>();
  readonly #conflicts = new Map<string, FieldConflict>();
  /** Values that the server rejected, until they are changed. */
  readonly #refused = new Map<string, Value>();
  readonly #unreadable = new Set<string>();

  /** `onConflict` is called when a conflict begins and, with null, when it ends. */
  constructor(
    fields: LiveFields,
    onConflict: (name: string, conflict: FieldConflict | null) => void,
  ) {
    this.#fields = fields;
    this.#onConflict = onConflict;
    for (const name of fields.names()) {
      const value = this.#shown(name);
      if (value !== undefined) this.#confirmed.set(name, value);
    }
  }

  get isClean(): boolean {
    return this.#dirty.size === 0 && this.#unreadable.size === 0;
  }

  /** Fields with something that may be sent. */
  get sendable(): string[] {
    return [...this.#dirty].filter((name) => !this.#isBlocked(name));
  }

  /** Fields that the user must correct before they can be saved. */
  get refused(): string[] {
    const refused = [...this.#refused.keys()].filter((name) => this.#isRefused(name));
    return [...new Set([...refused, ...this.#unreadable])];
  }

  get conflicting(): string[] {
    return [...this.#conflicts.keys()];
  }

  get names(): string[] {
    return this.#fields.names();
  }

  isDirty(name: string): boolean {
    return this.#dirty.has(name);
  }

  confirmed(name: string): Value {
    return this.#confirmed.get(name);
  }

  difference(name: string): Difference {
    return { base: this.#confirmed.get(name), mine: this.#shown(name) };
  }

  /** The unsaved values. */
  differences(): Record<string, Difference> {
    const names = [...this.#dirty].filter((name) => this.#shown(name) !== undefined);
    return Object.fromEntries(names.map((name) => {
      const conflict = this.#conflicts.get(name);
      return [name, { ...this.difference(name), ...(conflict && { conflict }) }];
    }));
  }

  /** Shows again what an earlier page could not send. */
  restore(name: string, { base, mine, conflict }: Difference): void {
    if (!this.names.includes(name)) return;
    this.#confirmed.set(name, base);
    this.#fields.write(name, mine);
    this.check(name);
    if (conflict !== undefined && this.#dirty.has(name)) this.#conflict(name, conflict);
  }

  /** The server has acknowledged a value. */
  keep(name: string, value: Value): void {
    this.#confirmed.set(name, this.#fields.shape(name, value));
    this.#refused.delete(name);
    this.check(name);
  }

  /** The server has rejected the shown value. */
  refuse(name: string): void {
    this.#refused.set(name, this.#shown(name));
  }

  /** The server's value has changed: the form follows unless the field has local changes. */
  rebase(name: string, value: Value, by: string | null): void {
    const theirs = this.#fields.shape(name, value);
    const base = this.#confirmed.get(name);
    this.#confirmed.set(name, theirs);
    if (same(base, theirs)) return this.check(name);
    if (!this.#dirty.has(name) && !this.#unreadable.has(name)) {
      if (name === "title" && this.#isLeftToServer(name, this.#shown(name))) return;
      this.#fields.write(name, theirs);
      this.#confirmed.set(name, this.#shown(name) ?? theirs);
      return;
    }
    const mine = this.#shown(name);
    if (mine === undefined) return this.#conflict(name, { theirs, by });
    const known = this.#conflicts.get(name);
    if (known !== undefined) {
      // The local value is not derived from it, so there is nothing to merge.
      this.#conflict(name, { theirs, by: by ?? known.by });
      return this.check(name);
    }
    const { value: merged, isConflict } = mergeValues(base, mine, theirs);
    if (!same(merged, mine)) this.#fields.write(name, merged);
    if (isConflict) this.#conflict(name, { theirs, by });
    this.check(name);
  }

  /** The authors of the other versions of these fields. */
  name(names: readonly string[], by: string): void {
    for (const name of names) {
      const conflict = this.#conflicts.get(name);
      if (conflict !== undefined && conflict.by === null) this.#conflict(name, { ...conflict, by });
    }
  }

  /** One of two versions stays; answers the other one. */
  choose(name: string, which: "mine" | "theirs"): Value {
    const conflict = this.#conflicts.get(name);
    if (conflict === undefined) return undefined;
    const mine = this.#shown(name);
    this.#conflicts.delete(name);
    this.#onConflict(name, null);
    if (which === "theirs") this.#fields.write(name, this.#confirmed.get(name));
    this.check(name);
    return which === "mine" ? conflict.theirs : mine;
  }

  /** Compares the form with the server's values. */
  check(name: string): void {
    const mine = this.#shown(name);
    if (mine === undefined) return;
    if (!same(mine, this.#confirmed.get(name)) && !this.#isLeftToServer(name, mine)) {
      return void this.#dirty.add(name);
    }
    this.#dirty.delete(name);
    this.#refused.delete(name);
    if (this.#conflicts.delete(name)) this.#onConflict(name, null);
  }

  /** The server derives an empty slug from the title, and gives a document without a title a working title. */
  #isLeftToServer(name: string, mine: Value): boolean {
    if (name === "slug") return mine === null;
    return name === "title" && mine === null && this.#confirmed.get(name) === WORKING_TITLE;
  }

  #conflict(name: string, conflict: FieldConflict): void {
    this.#conflicts.set(name, conflict);
    this.#onConflict(name, conflict);
  }

  #isBlocked(name: string): boolean {
    return this.#conflicts.has(name) || this.#unreadable.has(name) || this.#isRefused(name);
  }

  #isRefused(name: string): boolean {
    return this.#refused.has(name) && same(this.#refused.get(name), this.#shown(name));
  }

  /** Undefined while the control holds no value. */
  #shown(name: string): Value {
    try {
      const value = this.#fields.read(name);
      this.#unreadable.delete(name);
      return value ?? null;
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      this.#unreadable.add(name);
      return undefined;
    }
  }
}
