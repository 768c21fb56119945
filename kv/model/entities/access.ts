/**
 * Users, roles and who has which, as one picture: who may do what is a pure question to it.
 *
 * @module
 */
import { z } from "zod";
import { Refusal } from "../../refusals.ts";
import {
  DOCUMENT_ACTIONS,
  type DocumentAction,
  DocumentRights,
  type RightsGiver,
} from "./document_rights.ts";
import {
  ADMINISTRATOR,
  BUILT_IN_ROLES,
  type Permission,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "./permission.ts";
import { canSignIn, User } from "../people/user.ts";
import { checkedAs, time, unchecked } from "./state_member.ts";

export { User };

/** The state of a role. */
export const Role = z.object({
  id: z.ulid(),
  name: z.string().min(1),
  permissions: checkedAs<Permission[]>(z.array(z.string())),
  /** The actions that it allows in single collections; absent if none. */
  collections: z.array(z.object({
    collectionId: z.ulid(),
    actions: checkedAs<DocumentAction[]>(z.array(z.string())),
  })).exactOptional(),
  /** The languages that it may write in; absent for all. */
  languages: z.array(z.string()).exactOptional(),
  /** Whether its users need a second factor; absent: no. */
  requireSecondFactor: z.boolean().exactOptional(),
  /** Since when, epoch seconds: the days of grace count from then. */
  secondFactorSince: time.exactOptional(),
  builtIn: z.boolean(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type Role = z.infer<typeof Role>;

/** The state of a `user_role` entity: a user has a role. */
export const Grant = z.object({ id: z.ulid(), userId: z.ulid(), roleId: z.ulid() });
export type Grant = z.infer<typeof Grant>;

/** The user who requests a change, and their own rights. */
export interface Authority {
  userId: string;
  permissions: ReadonlySet<Permission>;
  /** Their rights on documents, by collection. */
  documents: DocumentRights;
  administrator: boolean;
}

/** What a user is called who has given no name. The address itself would be public in bylines. */
export function nameOfEmail(email: string): string {
  return email.split("@")[0] || email;
}

/** Addresses are the same in any case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A role with the permissions it has today: those of built-in roles are not what was once stored. */
export function currentRole(role: Role): Role {
  const permissions = role.builtIn ? BUILT_IN_ROLES[role.name] : undefined;
  if (permissions !== undefined) return { ...role, permissions: [...permissions] };
  const known = {
    ...role,
    permissions: role.permissions.filter((name) => Object.hasOwn(PERMISSIONS, name)),
  };
  if (role.collections === undefined) return known;
  const collections = role.collections.map(({ collectionId, actions }) => ({
    collectionId,
    actions: actions.filter((action) => DOCUMENT_ACTIONS.includes(action)),
  }));
  return { ...known, collections };
}

/** All users, roles and grants at one moment. */
export class Access {
  readonly users: ReadonlyMap<string, User>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly grants: ReadonlyMap<string, Grant>;
  readonly #byEmail = new Map<string, User>();
  readonly #rolesByUser = new Map<string, Role[]>();

  constructor(
    users: ReadonlyMap<string, User>,
    roles: ReadonlyMap<string, Role>,
    grants: ReadonlyMap<string, Grant>,
  ) {
    this.users = users;
    this.roles = roles;
    this.grants = grants;
    for (const user of users.values()) this.#byEmail.set(normalizeEmail(user.email), user);
    for (const { userId, roleId } of grants.values()) {
      const role = roles.get(roleId);
      if (role === undefined) continue;
      const known = this.#rolesByUser.get(userId);
      if (known === undefined) this.#rolesByUser.set(userId, [role]);
      else known.push(role);
    }
  }

  /** The user with an address, in any case. */
  userByEmail(email: string): User | undefined {
    return this.#byEmail.get(normalizeEmail(email));
  }

  /** The role with a name, in any case. */
  roleByName(name: string): Role | undefined {
    const wanted = name.trim().toLowerCase();
    return [...this.roles.values()].find((role) => role.name.toLowerCase() === wanted);
  }

  /** The roles of a user, in order of name. */
  rolesOf(userId: string): Role[] {
    const roles = this.#rolesByUser.get(userId) ?? [];
    return [...roles].sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** The rights of a user: the sum of their roles. */
  authorityOf(userId: string): Authority {
    return authorityWith(userId, this.rolesOf(userId));
  }

  /**
   * The rights of a user who previews a role: those of the role alone. Without a role, or if it is gone or allows
   * something that they may not do themselves, their own.
   */
  previewOf(
    userId: string,
    roleId: string | undefined,
  ): { authority: Authority; previewed: Role | null } {
    const own = this.authorityOf(userId);
    const role = roleId === undefined ? undefined : this.roles.get(roleId);
    if (role === undefined || !covers(own, [role])) return { authority: own, previewed: null };
    return { authority: authorityWith(userId, [role]), previewed: role };
  }

  /**
   * Whether a user may publish in a collection, and in a language if one is given; false for a user who does not
   * exist.
   */
  mayPublish(userId: string, collectionId: string, language?: string): boolean {
    if (!this.users.has(userId)) return false;
    const { documents } = this.authorityOf(userId);
    return documents.allows(
      "publish",
      collectionId,
      language === undefined ? undefined : [language],
    );
  }

  /** Users who are administrators and can sign in. */
  administrators(): User[] {
    return [...this.users.values()].filter((user) =>
      canSignIn(user) && this.rolesOf(user.id).some(isAdministratorRole)
    );
  }

  /** The same picture with some entries replaced; null takes one away. */
  with(changes: {
    users?: ReadonlyMap<string, User | null>;
    roles?: ReadonlyMap<string, Role | null>;
    grants?: ReadonlyMap<string, Grant | null>;
  }): Access {
    return new Access(
      replaced(this.users, changes.users),
      replaced(this.roles, changes.roles),
      replaced(this.grants, changes.grants),
    );
  }
}

/** The rights of a user with these roles. */
function authorityWith(userId: string, roles: Role[]): Authority {
  const administrator = roles.some(isAdministratorRole);
  const permissions = new Set(
    administrator ? PERMISSION_NAMES : roles.flatMap((role) => role.permissions),
  );
  const all: RightsGiver[] = administrator ? [{ permissions: PERMISSION_NAMES }] : roles;
  return { userId, permissions, documents: new DocumentRights(userId, all), administrator };
}

/** Whether a role is the one that may do everything. */
export function isAdministratorRole(role: Role): boolean {
  return role.builtIn && role.name === ADMINISTRATOR;
}

/** Refuses with CONFLICT when the access graph is inconsistent. */
export function refuseUnsound(access: Access): void {
  const emails = new Set<string>();
  for (const { email } of access.users.values()) {
    if (emails.has(normalizeEmail(email))) {
      throw takenAddress();
    }
    emails.add(normalizeEmail(email));
  }
  const names = new Set<string>();
  for (const { name } of access.roles.values()) {
    if (names.has(name.toLowerCase())) throw taken("name", "another role has this name");
    names.add(name.toLowerCase());
  }
  for (const name of Object.keys(BUILT_IN_ROLES)) {
    const there = [...access.roles.values()].some((role) => role.builtIn && role.name === name);
    if (!there) {
      throw new Refusal("CONFLICT", { about: "a built-in role cannot be changed or deleted" });
    }
  }
  if (access.administrators().length === 0) {
    throw new Refusal("CONFLICT", { about: "the site must keep at least one administrator" });
  }
}

/**
 * Refuses with FORBIDDEN if a user would grant, change or revoke what they do not have themselves:
 * without this, users who manage users could make themselves administrators.
 */
export function refuseBeyond(authority: Authority, roles: readonly Role[]): void {
  if (!covers(authority, roles)) throw new Refusal("FORBIDDEN");
}

/** Whether a user may do everything that roles allow. */
function covers(authority: Authority, roles: readonly Role[]): boolean {
  return authority.administrator || roles.every((role) =>
    !isAdministratorRole(role) &&
    role.permissions.every((permission) => authority.permissions.has(permission)) &&
    authority.documents.cover(role)
  );
}

/** The refusal of an address that another user has. */
export function takenAddress(): Refusal {
  return taken("email", "another user has this email address");
}

function taken(field: string, about: string): Refusal {
  const message = `${about.charAt(0).toUpperCase()}${about.slice(1)}`;
  return new Refusal("CONFLICT", { about, details: [{ field, code: "NOT_UNIQUE", message }] });
}

function replaced<T>(
  entries: ReadonlyMap<string, T>,
  changes: ReadonlyMap<string, T | null> = new Map(),
): ReadonlyMap<string, T> {
  if (changes.size === 0) return entries;
  const next = new Map(entries);
  for (const [id, entry] of changes) {
    if (entry === null) next.delete(id);
    else next.set(id, entry);
  }
  return next;
}
