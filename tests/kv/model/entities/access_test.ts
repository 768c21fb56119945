import { DocumentRights } from "../../../../kv/model/entities/document_rights.ts";
import { assertEquals, assertThrows } from "@std/assert";
import {
  Access,
  currentRole,
  refuseBeyond,
  refuseUnsound,
  type Role,
  type User,
} from "../../../../kv/model/entities/access.ts";
import {
  BUILT_IN_ROLES,
  type Permission,
  PERMISSION_NAMES,
} from "../../../../kv/model/entities/permission.ts";
import { Refusal } from "../../../../kv/refusals.ts";

const TIMES = { createdAt: 0, updatedAt: 0 };

function role(name: string, permissions: Permission[], builtIn = false): Role {
  return { id: `role-${name}`, name, permissions, builtIn, ...TIMES };
}

function user(id: string, email: string, passwordHash: string | null = "hash"): User {
  return { id, email, displayName: id, passwordHash, passwordId: "p", ...TIMES };
}

const BUILT_IN = Object.entries(BUILT_IN_ROLES).map(([name, permissions]) =>
  role(name, [...permissions], true)
);

function picture(users: User[], roles: Role[], grants: [string, string][]): Access {
  return new Access(
    new Map(users.map((one) => [one.id, one])),
    new Map(roles.map((one) => [one.id, one])),
    new Map(grants.map(([userId, name], n) => [`${n}`, {
      id: `${n}`,
      userId,
      roleId: `role-${name}`,
    }])),
  );
}

Deno.test("BUILT_IN_ROLES grow from viewer to administrator, and publishing begins with editors", () => {
  const { administrator, editor, author, viewer } = BUILT_IN_ROLES;
  const within = (a: readonly string[], b: readonly string[]) => a.every((one) => b.includes(one));

  assertEquals([...administrator!].sort(), [...PERMISSION_NAMES].sort());
  assertEquals([within(viewer!, author!), within(author!, editor!)], [true, true]);
  assertEquals([editor!.length < PERMISSION_NAMES.length, author!.length < editor!.length], [
    true,
    true,
  ]);
  assertEquals(viewer!.filter((one) => !one.endsWith(".read")), []);
  assertEquals(author!.includes("documents.publish"), false);
  for (const name of ["tokens.manage", "users.manage", "roles.manage", "exports.manage"] as const) {
    assertEquals(editor!.includes(name), false);
  }
});

Deno.test("Access.authorityOf() is the sum of a user's roles; administrators may do everything", () => {
  const roles = [...BUILT_IN, role("a", ["jobs.read"]), role("b", ["jobs.manage", "jobs.read"])];
  const access = picture([user("u", "u@x"), user("v", "v@x"), user("w", "w@x")], roles, [
    ["u", "a"],
    ["u", "b"],
    ["v", "administrator"],
    ["u", "gone"],
  ]);

  assertEquals([...access.authorityOf("u").permissions].sort(), ["jobs.manage", "jobs.read"]);
  assertEquals(access.authorityOf("u").administrator, false);
  assertEquals([...access.authorityOf("v").permissions], PERMISSION_NAMES);
  assertEquals(access.authorityOf("v").administrator, true);
  assertEquals(access.authorityOf("w").permissions.size, 0);
  assertEquals(access.authorityOf("nobody").permissions.size, 0);
});

Deno.test("Access.authorityOf() makes no user an administrator by a role of that name", () => {
  const access = picture([user("u", "u@x")], [role("administrator", ["jobs.read"])], [
    ["u", "administrator"],
  ]);

  assertEquals(access.authorityOf("u").administrator, false);
  assertEquals([...access.authorityOf("u").permissions], ["jobs.read"]);
});

Deno.test("currentRole() gives built-in roles today's permissions, and drops those that are gone", () => {
  assertEquals(currentRole(role("viewer", [], true)).permissions, [...BUILT_IN_ROLES.viewer!]);
  const old = role("mine", ["jobs.read", "constructor" as Permission, "old.one" as Permission]);
  assertEquals(currentRole(old).permissions, ["jobs.read"]);
});

Deno.test("refuseUnsound() accepts a sound state and refuses every unsound one", () => {
  const users = [user("u", "u@x"), user("v", "v@x")];
  const grants: [string, string][] = [["u", "administrator"]];
  refuseUnsound(picture(users, [...BUILT_IN, role("mine", [])], grants));

  const unsound = [
    picture([...users, user("w", "U@X ")], BUILT_IN, grants),
    picture(users, [...BUILT_IN, role("Viewer", [])], grants),
    picture(users, BUILT_IN.slice(1), grants),
    picture(users, BUILT_IN, [["u", "editor"]]),
    picture([user("u", "u@x", null), users[1]!], BUILT_IN, grants),
    picture([users[1]!], BUILT_IN, grants),
  ];
  for (const access of unsound) {
    assertEquals(assertThrows(() => refuseUnsound(access), Refusal).code, "CONFLICT");
  }
});

Deno.test("refuseBeyond() compares every permission of every role with one's own", () => {
  const authority = (permissions: Permission[], administrator = false) => ({
    userId: "u",
    permissions: new Set(permissions),
    documents: new DocumentRights("u", [{ permissions }]),
    administrator,
  });
  const [administrator] = BUILT_IN;
  const a = role("a", ["jobs.read"]);
  const b = role("b", ["jobs.read", "jobs.manage"]);

  refuseBeyond(authority(["jobs.read"]), [a]);
  refuseBeyond(authority([]), []);
  refuseBeyond(authority([], true), [administrator!, a, b]);
  for (const roles of [[b], [a, b]]) {
    assertThrows(() => refuseBeyond(authority(["jobs.read"]), roles), Refusal);
  }
  assertThrows(() => refuseBeyond(authority(PERMISSION_NAMES), [administrator!]), Refusal);
});
