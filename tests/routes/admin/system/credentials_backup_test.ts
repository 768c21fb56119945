/** Content Credentials travel with back-ups, and the studio shows them. */
import { MEDIA_PREFIX } from "../../../../kv/objects/paths.ts";
import { callApp, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";
import { type Admin, download, importTarball, setUpAdmin } from "../../../support/sites/backups.ts";
import { formOf } from "../../../support/sites/media_app.ts";
import { MANIFEST_BYTES, SIGNED_PICTURES } from "../../../support/signed_pictures.ts";

async function signedMedium({ app }: TestApp, { cookie }: Admin) {
  const raw = formOf(SIGNED_PICTURES["image/png"], "lake.png");
  const { status, json } = await callApp(app, "POST", "/api/admin/media", {
    raw,
    headers: { cookie },
  });
  assertEquals(status, 201);
  return json;
}

async function manifestOf({ app }: TestApp, { id }: { id: string }): Promise<number[]> {
  const { status, headers } = await callApp(app, "GET", `/media/${id}/credentials.c2pa`);
  return [status, Number(headers.get("content-length") ?? 0)];
}

Deno.test("an import brings the manifest of Content Credentials, or an archive does later", async () => {
  await using app = await testApp();
  const before = await setUpAdmin(app);
  const medium = await signedMedium(app, before);
  const bare = await download(app, before);
  const whole = await download(app, before, { media: true });
  const served = [200, MANIFEST_BYTES["image/png"]];
  assertEquals(await manifestOf(app, medium), served);

  await using other = await testApp();
  const job = await importTarball(other, await setUpAdmin(other), whole);
  assertEquals([job.state, job.results.bytes], ["done", { restored: 2, missing: 0, named: [] }]);
  assertEquals(await manifestOf(other, medium), served);

  await using third = await testApp();
  const admin = await setUpAdmin(third);
  const imported = await importTarball(third, admin, bare);
  assertEquals(imported.results.bytes, {
    restored: 0,
    missing: 2,
    named: ["lake.png", "lake.png: credentials.c2pa"],
  });
  assertEquals((await manifestOf(third, medium))[0], 404);
  const { json } = await admin.ask("POST", "/media/missing/archive", undefined, whole);
  assertEquals(json, { restored: 1, replaced: 0, unneeded: 0 });
  assertEquals(await manifestOf(third, medium), served);
  const objects = await Array.fromAsync(third.context.objects.list(MEDIA_PREFIX));
  assertEquals(objects.length, 2);
});

Deno.test("an import refuses a manifest that is not the one of its row", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await signedMedium(app, admin);
  const manifests = (await Array.fromAsync(app.context.objects.list(MEDIA_PREFIX)))
    .filter(({ bytes }) => bytes === MANIFEST_BYTES["image/png"]);
  assertEquals(manifests.length, 1);
  const bytes = (await app.context.objects.get(manifests[0]!.key))!;
  bytes[bytes.length - 1]! ^= 1;
  await app.context.objects.put(manifests[0]!.key, bytes);
  const job = await importTarball(app, admin, await download(app, admin, { media: true }));
  assertEquals(job.state, "failed");
  assertStringIncludes(JSON.stringify(job), "has other bytes than its row says");
});

Deno.test("the page of a medium says who signed it, and that it is not verified", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const { id } = await signedMedium(app, admin);
  const headers = { cookie: admin.cookie };
  const { text } = await callApp(app.app, "GET", `/admin/media/${id}`, { headers });
  assertStringIncludes(text, "Signed by Photo Desk, Example News (not verified)");
  assertStringIncludes(text, `href="/media/${id}/credentials.c2pa"`);
});
