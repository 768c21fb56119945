import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { livingEntities } from "../../../../kv/versioning/entities.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { install, packageOf, trusting } from "../../../support/sites/packages.ts";
import { storeText } from "../../../support/sites/people.ts";

const SETTINGS = {
  greeting: { type: "text", label: "Greeting", default: "Hello" },
  times: { type: "integer", required: true },
  tone: { type: "select", choices: ["warm", "cold"] },
  apiKey: { type: "text", secret: true },
  "secret.other": { type: "text" },
};

async function configured(test: TestApp): Promise<string> {
  await trusting(test);
  const packed = await packageOf({ facts: { settings: SETTINGS } });
  const { result } = await install(test, "plugins", packed);
  return `/plugins/${result.install.id}`;
}

Deno.test("PUT /plugins/{id}/config sets all settings; secret ones are never answered", async () => {
  await using test = await testApp();
  const path = await configured(test);
  assertEquals((await test.admin("GET", `${path}/config`)).json, {
    greeting: "Hello",
    times: null,
    tone: null,
    apiKey: false,
    "secret.other": false,
  });
  const secrets = { apiKey: "hush-hush-1", "secret.other": "hush-hush-2" };

  const put = await test.admin("PUT", `${path}/config`, { times: 3, tone: "cold", ...secrets });

  const shown = { greeting: "Hello", times: 3, tone: "cold", apiKey: true, "secret.other": true };
  assertEquals([put.status, put.json], [200, shown]);
  assertEquals((await test.admin("GET", `${path}/config`)).json, shown);
  // What was read can be sent back; what is left out of the secrets stays.
  assertEquals((await test.admin("PUT", `${path}/config`, shown)).json, shown);
  const cleared = await test.admin("PUT", `${path}/config`, { times: 1, apiKey: null });
  assertEquals(cleared.json, { ...shown, times: 1, tone: null, apiKey: false });
});

Deno.test("PUT /plugins/{id}/config refuses undeclared settings, and wrong values", async () => {
  await using test = await testApp();
  const path = await configured(test);
  const body = { greeting: 1, times: 1.5, tone: "hot", apiKey: true, nosuch: 1 };

  const { status, json } = await test.admin("PUT", `${path}/config`, body);

  assertEquals(status, 422);
  const found = json.error.details.map((
    it: { field: string; code: string },
  ) => [it.field, it.code]);
  assertEquals(found, [
    ["nosuch", "UNKNOWN_KEY"],
    ["greeting", "INVALID_TYPE"],
    ["times", "INVALID_TYPE"],
    ["tone", "INVALID_CHOICE"],
    ["apiKey", "INVALID_TYPE"],
  ]);
  const missing = await test.admin("PUT", `${path}/config`, {});
  assertEquals(missing.json.error.details[0].code, "REQUIRED");
});

Deno.test("threat: secrets in plugin_config versions – no answer tells them", async () => {
  await using test = await testApp();
  const path = await configured(test);
  const secrets = { apiKey: "hush-hush-1", "secret.other": "hush-hush-2" };
  await test.admin("PUT", `${path}/config`, { times: 3, ...secrets });
  const { json: { secret } } = await test.admin("POST", `${path}/secret`);
  let configId = "";
  for await (const { id } of livingEntities(test.context, "plugin_config")) configId = id;

  const list = await test.admin("GET", `/versions/plugin_config/${configId}`);
  assertEquals(list.json.meta.total, 3);
  const ids = list.json.data.map(({ id }: { id: string }) => id);
  const answers = [
    list,
    await test.admin("GET", path),
    await test.admin("GET", "/plugins"),
    await test.admin("GET", `${path}/config`),
    await test.admin("GET", `${path}/deliveries`),
    await test.admin("GET", "/jobs"),
    await test.admin("GET", `/state-at?timestamp=${Math.floor(test.context.now() / 1000)}`),
    ...await Promise.all(ids.map((id: string) => test.admin("GET", `/versions/${id}`))),
  ];

  assertEquals(answers.map(({ status }) => status), answers.map(() => 200));
  const text = answers.map((answer) => answer.text).join();
  assert(!/hush|whsec_/.test(text) && !text.includes(secret));
  // They are kept, so that the test looks for the right thing.
  assertStringIncludes(await storeText(test.context), "hush-hush-1");
});

Deno.test("GET /plugins needs a permission", async () => {
  await using test = await testApp();
  const path = await configured(test);
  const password = "correct horse battery";
  const body = { email: "e@example.org", displayName: "E", password, roles: ["editor"] };
  assertEquals((await test.admin("POST", "/users", body)).status, 201);
  const signIn = { email: body.email, password };
  const session = await test.call("POST", "/api/admin/session", { body: signIn });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  for (const [method, at] of [["GET", "/plugins"], ["GET", path], ["POST", `${path}/enable`]]) {
    const answer = await test.call(method!, `/api/admin${at}`, { headers: { cookie } });
    assertEquals([method, at, answer.status], [method, at, 403]);
  }
});

Deno.test("POST /plugins/{id}/enable and /disable, by either id", async () => {
  await using test = await testApp();
  const path = await configured(test);
  assertEquals((await test.admin("POST", `${path}/enable`)).json.status, "enabled");
  const other = await test.admin("POST", "/plugins/com.acme.sample/disable");
  assertEquals([other.json.status, other.json.enabled], ["disabled", false]);
  assertEquals((await test.admin("POST", "/plugins/com.acme.none/enable")).status, 404);
  assertEquals((await test.admin("PATCH", path)).status, 405);
});
