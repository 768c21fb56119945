/**
 * Runs in the browser. Keeps a document saved: sends what differs from what was saved last, one request
 * at a time, under the condition that nobody else has changed the document meanwhile.
 *
 * @module
 */
import { call, type Reply } from "../call.ts";
import type { Value } from "./control_values.ts";

/** What the saver tells. */
export type SaveState =
  | { kind: "saved"; version: number; at: Date; theirs: string[] }
  | { kind: "saving" }
  | { kind: "refused"; reply: Reply }
  | { kind: "lost"; reply: Reply }
  | { kind: "conflict"; conflict: Conflict };

/** Two people changed the same fields. */
export interface Conflict {
  /** The fields that both have changed. */
  fields: string[];
  mine: Record<string, Value>;
  theirs: Record<string, Value>;
  /** The tag of what they saved. */
  etag: string;
}

type Values = Record<string, Value>;

/** What the saver needs. */
export interface SaverOptions {
  id: string | null;
  etag: string;
  collection: string;
  /** The values of the form now; throws while they cannot be read. */
  read: () => Values;
  /** What the server has, where the form shows something else already. */
  saved?: Values;
  tell: (state: SaveState) => void;
  /** The document was created. */
  created: (id: string) => void;
}

/** Saves one document. */
export class Saver {
  readonly #options: SaverOptions;
  #id: string | null;
  #etag: string;
  #saved: Values;
  #running: Promise<boolean> | null = null;

  constructor(options: SaverOptions) {
    this.#options = options;
    this.#id = options.id;
    this.#etag = options.etag;
    this.#saved = options.saved ?? options.read();
  }

  /** The document's id, once it has one. */
  get id(): string | null {
    return this.#id;
  }

  /** What the server has, as far as it is known. */
  get saved(): Values {
    return this.#saved;
  }

  /** The fields that are not saved. */
  changes(): Values {
    const values = this.#options.read();
    const names = Object.keys(values).filter((name) =>
      !same(values[name], this.#saved[name]) && !(name === "slug" && values.slug === null)
    );
    return Object.fromEntries(names.map((name) => [name, values[name]]));
  }

  /** Whether anything is not saved. */
  isDirty(): boolean {
    return Object.keys(this.changes()).length > 0;
  }

  /** Saves all there is to save; answers whether everything is. */
  async save(): Promise<boolean> {
    if (this.#running !== null && !(await this.#running)) return false;
    if (this.#id !== null && !this.isDirty()) return true;
    this.#running = this.#send(this.changes()).finally(() => this.#running = null);
    return await this.#running;
  }

  /** Saves over what others have saved, leaving the fields that are theirs. */
  async settle(conflict: Conflict, mine: Set<string>): Promise<boolean> {
    this.#etag = conflict.etag;
    const changes = this.changes();
    for (const field of conflict.fields) {
      if (mine.has(field)) continue;
      delete changes[field];
      this.#saved[field] = conflict.mine[field];
    }
    return Object.keys(changes).length === 0 || await this.#send(changes);
  }

  async #send(changes: Values, theirs: string[] = []): Promise<boolean> {
    const { tell, collection, created } = this.#options;
    tell({ kind: "saving" });
    const reply = this.#id === null
      ? await call("POST", "/api/admin/documents", { body: { collection, ...given(changes) } })
      : await call("PATCH", `/api/admin/documents/${this.#id}`, {
        body: changes,
        headers: { "if-match": this.#etag },
      });
    if (reply.status === 412) return await this.#merge(changes);
    if (!reply.ok) {
      const isLost = reply.status === 0 || reply.status === 401 || reply.status >= 500;
      tell({ kind: isLost ? "lost" : "refused", reply });
      return false;
    }
    this.#etag = reply.headers.get("etag") ?? "";
    this.#saved = { ...this.#saved, ...changes };
    if (this.#id === null) {
      this.#id = reply.body.id;
      created(reply.body.id);
    }
    const version = Number(this.#etag.split(".")[1] ?? 0);
    tell({ kind: "saved", version, at: new Date(), theirs });
    return true;
  }

  /** Others have saved: when they changed other fields, both have their way. */
  async #merge(mine: Values): Promise<boolean> {
    const { tell } = this.#options;
    const reply = await call("GET", `/api/admin/documents/${this.#id}`);
    if (!reply.ok) {
      tell({ kind: "lost", reply });
      return false;
    }
    const theirs: Values = reply.body;
    const etag = reply.headers.get("etag") ?? "";
    const changed = Object.keys(this.#saved).filter((name) =>
      !same(normal(theirs[name]), normal(this.#saved[name]))
    );
    const fields = changed.filter((name) =>
      name in mine && !same(normal(mine[name]), normal(theirs[name]))
    );
    if (fields.length > 0) {
      tell({ kind: "conflict", conflict: { fields, mine, theirs, etag } });
      return false;
    }
    this.#etag = etag;
    return await this.#send(mine, changed.filter((name) => !(name in mine)));
  }
}

/** A new document need not say what it has not. */
function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** What counts as nothing to a form: without it, form and server may differ in shape alone. */
function normal(value: Value): Value {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(normal);
  if (typeof value !== "object" || value === null) {
    return value === "" || value === false || value === undefined ? null : value;
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, normal(inner)] as const)
    .filter(([, inner]) => inner !== null);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Whether two values are the same JSON, whatever the order of their keys. */
function same(a: Value, b: Value): boolean {
  return ordered(a) === ordered(b);
}

function ordered(value: Value): string {
  return JSON.stringify(
    value ?? null,
    (_key, inner) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => x < y ? -1 : 1))
        : inner,
  );
}
