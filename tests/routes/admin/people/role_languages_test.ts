/** Roles that are limited to languages: what their users may write, publish and grant. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import {
  type Ask,
  type Multilingual,
  multilingual,
  paragraph,
  signedIn,
} from "../../../support/sites/multilingual.ts";

const WRITER = ["create", "edit", "delete"];
const PUBLISHER = ["publish"];
const inPosts = (actions: string[]): Json => [{ collection: "posts", actions }];

/** Signs in a user with roles that are made for them. */
async function person(test: Multilingual, ...roles: Record<string, Json>[]): Promise<Ask> {
  for (const role of roles) {
    answered(await test.admin("POST", "/roles", { permissions: [], ...role } as Json), 201);
  }
  const names = roles.map(({ name }) => String(name));
  return await signedIn(test, names[0] ?? "", names);
}

async function statuses(ask: Ask, requests: [method: string, path: string, body?: Json][]) {
  const found: number[] = [];
  for (const request of requests) found.push((await ask(...request)).status);
  return found;
}

Deno.test("a role names languages of the site; null is all of them", async () => {
  await using test = await multilingual();
  const role = { name: "Translator", permissions: [], languages: ["fr", "de"] };
  const made = await test.admin("POST", "/roles", role);
  assertEquals([made.status, made.json.languages], [201, ["fr", "de"]], made.text);
  const path = `/roles/${made.json.id}`;
  const unknown = await test.admin("PATCH", path, { languages: ["fr", "it"] });
  assertEquals([unknown.status, unknown.json.error.details[0].field], [422, "languages.1"]);
  assertEquals((await test.admin("PATCH", path, { languages: [] })).status, 422);
  const renamed = await test.admin("PATCH", path, { name: "Translators" });
  assertEquals(renamed.json.languages, ["fr", "de"]);
  const widened = await test.admin("PATCH", path, { languages: null });
  assertEquals([widened.status, "languages" in widened.json], [200, false], widened.text);
});

Deno.test("users of a role for some languages write and publish in these alone", async () => {
  await using test = await multilingual();
  const body = { title: "Apple", body: paragraph("Hello"), status: "published" };
  const { id } = await test.post(body);
  const path = `/documents/${id}`;
  const translation = { title: "T", body: paragraph("T") };
  const ask = await person(test, {
    name: "french",
    languages: ["fr"],
    collections: inPosts([...WRITER, ...PUBLISHER]),
  });
  const found = await statuses(ask, [
    ["PUT", `${path}/translations/fr`, translation],
    ["PUT", `${path}/translations/de`, translation],
    ["POST", `${path}/translations/fr/publish`],
    ["POST", `${path}/translations/de/copy`, { from: "fr" }],
    ["PATCH", path, { rating: 2 }],
    ["POST", `${path}/unpublish`],
    ["DELETE", path],
    ["DELETE", `${path}/translations/fr`],
    ["POST", "/documents", { collection: "posts", title: "Pear" }],
    ["POST", "/documents", { collection: "posts", title: "Poire", _language: "fr" }],
  ]);
  assertEquals(found, [201, 403, 202, 403, 403, 403, 403, 204, 403, 201]);
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.title, "Apple");
});

Deno.test("a user with several roles does in a language what one of them allows there", async () => {
  await using test = await multilingual();
  const { id } = await test.post({ title: "Apple", body: paragraph("Hello") });
  const path = `/documents/${id}/translations`;
  const ask = await person(
    test,
    { name: "writer", collections: inPosts(WRITER) },
    { name: "publisher", languages: ["fr"], collections: inPosts(PUBLISHER) },
  );
  const body = { title: "T", body: paragraph("T") };
  const found = await statuses(ask, [
    ["PUT", `${path}/fr`, body],
    ["PUT", `${path}/de`, body],
    ["POST", `${path}/de/publish`],
    ["POST", `${path}/fr/publish`],
    ["POST", `/documents/${id}/publish`],
  ]);
  assertEquals(found, [201, 201, 403, 202, 403]);
});

Deno.test("users grant no role and no token for languages beyond their own", async () => {
  await using test = await multilingual();
  const ask = await person(test, {
    name: "lead",
    languages: ["fr", "de"],
    permissions: [
      "roles.manage",
      "tokens.manage",
      "documents.read",
      "documents.write",
      "documents.publish",
    ],
  });
  const role = { name: "R", permissions: ["documents.read", "documents.write"] };
  const token = { name: "T", scopes: ["posts:write"] };
  const found = await statuses(ask, [
    ["POST", "/roles", role],
    ["POST", "/roles", { ...role, languages: ["fr", "en"] }],
    ["POST", "/roles", { ...role, languages: ["fr"] }],
    ["POST", "/tokens", token],
    ["POST", "/tokens", { ...token, languages: ["en"] }],
    ["POST", "/tokens", { ...token, languages: ["fr"] }],
    ["POST", "/tokens", { name: "Reader", scopes: ["posts:read"] }],
  ]);
  assertEquals(found, [403, 403, 201, 403, 403, 201, 201]);
});

Deno.test("live editing is of the original, for users who may write in its language", async () => {
  await using test = await multilingual();
  const { id } = await test.post({ title: "Apple", body: paragraph("Hello") });
  const headers = { upgrade: "websocket", origin: "http://localhost" };
  const join = async (name: string, code: string) => {
    const role = { name, languages: [code], collections: inPosts(WRITER) };
    const ask = await person(test, role);
    return (await ask("GET", `/documents/${id}/live`, undefined, { headers })).status;
  };
  assertEquals(await join("french", "fr"), 403);
  assertEquals(await join("english", "en"), 400, "only the handshake is incomplete");
});
