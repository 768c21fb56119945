/**
 * A site with a naive memory: after every step all living entities are remembered under the present
 * second, which is what state-at and restores must come to.
 *
 * @module
 */
import { createBlock, patchBlock, removeBlock } from "../../../kv/schema/blocks.ts";
import { patchCollection, removeCollection } from "../../../kv/schema/collections.ts";
import { archiveDocument, publishDocument, untrashDocument } from "../../../kv/documents/status.ts";
import { createDocument, patchDocument, trashDocument } from "../../../kv/documents/documents.ts";
import { livingEntities } from "../../../kv/versioning/entities.ts";
import { createField, patchField, removeField } from "../../../kv/schema/fields.ts";
import { currentPrefix, versionKey } from "../../../kv/keys.ts";
import type { Json, State } from "../../../kv/model/entities/entity.ts";
import { asJson, ENTITY_TYPES, type EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import { parseField } from "../../../kv/model/fields/field_input.ts";
import { parseToken } from "../../../kv/model/input/token_input.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { createRole, patchRole, removeRole } from "../../../kv/people/roles.ts";
import { setUp } from "../../../kv/people/setup.ts";
import { mintToken, patchToken, revokeToken } from "../../../kv/people/tokens.ts";
import { createUser, patchUser, removeUser } from "../../../kv/people/users.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { type TestApp, testApp } from "../sites/app.ts";

/** An entity as it was remembered. */
export interface Remembered {
  type: EntityType;
  id: string;
  n: number;
  state: State;
}

/** All living entities at a second. */
export type Memory = Map<string, Remembered>;

/** What a step is made of: which of the actions, on what, with what. */
export interface HarnessStep {
  action: number;
  which: number;
  what: number;
  seconds: number;
}

const PLAIN = ["theme", "plugin", "plugin_config", "media_metadata"] as const;
const NAMES = ["ant", "bee", "cat", "dog"];
/** Large enough to be spilled. */
const LARGE = "long ".repeat(50_000);

/** A site and what it was at every second. */
export class HistoryHarness implements AsyncDisposable {
  readonly memories: { at: number; memory: Memory }[] = [];

  private constructor(readonly app: TestApp, readonly userId: string) {}

  /** A site that has just been set up, with one collection. */
  static async open(): Promise<HistoryHarness> {
    const app = await testApp();
    const { user } = await setUp(app.deps.people, app.deps.settings, {
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "The Lantern",
    });
    const harness = new HistoryHarness(app, user.id);
    await app.collection({ slug: "ant", name: "ant", fields: [{ ...TEXT, unique: true }] });
    await harness.remember();
    return harness;
  }

  get context() {
    return this.app.context;
  }

  /** Epoch seconds. */
  get now(): number {
    return Math.floor(this.context.now() / 1000);
  }

  /** Does a step; what the site refuses does not happen. */
  async step({ action, which, what, seconds }: HarnessStep): Promise<void> {
    this.context.advance(seconds * 1_000);
    const act = ACTIONS[action % ACTIONS.length]!;
    try {
      await act(this, which, NAMES[what % NAMES.length]!);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    await this.remember();
  }

  /** Remembers what is now. */
  async remember(): Promise<void> {
    const memory: Memory = new Map();
    for (const type of ENTITY_TYPES) {
      for await (const { id, row, state } of livingEntities(this.context, type)) {
        memory.set(`${type} ${id}`, { type, id, n: row.n, state: asJson(state) });
      }
    }
    const last = this.memories.at(-1);
    if (last?.at === this.now) last.memory = memory;
    else this.memories.push({ at: this.now, memory });
  }

  /** What there was at an instant. */
  at(instant: number): Memory {
    return this.memories.findLast(({ at }) => at <= instant)?.memory ?? new Map();
  }

  /** Whether the version of a remembered entity is still kept. */
  async isKept({ type, id, n }: Remembered): Promise<boolean> {
    return (await this.context.store.get(versionKey(type, id, n))).value !== null;
  }

  /** One of the entities of a type, gone ones too. */
  async pick(type: EntityType, which: number): Promise<string> {
    const rows = await this.context.store.listAll({ prefix: currentPrefix(type) });
    if (rows.length === 0) throw new Refusal("NOT_FOUND");
    return rows[which % rows.length]!.key.at(-1) as string;
  }

  /** The slug of one of the collections. */
  async slug(which: number): Promise<string> {
    const { collections } = await this.app.deps.content.schema.current();
    if (collections.length === 0) throw new Refusal("NOT_FOUND");
    return collections[which % collections.length]!.slug;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
  }
}

const TEXT = { name: "ant", label: "Text", type: "text" };

type Action = (harness: HistoryHarness, which: number, name: string) => Promise<unknown>;

const actor = { userId: null };
const authority = (harness: HistoryHarness) =>
  harness.app.deps.people.access.current()
    .then((access) => access.authorityOf(harness.userId));
const content = (harness: HistoryHarness) => harness.app.deps.content;
const people = (harness: HistoryHarness) => harness.app.deps.people;

async function savePlain(
  harness: HistoryHarness,
  type: EntityType,
  id: string,
  state: Record<string, Json> | null,
): Promise<void> {
  await versionedWrite(harness.context, actor, async (transaction) => {
    const head = await transaction.head(type, id);
    if (state !== null || head.state !== null) transaction.save(type, id, head, state as never);
  });
}

/** Roles and users whose names are these are never built in, and never the administrator. */
const ACTIONS: readonly Action[] = [
  async (harness, which, name) =>
    await createDocument(content(harness), actor, await harness.slug(which), {
      title: name,
      ant: name,
    }),
  async (harness, which, name) =>
    await createDocument(content(harness), actor, await harness.slug(which), {
      title: name,
      status: which % 2 ? "published" : "draft",
    }),
  async (harness, which, name) =>
    await patchDocument(content(harness), actor, await harness.pick("document", which), {
      slug: name,
    }),
  async (harness, which, name) =>
    await patchDocument(content(harness), actor, await harness.pick("document", which), {
      ant: name,
    }),
  async (harness, which, name) =>
    await patchDocument(content(harness), actor, await harness.pick("document", which), {
      title: `${name} ${which}`,
      ant: which % 5 ? name : LARGE + name,
    }),
  async (harness, which) =>
    await trashDocument(content(harness), actor, await harness.pick("document", which)),
  async (harness, which) =>
    await untrashDocument(content(harness), actor, await harness.pick("document", which)),
  async (harness, which) =>
    await publishDocument(content(harness), actor, await harness.pick("document", which)),
  async (harness, which) =>
    await archiveDocument(content(harness), actor, await harness.pick("document", which)),
  (harness, _which, name) =>
    harness.app.collection({ slug: name, name, fields: [{ ...TEXT, unique: true }] }),
  async (harness, which, name) =>
    await patchCollection(content(harness), actor, await harness.slug(which), { slug: name }),
  async (harness, which) =>
    await removeCollection(content(harness), actor, await harness.slug(which)),
  async (harness, which, name) =>
    await createField(
      content(harness),
      actor,
      await harness.slug(which),
      parseField({ ...TEXT, name }),
    ),
  async (harness, which, name) =>
    await patchField(content(harness), actor, await harness.slug(which), name, {
      label: `${which}`,
    }),
  async (harness, which, name) =>
    await patchField(content(harness), actor, await harness.slug(which), name, { unique: false }),
  async (harness, which, name) =>
    await removeField(content(harness), actor, await harness.slug(which), name),
  (harness, _which, name) =>
    createBlock(content(harness), actor, { name, label: name, fields: [] }),
  (harness, which, name) => patchBlock(content(harness), actor, name, { label: `${which}` }),
  (harness, _which, name) => removeBlock(content(harness), actor, name),
  (harness, which, name) =>
    harness.app.deps.settings.patch(
      actor,
      which % 2 ? { "site.title": name } : { "secret.a": name },
    ),
  async (harness, _which, name) =>
    await createRole(people(harness), await authority(harness), { name, permissions: [] }),
  async (harness, which, name) =>
    await patchRole(people(harness), await authority(harness), await harness.pick("role", which), {
      name,
    }),
  async (harness, which) =>
    await removeRole(people(harness), await authority(harness), await harness.pick("role", which)),
  async (harness, which, name) =>
    await createUser(people(harness), await authority(harness), {
      email: `${name}@example.org`,
      displayName: name,
      password: "a long enough one",
      roles: which % 2 ? ["editor"] : ["viewer"],
    }),
  async (harness, which, name) => {
    const id = await harness.pick("user", which);
    await patchUser(people(harness), await authority(harness), id, { displayName: name });
  },
  async (harness, which) => {
    const id = await harness.pick("user", which);
    if (id !== harness.userId) await removeUser(people(harness), await authority(harness), id);
  },
  (harness, _which, name) =>
    mintToken(harness.context, actor, parseToken({ name, scopes: ["*"] }, 0), null),
  async (harness, which, name) =>
    await patchToken(
      harness.context,
      actor,
      await harness.pick("api_token", which),
      { name },
      null,
    ),
  async (harness, which) =>
    await revokeToken(harness.context, actor, await harness.pick("api_token", which)),
  async (harness, which, name) => {
    const id = harness.context.newId(harness.context.now());
    const text = which % 6 ? name : LARGE;
    const facts = { filename: name, deletedAt: null, object: "o" };
    await savePlain(harness, PLAIN[which % 4]!, id, { id, name, text, ...facts });
  },
  async (harness, which, name) => {
    const type = PLAIN[which % 4]!;
    const id = await harness.pick(type, which >> 2);
    await savePlain(harness, type, id, which % 3 ? { id, name } : null);
  },
];
