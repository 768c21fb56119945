/**
 * `/scim/v2/Users`.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { EMAIL_CHARS_MAX, NAME_CHARS_MAX } from "../../kv/limits/content.ts";
import {
  type Access,
  isAdministratorRole,
  nameOfEmail,
  normalizeEmail,
} from "../../kv/model/entities/access.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { User } from "../../kv/model/people/user.ts";
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { nameText } from "../../kv/model/values/text_check.ts";
import {
  changeProvisioned,
  type ProvisionedUser,
  provisionUser,
} from "../../kv/people/provisioning.ts";
import { getUser } from "../../kv/people/users.ts";
import type { Deps } from "../deps/deps.ts";
import { readJsonObject } from "../input/body.ts";
import { pathParameter } from "../input/path_parameter.ts";
import { refuseStale, resourceAnswer, ScimError, type ScimResource } from "./scim_answer.ts";
import type { ScimCall, scimCalls } from "./scim_call.ts";
import { type Comparison, parseFilter } from "./scim_filter.ts";
import { listAnswer } from "./scim_list.ts";
import { booleanOf, type Change, memberOf, parsePatch, singleValue } from "./scim_patch.ts";

/** The schema of users. */
export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
/** Attributes that users are found by. */
const FILTERED = ["username", "externalid", "id"];

const email = z.string().max(EMAIL_CHARS_MAX).transform((text) => text.trim()).pipe(z.email());
const displayName = nameText(NAME_CHARS_MAX);

/** Users: list, create, read, replace, change, disable. */
export function scimUserRoutes(deps: Deps, call: ReturnType<typeof scimCalls>): Hono {
  const { people } = deps;
  return new Hono()
    .get(
      "/",
      call(async ({ c, base, headers }) => {
        const filter = parseFilter(c.req.query("filter"), FILTERED);
        const access = await people.access.current();
        const users = [...access.users.values()].filter((user) => fits(user, filter));
        return listAnswer(c, users, (user) => resourceOf(access, user, base), headers);
      }),
    )
    .post(
      "/",
      call(async (scim) => {
        const input = inputOf(await readJsonObject(scim.c.req.raw), null);
        const user = await provisionUser(people, scim.actor, input);
        return await answerOf(deps, scim, user, 201);
      }),
    )
    .get(
      "/:id",
      call(async (scim) => {
        const user = getUser(await people.access.current(), pathParameter(scim.c, "id"));
        return await answerOf(deps, scim, user);
      }),
    )
    .put(
      "/:id",
      call(async (scim) => {
        const body = await readJsonObject(scim.c.req.raw);
        return await change(deps, scim, (before) => inputOf(body, before));
      }),
    )
    .patch(
      "/:id",
      call(async (scim) => {
        const changes = parsePatch(await readJsonObject(scim.c.req.raw));
        return await change(deps, scim, (before) => patched(before, changes));
      }),
    )
    .delete(
      "/:id",
      call(async (scim) => {
        await change(deps, scim, (before) => ({ ...before, isActive: false }));
        return new Response(null, { status: 204, headers: scim.headers });
      }),
    );
}

async function change(
  deps: Deps,
  scim: ScimCall,
  next: (before: ProvisionedUser) => ProvisionedUser,
): Promise<Response> {
  const { people, settings } = deps;
  const { c, actor, base } = scim;
  const id = pathParameter(c, "id");
  const user = await changeProvisioned(people, actor, id, async (before, current, access) => {
    refuseStale(c, resourceOf(access, current, base));
    const after = next(before);
    const isMoved = normalizeEmail(after.email) !== normalizeEmail(before.email);
    if (!isMoved || !access.rolesOf(id).some(isAdministratorRole)) return after;
    if (await settings.get<boolean>("auth.scimAdministrators")) return after;
    // A user who receives the mail of an administrator can become one by a password reset.
    throw new ScimError(403, "The address of an administrator is changed in the studio");
  });
  if (user.disabledAt !== undefined) await deps.endAccess?.(user.id);
  return await answerOf(deps, scim, user);
}

async function answerOf(
  { people }: Deps,
  { c, base, headers }: ScimCall,
  user: User,
  status: 200 | 201 = 200,
): Promise<Response> {
  const access = await people.access.current();
  return resourceAnswer(c, resourceOf(access, user, base), headers, status);
}

function resourceOf(access: Access, user: User, base: string): ScimResource {
  const { id, email, displayName, externalId, disabledAt, createdAt, updatedAt } = user;
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== undefined && { externalId }),
    userName: email,
    displayName,
    name: { formatted: displayName },
    active: disabledAt === undefined,
    emails: [{ value: email, type: "work", primary: true }],
    groups: access.rolesOf(id).map((role) => ({ value: role.id, display: role.name })),
    meta: {
      resourceType: "User",
      created: timeText(createdAt),
      lastModified: timeText(updatedAt),
      location: `${base}/Users/${id}`,
    },
  };
}

/** Epoch seconds as text. */
export function timeText(at: number): string {
  return new Date(at * 1000).toISOString();
}

function fits({ id, email, externalId }: User, filter: readonly Comparison[]): boolean {
  return filter.every(({ attribute, value }) => {
    if (attribute === "username") return normalizeEmail(email) === normalizeEmail(value);
    return attribute === "id" ? id === value : externalId === value;
  });
}

/**
 * A whole user, as a body describes them. A replacement without a name or `active` keeps them: leaving them out must not
 * enable a user whom an administrator has disabled.
 */
function inputOf(body: Record<string, Json>, before: ProvisionedUser | null): ProvisionedUser {
  const externalId = memberOf(body, "externalid") ?? null;
  const active = memberOf(body, "active");
  const address = addressOf(memberOf(body, "username"));
  const name = textOf(memberOf(body, "displayname")) ?? nameOf(memberOf(body, "name"));
  return {
    email: address,
    displayName: checkedName(name ?? before?.displayName ?? nameOfEmail(address)),
    externalId: externalId === null ? null : checkedExternalId(externalId),
    isActive: active === undefined || active === null
      ? before?.isActive ?? true
      : booleanOf(active, "active"),
  };
}

/** A user after changes in order. Parts of a name count only if no change gives the whole name. */
function patched(before: ProvisionedUser, changes: readonly Change[]): ProvisionedUser {
  const user = changes.reduce(applied, before);
  if (changes.some(({ op, path }) => op !== "remove" && WHOLE_NAMES.has(path))) return user;
  const partOf = (path: string) =>
    textOf(
      singleValue(
        changes.findLast((one) => one.path === path && one.op !== "remove")?.value ?? null,
      ),
    );
  const [given, family] = [partOf("name.givenname"), partOf("name.familyname")];
  if (given === undefined && family === undefined) return user;
  // Only whole names are stored: the first word is taken for the given name.
  const [first, ...rest] = before.displayName.split(" ");
  const parts = [given ?? first, family ?? rest.join(" ")];
  return { ...user, displayName: checkedName(parts.join(" ").trim()) };
}

/** Attributes that give the whole name. */
const WHOLE_NAMES = new Set(["displayname", "name", "name.formatted"]);

/** A user after one change; attributes that are not stored are ignored. */
function applied(user: ProvisionedUser, { op, path, value: given }: Change): ProvisionedUser {
  const isGone = op === "remove";
  const value = singleValue(given);
  switch (path) {
    case "active":
      return { ...user, isActive: !isGone && booleanOf(value, "active") };
    case "username":
      if (isGone) throw new ScimError(400, "userName is required", "mutability");
      return { ...user, email: addressOf(value) };
    case "externalid":
      return { ...user, externalId: isGone ? null : checkedExternalId(value) };
    case "displayname":
    case "name.formatted": {
      const name = isGone ? undefined : textOf(value);
      return name === undefined ? user : { ...user, displayName: checkedName(name) };
    }
    case "name": {
      const name = isGone ? undefined : nameOf(value);
      return name === undefined ? user : { ...user, displayName: checkedName(name) };
    }
    default:
      return user;
  }
}

/** The name of a `name` attribute: as it is formatted, or of its parts. */
function nameOf(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const parts = [memberOf(value, "givenname"), memberOf(value, "familyname")].flatMap((part) =>
    textOf(part) ?? []
  );
  return textOf(memberOf(value, "formatted")) ?? (parts.length > 0 ? parts.join(" ") : undefined);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function addressOf(value: Json | undefined): string {
  const parsed = email.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ScimError(400, "userName must be an email address", "invalidValue");
}

function checkedName(name: string): string {
  const parsed = displayName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new ScimError(
    400,
    `displayName must be one line of ${NAME_CHARS_MAX} characters`,
    "invalidValue",
  );
}

function checkedExternalId(value: Json): string {
  if (typeof value === "string" && value !== "" && value.length <= NAME_CHARS_MAX) return value;
  throw new ScimError(400, "externalId must be a short text", "invalidValue");
}
