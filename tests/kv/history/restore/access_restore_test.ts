import { confirmAddressChange, issueAddressChange } from "../../../../kv/people/address_change.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Content } from "../../../../kv/documents/content.ts";
import { restoreVersion } from "../../../../kv/history/restore/restore_version.ts";
import {
  stageGrantRestore,
  stageRoleRestore,
  stageUserRestore,
} from "../../../../kv/history/restore/access_restore.ts";
import { isAdministratorRole } from "../../../../kv/model/entities/access.ts";
import type { People } from "../../../../kv/people/people.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { versionedWrite } from "../../../../kv/versioning/versioned_write.ts";
import { listVersions } from "../../../../kv/versioning/versions.ts";
import { testContext } from "../../../support/harness/context.ts";
import { Client, peopleOf, setUpSite } from "../../../support/sites/people.ts";

const STAGES = { user: stageUserRestore, role: stageRoleRestore, user_role: stageGrantRestore };

type AccessType = keyof typeof STAGES;

/** What a restore of users, roles and grants needs of a site. */
function restoringOf({ context, access }: People) {
  return { content: { context } as Content, access };
}

/** Restores version `n` of an entity. */
async function restore(people: People, type: AccessType, id: string, n: number): Promise<void> {
  const { versions } = await listVersions(people.context, type, id, { skip: 0, limit: 99 });
  const found = versions.find(({ version_number }) => version_number === n)!;
  await restoreVersion(restoringOf(people), { userId: null }, found.id);
}

async function conflict(work: Promise<void>): Promise<void> {
  const refusal = await assertRejects(() => work, Refusal);
  assertEquals(refusal.code, "CONFLICT");
}

const BO = { email: "bo@x.org", displayName: "Bo", password: "twelve chars", roles: ["editor"] };

Deno.test("restoreVersion() brings a user's facts back, but no old password", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { app, admin } = await setUpSite(people);
  const { body: bo } = await admin.ask("POST", "/users", BO);
  await admin.ask("PATCH", `/users/${bo.id}`, { displayName: "Eve", password: "another horse" });

  await restore(people, "user", bo.id, 1);

  assertEquals((await admin.ask("GET", `/users/${bo.id}`)).body.displayName, "Bo");
  const client = new Client(app);
  const signIn = async (password: string) =>
    (await client.ask("POST", "/session", { email: BO.email, password })).status;
  assertEquals([await signIn("another horse"), await signIn(BO.password)], [200, 401]);
});

Deno.test("restoreVersion() brings a deleted user back with the roles that went with them, and a role alone", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { admin } = await setUpSite(people);
  const { body: bo } = await admin.ask("POST", "/users", BO);
  const grants = [...(await people.access.current()).grants.values()];
  const grant = grants.find(({ userId }) => userId === bo.id)!;
  await admin.ask("DELETE", `/users/${bo.id}`);

  await conflict(restore(people, "user_role", grant.id, 1));
  await restore(people, "user", bo.id, 1);
  assertEquals((await admin.ask("GET", `/users/${bo.id}`)).body.roles, ["editor"]);
  await admin.ask("PATCH", `/users/${bo.id}`, { roles: [] });
  await restore(people, "user_role", grant.id, 1);
  assertEquals((await admin.ask("GET", `/users/${bo.id}`)).body.roles, ["editor"]);
});

Deno.test("restoreVersion() refuses an address or a role that is taken by now", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { admin } = await setUpSite(people);
  const { body: bo } = await admin.ask("POST", "/users", BO);
  const grants = [...(await people.access.current()).grants.values()];
  const grant = grants.find(({ userId }) => userId === bo.id)!;
  await admin.ask("PATCH", `/users/${bo.id}`, { roles: [] });
  const { token } = (await issueAddressChange(people, bo.id, "new@x.org"))!;
  await confirmAddressChange(people, token);
  await admin.ask("PATCH", `/users/${bo.id}`, { roles: ["editor"] });
  await admin.ask("POST", "/users", { ...BO, displayName: "Other" });

  await conflict(restore(people, "user", bo.id, 1));
  await conflict(restore(people, "user_role", grant.id, 1));
});

Deno.test("restoreVersion() never leaves a site without an administrator or a built-in role", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { userId } = await setUpSite(people);
  const access = await people.access.current();
  const role = [...access.roles.values()].find(isAdministratorRole)!;
  const grant = [...access.grants.values()][0]!;
  const gone = (type: AccessType, id: string) =>
    versionedWrite(
      context,
      { userId: null },
      (transaction) => STAGES[type](transaction, restoringOf(people), { id, state: null }, {}),
    );

  await conflict(gone("user", userId));
  await conflict(gone("role", role.id));
  await conflict(gone("user_role", grant.id));
  const other = [...access.roles.values()].find(({ name }) => name === "viewer")!;
  await conflict(gone("role", other.id));
  assert((await people.access.current()).administrators().length === 1);
});

Deno.test("restoreVersion() of a tombstone and then of version 1 brings a user back with their roles", async () => {
  await using context = await testContext();
  const people = peopleOf(context);
  const { admin } = await setUpSite(people);
  const { body: bo } = await admin.ask("POST", "/users", BO);
  await admin.ask("DELETE", `/users/${bo.id}`);
  context.advance(60_000);

  await restore(people, "user", bo.id, 2);
  context.advance(60_000);
  await restore(people, "user", bo.id, 1);

  assertEquals((await admin.ask("GET", `/users/${bo.id}`)).body.roles, ["editor"]);
});
