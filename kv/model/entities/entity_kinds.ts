/**
 * Every kind of versioned entity on one page: what its state is, and what the versioned write, restores,
 * imports and time travel have to know of it.
 *
 * A new kind is an entry in {@linkcode VERSIONED_ONLY} and a repository; state-at and the restore of the
 * site keep to {@linkcode SITE_KINDS}.
 *
 * @module
 */
import { z } from "zod";
import { COLLECTIONS_MAX, FIELDS_MAX } from "../../limits/content.ts";
import { USERS_MAX } from "../../limits/people.ts";
import { Grant, normalizeEmail, Role, User } from "./access.ts";
import { BlockDefinition, CollectionState } from "./collection.ts";
import { DiscussionState } from "./discussion.ts";
import {
  DOCUMENT_PARTS,
  type DocumentPart,
  type DocumentState,
  StoredDocument,
} from "./document.ts";
import type { Json, State } from "./entity.ts";
import { FieldDefinition, withFormerFields } from "../fields/field_definition.ts";
import { looksTheSame, MediaState } from "./media.ts";
import { PackageState } from "./package.ts";
import type { PackageKind } from "./package_manifest.ts";
import { PluginConfigState } from "./plugin_config.ts";
import { ReleaseState } from "./release.ts";
import { unchecked } from "./state_member.ts";
import { becomesPublic } from "./publication.ts";
import { languagesOfVersion } from "../languages/translation.ts";
import { isSecretSetting } from "../values/secret_setting.ts";
import { TokenState } from "./token.ts";
import { type WebhookEvent, WebhookState } from "./webhook.ts";

/** Kinds whose entities are valid only together: all their writes check and touch one version key. */
export type EntityGroup = "schema" | "access" | "settings" | "tokens" | "releases";

/** The properties of a type of entity. */
export interface EntityKind<S> {
  /** The type of its states; those of a backup must match it to be restored. */
  shape: z.ZodType<S>;
  /** The group whose version key its writes check; without one each entity is checked by its own row. */
  group?: EntityGroup;
  /** Names that no two living entities may share, as messages state them. */
  names?: (state: S) => string[];
  /** The label of an entity in an overview, or null; its name by default. */
  sample?: (id: string, state: S) => Record<string, Json> | null;
  /** Members of a state that are left out wherever it is read. */
  secrets?: (state: S) => readonly (keyof S & string)[];
  /** Members that redacted backups omit, too. */
  personal?: readonly (keyof S & string)[];
  /** Versions that are kept of an entity unless the site has set another number. */
  keptVersions?: number;
  /** Whether something becomes public with the step from one state to the next. */
  becomesPublic?: (before: S | null, after: S | null) => boolean;
  /** The languages that differ between two states, where a state has several; `""` is that of the original. */
  languages?: (before: S | null, after: S | null) => string[] | undefined;
  /** Whether there may be so many that the id of a first version tells where it is (versioning/version_locations.ts). */
  firstVersionFollows?: true;
  /** Whether people change it by live editing, so that its versions come in edit sessions. */
  isEditedLive?: true;
  /** Members that are kept as objects of their own where they are large. */
  parts?: readonly DocumentPart[];
  /** How many a site may have (in each of what `within` names), as messages tell it. */
  most?: { count: number; within?: (state: S) => string; fault: string };
  /** Whether an entity came with the site: its restore to an earlier instant does not remove it. */
  isBuiltIn?: (state: S) => boolean;
  /** Members that a restore leaves as they are now, or as they last were in a deleted entity. */
  stays?: readonly (keyof S & string)[];
  /** Members of what was under way; a restore of the site does not bring them back. */
  underWay?: readonly (keyof S & string)[];
  /** Adds to an earlier state the properties that are needed to read values written under the present one. */
  remember?: (then: S, now: S) => S;
  /** The event that webhooks receive for every change; documents have more. */
  event?: WebhookEvent;
  /** The collection that the event is about; for none the event is about the site. */
  collectionOf?: (state: S) => string;
  /** Whether pages that reference the entity show something of what differs. */
  looksTheSame?: (before: S | null, after: S | null) => boolean;
}

/** A permission: built in, and never changed. */
const PermissionState = z.object({
  id: z.ulid(),
  name: z.string().min(1),
  description: unchecked<string>(),
});

/** A setting that was ever set. */
const SettingState = z.object({ id: z.ulid(), key: z.string().min(1), value: unchecked<Json>() });

function kind<S>(facts: EntityKind<S>): EntityKind<S> {
  return facts;
}

const packageOf = (type: PackageKind) =>
  kind<PackageState>({
    shape: PackageState.extend({ kind: z.literal(type) }),
    group: "settings",
    names: ({ packageId }) => [`package: ${packageId}`],
  });

/** The kinds of state-at and of the restore of the site, as the specification spells and orders them. */
const SITE_KINDS = {
  user: kind({
    shape: User,
    group: "access",
    names: ({ email }) => [`user's address: ${normalizeEmail(email)}`],
    sample: (id, { displayName }) => ({ id, displayName }),
    secrets: () => ["passwordHash", "factors"],
    personal: ["email", "externalId", "identities"],
    most: { count: USERS_MAX, fault: `over ${USERS_MAX} users` },
    stays: ["passwordHash", "passwordId", "sessionsId", "disabledAt", "factors", "identities"],
  }),
  role: kind({
    shape: Role,
    group: "access",
    names: ({ name }) => [`role: ${name.toLowerCase()}`],
    isBuiltIn: ({ builtIn }) => builtIn,
  }),
  permission: kind({
    shape: PermissionState,
    group: "access",
    isBuiltIn: () => true,
  }),
  user_role: kind({
    shape: Grant,
    group: "access",
    names: ({ userId, roleId }) => [`user and role: ${userId} ${roleId}`],
  }),
  setting: kind({
    shape: SettingState,
    group: "settings",
    names: ({ key }) => [`setting: ${key}`],
    sample: (_id, { key }) => isSecretSetting(key) ? null : { key },
    secrets: ({ key }) => isSecretSetting(key) ? ["value"] : [],
  }),
  collection: kind({
    shape: CollectionState,
    group: "schema",
    event: "schema.changed",
    collectionOf: ({ id }) => id,
    names: ({ slug }) => [`collection: ${slug}`],
    most: { count: COLLECTIONS_MAX, fault: `over ${COLLECTIONS_MAX} collections` },
  }),
  field_definition: kind({
    shape: FieldDefinition,
    group: "schema",
    event: "schema.changed",
    collectionOf: ({ collectionId }) => collectionId,
    names: ({ collectionId, name, key }) => [
      `field: ${collectionId} ${name}`,
      `storage key: ${collectionId} ${key}`,
    ],
    most: {
      count: FIELDS_MAX,
      within: ({ collectionId }) => collectionId,
      fault: `a collection of over ${FIELDS_MAX} fields`,
    },
    underWay: ["uniqueBuilding", "migrating"],
    remember: withFormerFields,
  }),
  document: kind<DocumentState>({
    shape: StoredDocument,
    sample: (id, { title, status }) => ({ id, title, status }),
    keptVersions: 100,
    becomesPublic,
    languages: languagesOfVersion,
    firstVersionFollows: true,
    isEditedLive: true,
    parts: DOCUMENT_PARTS,
  }),
  api_token: kind({
    shape: TokenState,
    group: "tokens",
    secrets: () => ["hash", "previousHash"],
  }),
  block_definition: kind({
    shape: BlockDefinition,
    group: "schema",
    event: "schema.changed",
    names: ({ name }) => [`block: ${name}`],
  }),
  theme: packageOf("theme"),
  plugin: packageOf("plugin"),
  plugin_config: kind({
    shape: PluginConfigState,
    group: "settings",
    names: ({ pluginId }) => [`plugin's settings: ${pluginId}`],
    secrets: () => ["secrets"],
  }),
  media_metadata: kind({
    shape: MediaState,
    event: "media.changed",
    sample: (id, { filename }) => ({ id, name: filename }),
    looksTheSame,
  }),
};

/** Kinds that have versions, and are restored one by one only. */
const VERSIONED_ONLY = {
  webhook: kind({
    shape: WebhookState,
    group: "schema",
    secrets: () => ["secret", "previousSecret"],
  }),
  release: kind({
    shape: ReleaseState,
    group: "releases",
    sample: (id, { name, state }) => ({ id, name, state }),
  }),
  /** Its id is that of the document. */
  discussion: kind({ shape: DiscussionState }),
};

const KINDS = { ...SITE_KINDS, ...VERSIONED_ONLY };

/** One of the versioned entity types. */
export type EntityType = keyof typeof KINDS;

/** One of the types that state-at tells and the restore of the site restores. */
export type SiteType = keyof typeof SITE_KINDS;

type States = {
  [T in EntityType]: typeof KINDS[T] extends EntityKind<infer S> ? S : never;
};

/** The state of an entity type. */
export type StateOf<T extends EntityType> = States[T];

/** Any entity's state. */
export type AnyState = StateOf<EntityType>;

/** Every versioned entity type. */
export const ENTITY_TYPES = Object.keys(KINDS) as EntityType[];

/** The types of {@linkcode SITE_KINDS}. */
export const SITE_TYPES = Object.keys(SITE_KINDS) as SiteType[];

/** The types of a group. */
export function typesOf(group: EntityGroup): SiteType[] {
  return SITE_TYPES.filter((type) => kindOf(type).group === group);
}

/** Whether `text` names a versioned entity type. */
export function isEntityType(text: string): text is EntityType {
  return Object.hasOwn(KINDS, text);
}

/** The properties of a type. */
export function kindOf<T extends EntityType>(type: T): EntityKind<StateOf<T>> {
  const kinds: { [T in EntityType]: EntityKind<StateOf<T>> } = KINDS;
  return kinds[type];
}

/** An earlier state with the members that a restore leaves as they are in `source`. */
export function withStays<T extends EntityType>(
  type: T,
  earlier: StateOf<T>,
  source: StateOf<T>,
): StateOf<T> {
  const state = { ...asJson(earlier) };
  const now = asJson(source);
  for (const key of kindOf(type).stays ?? []) {
    if (Object.hasOwn(now, key)) state[key] = now[key]!;
    else delete state[key];
  }
  return state as unknown as StateOf<T>;
}

/** The names that no other living entity may share with an entity in a state. */
export function namesOf<T extends EntityType>(type: T, state: StateOf<T> | null): string[] {
  return state === null ? [] : kindOf(type).names?.(state) ?? [];
}

/** A state as JSON: every state is written and read as such. */
export function asJson(state: AnyState): State {
  return state as unknown as State;
}
