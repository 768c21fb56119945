/**
 * The first run: permissions, roles, the first administrator and the site's title in one commit, which
 * the version key of users and roles lets take effect once.
 *
 * @module
 */
import { stageAccess } from "./access.ts";
import { addJob } from "../jobs/jobs.ts";
import type { Access, Grant, Role, User } from "../model/entities/access.ts";
import type { Json } from "../model/entities/entity.ts";
import {
  ADMINISTRATOR,
  BUILT_IN_ROLES,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "../model/entities/permission.ts";
import type { People } from "./people.ts";
import { Refusal } from "../refusals.ts";
import type { Settings } from "../sources/settings.ts";
import { newUser, type UserView, userView } from "./users.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The name of the job that makes the example site: two at a time would meet each other. */
export const SEED_JOB = "example site";

/** The first administrator and the name of the site. */
export interface SetupInput {
  email: string;
  displayName: string;
  password: string;
  siteTitle: string;
  /** The public URL of the site; for absolute links. */
  siteUrl?: string;
  /** Whether the example site is to be seeded. */
  seedExample?: boolean;
  /** The site's time zone; UTC by default. */
  timezone?: string;
}

/** Whether the site still needs its setup. */
export async function isSetupNeeded({ access }: Pick<People, "access">): Promise<boolean> {
  return (await access.current()).users.size === 0;
}

/**
 * Sets the site up.
 *
 * @throws {Refusal} CONFLICT when it is set up already.
 */
export async function setUp(
  people: People,
  settings: Settings,
  input: SetupInput,
): Promise<{ user: User; view: UserView }> {
  const { context, access, passwords } = people;
  if (!(await isSetupNeeded(people))) throw alreadyDone();
  const passwordHash = await passwords.hash(input.password);
  const userId = context.newId(context.now());
  return await versionedWrite(context, { userId }, async (transaction) => {
    const current = await access.of(transaction);
    if (current.users.size > 0) throw alreadyDone();
    const user = newUser(transaction, userId, { ...input, passwordHash });
    const next = await stageFirstAccess(transaction, current, user);
    const changes: Record<string, Json> = { "site.title": input.siteTitle };
    if (input.siteUrl !== undefined) changes["site.url"] = input.siteUrl;
    if (input.timezone !== undefined) changes["site.timezone"] = input.timezone;
    await settings.stage(transaction, changes);
    const { operation } = transaction;
    addJob(operation, context, { type: "REBUILD_SEARCH", payload: { force: false } });
    if (input.seedExample) {
      addJob(operation, context, { type: "SEED", name: SEED_JOB, payload: {} });
    }
    return { user, view: userView(next, user) };
  });
}

async function stageFirstAccess(
  transaction: Transaction,
  access: Access,
  user: User,
): Promise<Access> {
  for (const name of PERMISSION_NAMES) {
    const id = transaction.newId();
    transaction.save("permission", id, null, { id, name, description: PERMISSIONS[name] });
  }
  const roles = new Map<string, Role>();
  const grants = new Map<string, Grant>();
  for (const [name, permissions] of Object.entries(BUILT_IN_ROLES)) {
    const id = transaction.newId();
    const at = transaction.at;
    roles.set(id, {
      id,
      name,
      permissions: [...permissions],
      builtIn: true,
      createdAt: at,
      updatedAt: at,
    });
    if (name !== ADMINISTRATOR) continue;
    const grantId = transaction.newId();
    grants.set(grantId, { id: grantId, userId: user.id, roleId: id });
  }
  // Roles that a backup left without any user are not needed twice.
  const left = new Map([...access.roles.keys()].map((id): [string, null] => [id, null]));
  const users = new Map([[user.id, user]]);
  return await stageAccess(transaction, access, {
    users,
    roles: new Map<string, Role | null>([...left, ...roles]),
    grants,
  });
}

function alreadyDone(): Refusal {
  return new Refusal("CONFLICT", { about: "the site is already set up" });
}
