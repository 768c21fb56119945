import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { packagePath, PACKAGES_PREFIX } from "../../../../kv/objects/paths.ts";
import { listDeliveries } from "../../../../kv/deliveries/deliveries.ts";
import { getPackage, removePackage } from "../../../../kv/packages/packages.ts";
import { sweepPackages } from "../../../../kv/packages/sweep_packages.ts";
import { versionPrefix } from "../../../../kv/keys.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertRejects } from "../../../support/harness/assert.ts";
import {
  type Admin,
  changedTarball,
  download,
  filesOf,
  importTarball,
  setUpAdmin,
  signIn,
  tablesOf,
} from "../../../support/sites/backups.ts";
import { install, packageOf, themeParts, trusting } from "../../../support/sites/packages.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const GREETER = {
  files: {
    "plugin.js": `export default { async "document.published"(event, cms) {
      return (await cms.settings.get()).greeting + " " + event.data.collection;
    } };`,
  },
  facts: {
    id: "com.acme.greeter",
    name: "Greeter",
    hooks: [{ event: "document.published" }],
    capabilities: ["settings:own"],
    settings: { greeting: { type: "string", default: "Hello" } },
  },
};

/** A site with an active theme and a plugin with code, both installed from signed packages. */
async function packagedSite(): Promise<
  { app: TestApp; admin: Admin; themeId: string; pluginId: string }
> {
  const app = await testApp();
  await trusting(app);
  await app.collection({ slug: "posts", name: "Posts" });
  const theme = await install(app, "themes", await packageOf(themeParts("Midnight")));
  const plugin = await install(app, "plugins", await packageOf(GREETER), {
    accept: ["settings:own"],
  });
  assertEquals([theme.error, plugin.error], [null, null]);
  const { id: themeId } = theme.result.install;
  const { id: pluginId } = plugin.result.install;
  await app.admin("POST", `/themes/${themeId}/activate`);
  await app.admin("POST", `/plugins/${pluginId}/enable`);
  assertEquals(
    (await app.admin("PUT", `/plugins/${pluginId}/config`, { greeting: "Ahoy" })).status,
    200,
  );
  await app.runner.drain();
  return { app, admin: await signIn(app), themeId, pluginId };
}

async function packagesOf({ context }: TestApp): Promise<string[]> {
  return (await Array.fromAsync(context.objects.list(PACKAGES_PREFIX))).map(({ key }) => key);
}

Deno.test("POST /api/admin/imports into an empty site brings signed packages along: the theme shows, the code runs", async () => {
  const { app: from, admin, themeId, pluginId } = await packagedSite();
  await using _ = from;
  const tarball = await download(from, admin);
  await using to = await testApp();

  const job = await importTarball(to, await setUpAdmin(to), tarball);

  assertEquals(job.error, null);
  assertEquals(job.results.bytes, { restored: 2, missing: 0, named: [] });
  assertEquals(await packagesOf(to), await packagesOf(from));
  const after = await signIn(to);
  assertEquals((await after.ask("GET", `/themes/${themeId}`)).json.active, true);
  assertStringIncludes((await to.call("GET", "/")).text, "<title>Midnight</title>");
  await after.ask("POST", "/documents", { collection: "posts", title: "One", status: "published" });
  await to.runner.drain();
  const [delivery] = await listDeliveries(to.context, pluginId);
  assertEquals([delivery!.attempts.length, delivery!.response], [1, '"Ahoy posts"']);
  assertEquals((await tablesOf(tarball))["tables/plugin.jsonl"]!.split("\n").length, 3);
});

Deno.test("POST /api/admin/imports names the packages that a back-up lacks, and refuses damaged ones", async () => {
  const { app: from, admin } = await packagedSite();
  await using _ = from;
  const tarball = await download(from, admin);
  const names = [...(await filesOf(tarball)).keys()].filter((name) => name.startsWith("packages/"));
  assertEquals(names.length, 2);
  await using to = await testApp();
  const newcomer = await setUpAdmin(to);

  const damaged = await changedTarball(tarball, { [names[0]!]: (text) => `${text}!` });
  const refused = await importTarball(to, newcomer, damaged);
  const lacking = await changedTarball(tarball, { [names[0]!]: null, [names[1]!]: null });
  const job = await importTarball(to, newcomer, lacking);

  assertEquals(refused.state, "failed");
  assertMatch(refused.error!, /Its bytes are not what its name says/);
  assertEquals(job.error, null);
  assertEquals(job.results.bytes, {
    restored: 0,
    missing: 2,
    named: ["com.acme.look 1.0.0", "com.acme.greeter 1.0.0"],
  });
  // The site is there all the same, with the looks that it always has.
  assertEquals((await to.call("GET", "/")).status, 200);
});

Deno.test("POST /api/admin/imports refuses a back-up whose packages the service could not live with", async () => {
  const { app, admin } = await packagedSite();
  await using _ = app;
  const tarball = await download(app, admin);
  const broken = await changedTarball(tarball, {
    "tables/plugin.jsonl": (text) => text.replaceAll('"archive":', '"archives":'),
  });

  const job = await importTarball(app, admin, broken);

  assertEquals(job.state, "failed");
  assertMatch(job.error!, /tables\/plugin\.jsonl:\d+: the state's archive is wrong/);
});

Deno.test("POST /api/admin/exports {redacted} carries no packages", async () => {
  const { app, admin } = await packagedSite();
  await using _ = app;
  const files = await filesOf(await download(app, admin, { redacted: true }));
  assert(![...files.keys()].some((name) => name.startsWith("packages/")));
});

/** Forgets all versions of an entity, as PRUNE does in time with those beyond what is kept. */
async function forget({ context: { store } }: TestApp, type: "theme" | "plugin", id: string) {
  const operation = new Operation();
  for await (const { key } of store.list({ prefix: versionPrefix(type, id) })) {
    operation.delete(key);
  }
  await store.commit(operation);
}

Deno.test("sweepPackages() removes what no version leads to, a day later", async () => {
  const { app, themeId, pluginId } = await packagedSite();
  await using _ = app;
  const { context, deps } = app;
  const all = await packagesOf(app);
  await removePackage({ context, settings: deps.settings }, UNATTENDED, "theme", themeId);
  context.advance(2 * DAY_MS);
  // A removed theme can be put back while its versions are kept.
  assertEquals([await sweepPackages(context), await packagesOf(app)], [0, all]);

  await forget(app, "theme", themeId);
  await context.objects.put(packagePath("0".repeat(64)), new Uint8Array(1));

  // The object of just now may belong to an installation under way.
  assertEquals(await sweepPackages(context), 1);
  const left = await packagesOf(app);
  assertEquals(left.length, 2);
  assert(left.includes(packagePath("0".repeat(64))));
  const { archive } = await getPackage(context, "plugin", pluginId);
  assert(left.includes(packagePath(archive.sha256)));
});

/** A theme that is gone with its history, and whose bytes are old. */
async function forgottenTheme() {
  const { app, themeId } = await packagedSite();
  const { context, deps } = app;
  const { objects } = context;
  await removePackage({ context, settings: deps.settings }, UNATTENDED, "theme", themeId);
  await forget(app, "theme", themeId);
  const list = objects.list.bind(objects);
  objects.list = async function* (prefix, after) {
    for await (const info of list(prefix, after)) yield { ...info, modifiedAt: 0 };
  };
  return { app, objects, packed: await packageOf(themeParts("Midnight")) };
}

Deno.test("INSTALL of bytes that are being swept waits, and brings them back", async () => {
  const { app, objects, packed } = await forgottenTheme();
  await using _ = app;
  // The same package is installed at the very moment at which its bytes are about to go.
  let waiting = { id: "", state: "", error: "" };
  const remove = objects.delete.bind(objects);
  objects.delete = async (key) => {
    if (key.startsWith(PACKAGES_PREFIX)) waiting = await install(app, "themes", packed);
    await remove(key);
  };

  assertEquals(await sweepPackages(app.context), 1);

  assertEquals(waiting.state, "waiting");
  assertMatch(waiting.error, /are being removed/);
  assertEquals((await packagesOf(app)).length, 1);
  app.context.advance(HOUR_MS / 2);
  await app.runner.drain();
  const { json: job } = await app.admin("GET", `/jobs/${waiting.id}`);
  assertEquals([job.state, (await packagesOf(app)).length], ["done", 2]);
});

Deno.test("INSTALL whose bytes were swept before its commit stores them again", async () => {
  const { app, objects, packed } = await forgottenTheme();
  await using _ = app;
  let swept = 0;
  const put = objects.put.bind(objects);
  objects.put = async (key, body) => {
    await put(key, body);
    if (key.startsWith(PACKAGES_PREFIX) && swept === 0) swept = await sweepPackages(app.context);
  };

  const job = await install(app, "themes", packed);

  assertEquals([swept, job.state], [1, "waiting"]);
  assertMatch(job.error, /have been removed/);
  app.context.advance(HOUR_MS / 2);
  await app.runner.drain();
  const { json: ended } = await app.admin("GET", `/jobs/${job.id}`);
  assertEquals([ended.state, (await packagesOf(app)).length], ["done", 2]);
});

Deno.test("sweepPackages() continues what a killed run has begun, and blocks no request forever", async () => {
  const { app, objects, packed } = await forgottenTheme();
  await using _ = app;
  const remove = objects.delete.bind(objects);
  objects.delete = (key) =>
    key.startsWith(PACKAGES_PREFIX) ? Promise.reject(new Error("killed")) : remove(key);
  await assertRejects(() => sweepPackages(app.context), Error, "killed");
  const waiting = await install(app, "themes", packed);
  assertMatch(waiting.error, /are being removed/);

  app.context.advance(2 * HOUR_MS);
  await app.runner.drain();
  assertEquals((await app.admin("GET", `/jobs/${waiting.id}`)).json.state, "done");
  objects.delete = remove;
  assertEquals([await sweepPackages(app.context), (await packagesOf(app)).length], [0, 2]);
});
