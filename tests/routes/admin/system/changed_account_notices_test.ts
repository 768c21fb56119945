/** Users hear of an address, a password or roles that a site restore or an import has changed. */
import { createHash } from "node:crypto";
import type { Context } from "../../../../kv/context.ts";
import { listJobs } from "../../../support/harness/list_jobs.ts";
import { AccessSource, stageAccess } from "../../../../kv/people/access.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { versionedWrite } from "../../../../kv/versioning/versioned_write.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import {
  changedTarball,
  download,
  filesOf,
  importTarball,
  setUpAdmin,
} from "../../../support/sites/backups.ts";
import { HistorySite } from "../../../support/harness/history_site.ts";

const BO = { email: "bo@example.org", displayName: "Bo", password: "another long one" };

async function changeAddress(context: Context, id: string, email: string): Promise<void> {
  const source = new AccessSource(context);
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    const access = await source.of(transaction);
    const users = new Map([[id, { ...access.users.get(id)!, email }]]);
    await stageAccess(transaction, access, { users });
  });
}

/** Notices of changes, the oldest first; invitations and resets are none. */
async function notices(context: Context): Promise<unknown[]> {
  const { jobs } = await listJobs(context.store, { type: "SEND_MAIL", page: 1, perPage: 50 });
  return jobs.map(({ payload }) => payload as { kind: string; email?: string })
    .filter(({ kind }) => kind.endsWith("_changed"))
    .map(({ kind, email }) => `${kind} ${email}`)
    .reverse();
}

Deno.test("a site restore tells users of their other address and roles, at the address they had", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  const bo = await site.want(201, "POST", "/users", { ...BO, roles: ["editor"] });
  await site.want(201, "POST", "/users", { ...BO, email: "cy@example.org", roles: ["editor"] });
  const then = site.pass();
  await site.want(200, "PATCH", `/users/${bo.id}`, { roles: ["viewer"] });
  await changeAddress(context, bo.id, "new@example.org");
  await site.app.runner.drain();
  const before = await notices(context);
  assertEquals(before, ["roles_changed bo@example.org", "address_changed bo@example.org"]);
  site.pass();

  await site.travel(then);

  assertEquals((await site.want(200, "GET", `/users/${bo.id}`)).email, "bo@example.org");
  assertEquals((await notices(context)).slice(before.length).sort(), [
    "address_changed new@example.org",
    "roles_changed new@example.org",
  ]);
});

Deno.test("an import tells users of their other address, password and roles, at the address they had", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const made = await admin.ask("POST", "/users", { ...BO, roles: ["editor"] });
  assertEquals(made.status, 201);
  const same = { ...BO, email: "cy@example.org", roles: ["viewer"] };
  assertEquals((await admin.ask("POST", "/users", same)).status, 201);
  await app.runner.drain();
  const tarball = await download(app, admin);
  const table = (await filesOf(tarball)).get("tables/user.jsonl")!
    .replaceAll("bo@example.org", "other@example.org");
  const forged = await changedTarball(tarball, {
    "tables/user.jsonl": () => table,
    "manifest.json": (manifest) => {
      const facts = JSON.parse(manifest);
      facts.tables.user.bytes = new TextEncoder().encode(table).byteLength;
      facts.tables.user.sha256 = createHash("sha256").update(table).digest("hex");
      return JSON.stringify(facts);
    },
  });
  const patch = { roles: ["viewer"], password: "yet another long one" };
  assertEquals((await admin.ask("PATCH", `/users/${made.json.id}`, patch)).status, 200);
  await app.runner.drain();
  const before = await notices(app.context);

  const job = await importTarball(app, admin, forged);

  assertEquals([job.state, job.error], ["done", null]);
  assertEquals((await notices(app.context)).slice(before.length).sort(), [
    "address_changed bo@example.org",
    "password_changed bo@example.org",
    "roles_changed bo@example.org",
  ]);
});
