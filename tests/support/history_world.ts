/**
 * A site with a naive memory: after every step all living entities are remembered under the present
 * second, which is what state-at and restores must come to.
 *
 * @module
 */
import { createBlock, patchBlock, removeBlock } from "../../kv/schema/blocks.ts";
import { patchCollection, removeCollection } from "../../kv/schema/collections.ts";
import { archiveDocument, publishDocument, untrashDocument } from "../../kv/documents/status.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { liveEntities } from "../../kv/entities.ts";
import { createField, patchField, removeField } from "../../kv/schema/fields.ts";
import { livePrefix, versionKey } from "../../kv/keys.ts";
import { ENTITY_TYPES, type EntityType, type Json, type State } from "../../kv/model/entity.ts";
import { parseField } from "../../kv/model/field_input.ts";
import { parseToken } from "../../kv/model/token_input.ts";
import { Refusal } from "../../kv/refusals.ts";
import { createRole, patchRole, removeRole } from "../../kv/people/roles.ts";
import { setUp } from "../../kv/people/setup.ts";
import { mintToken, patchToken, revokeToken } from "../../kv/people/tokens.ts";
import { createUser, patchUser, removeUser } from "../../kv/people/users.ts";
import { versionedWrite } from "../../kv/versioned_write.ts";
import { type TestApp, testApp } from "./app.ts";

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
export interface WorldStep {
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
export class HistoryWorld implements AsyncDisposable {
  readonly memories: { at: number; memory: Memory }[] = [];

  private constructor(readonly app: TestApp, readonly userId: string) {}

  /** A site that has just been set up, with one collection. */
  static async open(): Promise<HistoryWorld> {
    const app = await testApp();
    const { user } = await setUp(app.deps.people, app.deps.settings, {
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "The Lantern",
    });
    const world = new HistoryWorld(app, user.id);
    await app.collection({ slug: "ant", name: "ant", fields: [{ ...TEXT, unique: true }] });
    await world.remember();
    return world;
  }

  get context() {
    return this.app.context;
  }

  /** Epoch seconds. */
  get now(): number {
    return Math.floor(this.context.now() / 1000);
  }

  /** Does a step; what the site refuses does not happen. */
  async step({ action, which, what, seconds }: WorldStep): Promise<void> {
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
      for await (const { id, row, state } of liveEntities(this.context, type)) {
        memory.set(`${type} ${id}`, { type, id, n: row.n, state });
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
    const rows = await this.context.store.listAll({ prefix: livePrefix(type) });
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

type Action = (world: HistoryWorld, which: number, name: string) => Promise<unknown>;

const actor = { userId: null };
const authority = (world: HistoryWorld) =>
  world.app.deps.people.access.current()
    .then((access) => access.authorityOf(world.userId));
const content = (world: HistoryWorld) => world.app.deps.content;
const people = (world: HistoryWorld) => world.app.deps.people;

async function savePlain(
  world: HistoryWorld,
  type: EntityType,
  id: string,
  state: Record<string, Json> | null,
): Promise<void> {
  await versionedWrite(world.context, actor, async (transaction) => {
    const head = await transaction.head(type, id);
    if (state !== null || head.state !== null) transaction.save(type, id, head, state);
  });
}

/** Roles and users whose names are these are never built in, and never the administrator. */
const ACTIONS: readonly Action[] = [
  async (world, which, name) =>
    await createDocument(content(world), actor, await world.slug(which), {
      title: name,
      ant: name,
    }),
  async (world, which, name) =>
    await createDocument(content(world), actor, await world.slug(which), {
      title: name,
      status: which % 2 ? "published" : "draft",
    }),
  async (world, which, name) =>
    await patchDocument(content(world), actor, await world.pick("document", which), { slug: name }),
  async (world, which, name) =>
    await patchDocument(content(world), actor, await world.pick("document", which), { ant: name }),
  async (world, which, name) =>
    await patchDocument(content(world), actor, await world.pick("document", which), {
      title: `${name} ${which}`,
      ant: which % 5 ? name : LARGE + name,
    }),
  async (world, which) =>
    await trashDocument(content(world), actor, await world.pick("document", which)),
  async (world, which) =>
    await untrashDocument(content(world), actor, await world.pick("document", which)),
  async (world, which) =>
    await publishDocument(content(world), actor, await world.pick("document", which)),
  async (world, which) =>
    await archiveDocument(content(world), actor, await world.pick("document", which)),
  (world, _which, name) =>
    world.app.collection({ slug: name, name, fields: [{ ...TEXT, unique: true }] }),
  async (world, which, name) =>
    await patchCollection(content(world), actor, await world.slug(which), { slug: name }),
  async (world, which) => await removeCollection(content(world), actor, await world.slug(which)),
  async (world, which, name) =>
    await createField(
      content(world),
      actor,
      await world.slug(which),
      parseField({ ...TEXT, name }),
    ),
  async (world, which, name) =>
    await patchField(content(world), actor, await world.slug(which), name, { label: `${which}` }),
  async (world, which, name) =>
    await patchField(content(world), actor, await world.slug(which), name, { unique: false }),
  async (world, which, name) =>
    await removeField(content(world), actor, await world.slug(which), name),
  (world, _which, name) => createBlock(content(world), actor, { name, label: name, fields: [] }),
  (world, which, name) => patchBlock(content(world), actor, name, { label: `${which}` }),
  (world, _which, name) => removeBlock(content(world), actor, name),
  (world, which, name) =>
    world.app.deps.settings.patch(actor, which % 2 ? { "site.title": name } : { "secret.a": name }),
  async (world, _which, name) =>
    await createRole(people(world), await authority(world), { name, permissions: [] }),
  async (world, which, name) =>
    await patchRole(people(world), await authority(world), await world.pick("role", which), {
      name,
    }),
  async (world, which) =>
    await removeRole(people(world), await authority(world), await world.pick("role", which)),
  async (world, which, name) =>
    await createUser(people(world), await authority(world), {
      email: `${name}@example.org`,
      displayName: name,
      password: "a long enough one",
      roles: which % 2 ? ["editor"] : ["viewer"],
    }),
  async (world, which, name) => {
    const id = await world.pick("user", which);
    await patchUser(people(world), await authority(world), id, { displayName: name });
  },
  async (world, which) => {
    const id = await world.pick("user", which);
    if (id !== world.userId) await removeUser(people(world), await authority(world), id);
  },
  (world, _which, name) => mintToken(world.context, actor, parseToken({ name, scopes: ["*"] }, 0)),
  async (world, which, name) =>
    await patchToken(world.context, actor, await world.pick("api_token", which), { name }),
  async (world, which) =>
    await revokeToken(world.context, actor, await world.pick("api_token", which)),
  async (world, which, name) => {
    const id = world.context.newId(world.context.now());
    const text = which % 6 ? name : LARGE;
    const facts = { filename: name, deletedAt: null, object: "o" };
    await savePlain(world, PLAIN[which % 4]!, id, { id, name, text, ...facts });
  },
  async (world, which, name) => {
    const type = PLAIN[which % 4]!;
    const id = await world.pick(type, which >> 2);
    await savePlain(world, type, id, which % 3 ? { id, name } : null);
  },
];
