/**
 * Plugins in a test: installed, told of a publication, looked at.
 *
 * @module
 */
import { listDeliveries } from "../../../kv/deliveries/deliveries.ts";
import { type TestApp, testApp } from "./app.ts";
import { assertEquals } from "../harness/assert.ts";
import { install, packageOf, type Parts, trusting } from "./packages.ts";

/** Installs and enables a plugin; answers its id. */
export async function enabled(test: TestApp, parts: Parts, accept: string[] = []): Promise<string> {
  const job = await install(test, "plugins", await packageOf(parts), { accept });
  assertEquals(job.error, null);
  const { id } = job.result.install;
  assertEquals((await test.admin("POST", `/plugins/${id}/enable`)).json.status, "enabled");
  return id;
}

/** A plugin with one address. */
export const hooked = (url: string): Parts => ({
  facts: { hooks: [{ event: "document.published", url }] },
});
/** A plugin whose code is called with `event` and `cms`. */
export const coded = (body: string, facts: Record<string, unknown> = {}): Parts => ({
  files: { "plugin.js": `export default { async "document.published"(event, cms) { ${body} } };` },
  facts: { hooks: [{ event: "document.published" }], ...facts },
});

/** A site with posts whose administrator trusts a publisher. */
export async function publishing(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const test = await testApp(options);
  await trusting(test);
  await test.collection({ slug: "posts", name: "Posts" });
  return test;
}

/** Publishes a document; answers it and the job that made it public. */
export async function publish(test: TestApp) {
  const body = { collection: "posts", title: "Hello", status: "published" };
  const { json } = await test.admin("POST", "/documents", body);
  await test.runner.drain();
  const { json: jobs } = await test.admin("GET", "/jobs?type=PUBLISH");
  return { document: json, job: jobs.data[0] };
}

/** A plugin as the admin API shows it. */
export async function statusOf(test: TestApp, id: string) {
  return (await test.admin("GET", `/plugins/${id}`)).json;
}

/** What a plugin's code answered to the newest message. */
export async function resultOf(test: TestApp, id: string): Promise<unknown> {
  const [delivery] = await listDeliveries(test.context, id);
  return JSON.parse(delivery!.response!);
}
