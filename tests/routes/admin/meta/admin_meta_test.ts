/** The description of the admin API: every route, with its permission, for sessions and tokens with all scopes. */
import SwaggerParser from "@apidevtools/swagger-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { testApp } from "../../../support/sites/app.ts";
import { servedEndpoints } from "../../../support/sites/admin_endpoints.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

async function described() {
  const test = await testApp();
  await test.setUp();
  const { status, json } = await test.admin("GET", "/_meta");
  assertEquals(status, 200);
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], json };
}

Deno.test("the description of the admin API has every route", async () => {
  await using test = await described();
  const found = Object.entries<Record<string, unknown>>(test.json.paths).flatMap(([path, item]) =>
    Object.keys(item).filter((key) => key !== "parameters").map((method) =>
      `${method.toUpperCase()} ${path.slice("/api/admin".length).replace(/\{(\w+)\}/g, ":$1")}`
    )
  );
  assertEquals(found.sort(), servedEndpoints(test.app));
});

Deno.test("the description of the admin API is valid OpenAPI 3.1", async () => {
  await using test = await described();
  const text = JSON.stringify({ ...test.json, servers: [{ url: "https://cms.example.net" }] });
  await SwaggerParser.validate(JSON.parse(text));
  // A WebSocket answers with 101; `/transfers/exports/{jobId}` is no transfer, because ids are ULIDs.
  const rules = {
    "info-license": "off",
    "operation-2xx-response": "off",
    "no-ambiguous-paths": "off",
  } as const;
  const config = await createConfig({ extends: ["recommended-strict"], rules });
  const problems = await lintFromString({ source: text, config });
  assertEquals(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
      .slice(0, 20),
    [],
  );
});

Deno.test("each operation names its permission, its body and its answers", async () => {
  await using test = await described();
  const { paths } = test.json;
  const permission = (method: string, path: string) =>
    paths[`/api/admin${path}`][method]["x-permission"];
  assertEquals(permission("get", "/blocks"), "collections.read");
  assertEquals(permission("post", "/collections"), "collections.write");
  assertEquals(permission("post", "/documents/{id}/publish"), "documents.publish");
  assertEquals(permission("get", "/audit"), "administrator");
  assertEquals(permission("get", "/exports"), "exports.manage");
  assertEquals(permission("get", "/sessions"), "session");
  assertEquals(permission("post", "/setup"), "none");
  assertEquals(permission("post", "/session"), "none");
  assertEquals(permission("get", "/session"), "session");
  const { requestBody, responses } = paths["/api/admin/collections"].post;
  const { schema } = requestBody.content["application/json"];
  assertEquals(schema.required, ["slug", "name"]);
  assert(responses["201"] !== undefined && responses["422"] !== undefined);
  const ids = Object.values<Record<string, { operationId?: string }>>(paths)
    .flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
  assertEquals(new Set(ids).size, ids.length);
});

Deno.test("the description takes a session, or a token with all scopes", async () => {
  await using test = await described();
  const status = async (headers: Record<string, string>) =>
    (await test.call("GET", "/api/admin/_meta", { headers })).status;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  assertEquals(await status({}), 401);
  assertEquals(await status(bearer(await test.token())), 200);
  assertEquals(await status(bearer(await test.token({ scopes: ["*:read"] }))), 403);
  assertEquals(await status(bearer("svc_pk_nothing")), 401);
});
