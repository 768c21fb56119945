/**
 * `/scim/v2/Groups`: roles, of which a directory changes the members.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { SCIM_MEMBERS_MAX } from "../../kv/limits/people.ts";
import { type Access, isAdministratorRole, type Role } from "../../kv/model/entities/access.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { changeMembers } from "../../kv/people/provisioning.ts";
import { listRoles } from "../../kv/people/roles.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { readJsonObject } from "../input/body.ts";
import { pathParameter } from "../input/path_parameter.ts";
import { refuseStale, resourceAnswer, ScimError, type ScimResource } from "./scim_answer.ts";
import type { ScimCall, scimCalls } from "./scim_call.ts";
import { type Comparison, parseFilter } from "./scim_filter.ts";
import { listAnswer } from "./scim_list.ts";
import { type Change, memberOf, parsePatch, singleValue } from "./scim_patch.ts";
import { timeText } from "./scim_users.ts";

/** The schema of groups. */
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
/** Attributes that groups are found by. */
const FILTERED = ["displayname", "id", "externalid"];

/** Groups: list, read, change the members. */
export function scimGroupRoutes(deps: Deps, call: ReturnType<typeof scimCalls>): Hono {
  const { people } = deps;
  const refuse = call(() => Promise.reject(new ScimError(403, "Roles are made in the studio")));
  return new Hono()
    .get(
      "/",
      call(async ({ c, base, headers }) => {
        const filter = parseFilter(c.req.query("filter"), FILTERED);
        const access = await people.access.current();
        const isOffered = await offered(deps);
        const roles = listRoles(access).filter((role) => isOffered(role) && fits(role, filter));
        return listAnswer(c, roles, (role) => resourceOf(access, role, base), headers);
      }),
    )
    .post("/", refuse)
    .get(
      "/:id",
      call(async (scim) => {
        const { access, role } = await groupOf(deps, scim);
        return resourceAnswer(scim.c, resourceOf(access, role, scim.base), scim.headers);
      }),
    )
    .put(
      "/:id",
      call(async (scim) => {
        const body = await readJsonObject(scim.c.req.raw);
        const name = memberOf(body, "displayname");
        const members = idsOf(memberOf(body, "members") ?? []);
        return await change(deps, scim, (role) => {
          if (name !== undefined) refuseRenaming(role, name);
          return () => new Set(members);
        });
      }),
    )
    .patch(
      "/:id",
      call(async (scim) => {
        const changes = parsePatch(await readJsonObject(scim.c.req.raw));
        return await change(deps, scim, (role) => {
          for (const { op, path, value } of changes) {
            if (path !== "displayname") continue;
            if (op === "remove") throw new ScimError(403, "A role keeps its name", "mutability");
            refuseRenaming(role, value);
          }
          return (before) => changes.reduce(applied, new Set(before));
        });
      }),
    )
    .delete("/:id", refuse);
}

async function change(
  deps: Deps,
  scim: ScimCall,
  planOf: (role: Role) => (before: ReadonlySet<string>) => Set<string>,
): Promise<Response> {
  const { role } = await groupOf(deps, scim);
  await changeMembers(deps.people, scim.actor, role.id, (before, current, access) => {
    refuseStale(scim.c, resourceOf(access, current, scim.base));
    const after = planOf(current)(before);
    const unknown = [...after].find((id) => !access.users.has(id));
    if (unknown === undefined) return after;
    throw new ScimError(400, `There is no user ${unknown.slice(0, 40)}`, "invalidValue");
  });
  const next = await deps.people.access.current();
  const current = next.roles.get(role.id) ?? role;
  return resourceAnswer(scim.c, resourceOf(next, current, scim.base), scim.headers);
}

/** The group of the path, if it is offered. */
async function groupOf(deps: Deps, { c }: ScimCall): Promise<{ access: Access; role: Role }> {
  const access = await deps.people.access.current();
  const role = access.roles.get(pathParameter(c, "id"));
  const isOffered = await offered(deps);
  if (role === undefined || !isOffered(role)) throw new Refusal("NOT_FOUND");
  return { access, role };
}

async function offered({ settings }: Deps): Promise<(role: Role) => boolean> {
  const hasAdministrators = await settings.get<boolean>("auth.scimAdministrators");
  return (role) => hasAdministrators || !isAdministratorRole(role);
}

function fits({ id, name }: Role, filter: readonly Comparison[]): boolean {
  return filter.every(({ attribute, value }) => {
    if (attribute === "displayname") return name.toLowerCase() === value.toLowerCase();
    return attribute === "id" && id === value;
  });
}

/** The members after one change of them; other attributes are ignored. */
function applied(members: Set<string>, { op, path, value }: Change): Set<string> {
  const one = /^members\[value eq "([^"]*)"\]$/.exec(path)?.[1];
  if (one !== undefined && op === "remove") {
    return new Set([...members].filter((id) => id !== one));
  }
  if (path !== "members") return members;
  if (op === "replace") return new Set(idsOf(value));
  if (op === "add") return new Set([...members, ...idsOf(value)]);
  if (value === null) return new Set();
  const gone = new Set(idsOf(value));
  return new Set([...members].filter((id) => !gone.has(id)));
}

function idsOf(value: Json): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > SCIM_MEMBERS_MAX) {
    throw new ScimError(400, `A request has at most ${SCIM_MEMBERS_MAX} members`, "invalidValue");
  }
  return list.map((member) => {
    const id = isJsonObject(member) ? memberOf(member, "value") : member;
    if (typeof id === "string") return id;
    throw new ScimError(400, "A member must have a value", "invalidValue");
  });
}

function refuseRenaming({ name }: Role, given: Json): void {
  if (singleValue(given) === name) return;
  throw new ScimError(403, "A role keeps its name", "mutability");
}

function resourceOf(access: Access, role: Role, base: string): ScimResource {
  const members: Json[] = [];
  for (const { userId, roleId } of access.grants.values()) {
    const user = roleId === role.id ? access.users.get(userId) : undefined;
    if (user === undefined) continue;
    members.push({
      value: userId,
      display: user.displayName,
      type: "User",
      $ref: `${base}/Users/${userId}`,
    });
  }
  return {
    schemas: [GROUP_SCHEMA],
    id: role.id,
    displayName: role.name,
    members,
    meta: {
      resourceType: "Group",
      created: timeText(role.createdAt),
      lastModified: timeText(role.updatedAt),
      location: `${base}/Groups/${role.id}`,
    },
  };
}
