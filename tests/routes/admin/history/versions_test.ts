import { currentPrefix } from "../../../../kv/keys.ts";
import { ENTITY_TYPES, type EntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import { answered, assertRefusal, listed } from "../../../support/sites/admin_answers.ts";
import { ADA, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { NO_ID, NOON_SECONDS } from "../../../support/sites/headless.ts";

async function site(): Promise<{ test: TestApp; userId: string; id: string }> {
  const test = await testApp();
  const { user } = (await test.setUp()).json;
  await test.collection({ slug: "posts", name: "Posts" });
  const made = await test.admin("POST", "/documents", { collection: "posts", title: "T" });
  return { test, userId: user.id, id: answered(made, 201).id };
}

/** The ids of a type's entities. */
async function idsOf({ context }: TestApp, type: EntityType): Promise<string[]> {
  const rows = await context.store.listAll({ prefix: currentPrefix(type) });
  return rows.map(({ key }) => key.at(-1) as string);
}

Deno.test("GET /api/admin/versions/{type}/{id} lists newest first, snake_case, with the editor", async () => {
  const { test, userId, id } = await site();
  await using _ = test;
  for (let n = 2; n <= 5; n++) {
    test.context.advance(1_000);
    answered(await test.admin("PATCH", `/documents/${id}`, { title: `T${n}` }), 200);
  }
  answered(await test.admin("POST", `/documents/${id}/publish`), 202);

  const answer = await test.admin("GET", `/versions/document/${id}`);

  const data = listed(answer);
  const facts = { changed_by: userId, editor: "Ada" };
  assertEquals(
    data.map(({ id: _id, ...rest }) => rest),
    [6, 5, 4, 3, 2, 1].map((n) => ({
      version_number: n,
      ...facts,
      change_summary: n === 6 ? "Published" : null,
      changed_at: NOON_SECONDS + Math.min(n, 5) - 1,
    })),
  );
  assertEquals(new Set(data.map(({ id }) => id)).size, 6);
  const page = await test.admin("GET", `/versions/document/${id}?page=2&perPage=4`);
  assertEquals(listed(page), data.slice(4));
  assertEquals(page.json.meta, { page: 2, perPage: 4, total: 6 });
  assertEquals(listed(await test.admin("GET", `/versions/document/${id}?page=9`)), []);
  const bad = await test.admin("GET", `/versions/document/${id}?page=0`);
  assertRefusal(bad, 400, "PAGINATION_INVALID");
});

Deno.test("GET /api/admin/versions/{id} answers one version with its state", async () => {
  const { test, userId, id } = await site();
  await using _ = test;
  const [head] = listed(await test.admin("GET", `/versions/document/${id}`));

  const version = answered(await test.admin("GET", `/versions/${head.id}`), 200);

  const { state, ...rest } = version;
  assertEquals(rest, {
    id: head.id,
    version_number: 1,
    changed_by: userId,
    change_summary: null,
    changed_at: NOON_SECONDS,
    entity_type: "document",
    entity_id: id,
    state_r2_key: null,
    editor: "Ada",
  });
  assertEquals([state.id, state.title, state.status], [id, "T", "draft"]);
});

Deno.test("GET /api/admin/versions works for every type of entity that there is, without secrets", async () => {
  const { test, userId } = await site();
  await using _ = test;
  answered(await test.admin("PATCH", "/settings", { "secret.key": "hush-hush" }), 200);
  const fields = [{ name: "a", type: "text" }];
  answered(await test.admin("POST", "/collections", { slug: "a", name: "A", fields }), 201);
  answered(await test.admin("POST", "/blocks", { name: "rule" }), 201);
  const minted = await test.admin("POST", "/tokens", { name: "t", scopes: ["*"] });
  const { token } = answered(minted, 201);
  const patched = { password: "another long password" };
  answered(await test.admin("PATCH", `/users/${userId}`, patched), 200);
  const seen: string[] = [];
  for (const type of ENTITY_TYPES) {
    for (const id of await idsOf(test, type)) {
      const list = await test.admin("GET", `/versions/${type}/${id}`);
      for (const { id: versionId } of listed(list)) {
        const one = await test.admin("GET", `/versions/${versionId}`);
        assertEquals(answered(one, 200).entity_type, type);
        const forbidden = ["hush-hush", "scrypt", token.slice(-32), "passwordHash", "previousHash"];
        for (const text of forbidden) assert(!one.text.includes(text), `${type}: ${text}`);
        assert(!("hash" in one.json.state));
      }
      seen.push(type);
    }
  }
  const present = ["user", "role", "permission", "user_role", "setting", "collection"];
  present.push("field_definition", "document", "api_token", "block_definition");
  assertEquals([...new Set(seen)], ENTITY_TYPES.filter((type) => present.includes(type)));
});

Deno.test("GET /api/admin/versions of a deleted entity still answers, the tombstone without a state", async () => {
  const { test } = await site();
  await using _ = test;
  const { id } = answered(await test.admin("POST", "/blocks", { name: "rule" }), 201);
  answered(await test.admin("DELETE", "/blocks/rule"), 204);
  const data = listed(await test.admin("GET", `/versions/block_definition/${id}`));
  assertEquals(data.map(({ version_number: n }) => n), [2, 1]);
  assertEquals(answered(await test.admin("GET", `/versions/${data[0].id}`), 200).state, null);
  assertEquals(
    answered(await test.admin("GET", `/versions/${data[1].id}`), 200).state.name,
    "rule",
  );
});

Deno.test("GET /api/admin/versions of a large document reads its spilled state", async () => {
  const { test } = await site();
  await using _ = test;
  const field = { name: "body", type: "text", options: { multiline: true } };
  answered(await test.admin("POST", "/collections/posts/fields", field), 201);
  const body = "x".repeat(300_000);
  const made = await test.admin("POST", "/documents", { collection: "posts", title: "L", body });
  const { id } = answered(made, 201);
  answered(await test.admin("PATCH", `/documents/${id}`, { body: "short" }), 200);
  const [, old] = listed(await test.admin("GET", `/versions/document/${id}`));
  const { state } = answered(await test.admin("GET", `/versions/${old.id}`), 200);
  assertEquals(Object.values(state.data), [body]);
});

Deno.test("GET /api/admin/versions of nothing is 404", async () => {
  const { test, id } = await site();
  await using _ = test;
  const paths = [
    `/versions/document/${NO_ID}`,
    `/versions/nothing/${id}`,
    `/versions/setting/${id}`,
    `/versions/${NO_ID}`,
    `/versions/${id}`,
    "/versions/x",
  ];
  for (const path of paths) assertRefusal(await test.admin("GET", path), 404, "NOT_FOUND");
  assertRefusal(await test.admin("POST", `/versions/${NO_ID}/restore`), 404, "NOT_FOUND");
  const method = await test.admin("GET", `/versions/${NO_ID}/restore`);
  assertRefusal(method, 405, "METHOD_NOT_ALLOWED");
  assertEquals(method.headers.get("allow"), "POST");
});

Deno.test("history shows users only what they may see otherwise", async () => {
  const { test, id } = await site();
  await using _ = test;
  answered(await test.admin("POST", "/tokens", { name: "t", scopes: ["*"] }), 201);
  const allowed: Record<string, string[]> = {
    viewer: ["collection", "document"],
    editor: ["collection", "document", "permission", "role", "setting", "user", "user_role"],
  };
  for (const [role, types] of Object.entries(allowed)) {
    const user = { email: `${role}@example.org`, displayName: role, password: ADA.password };
    answered(await test.admin("POST", "/users", { ...user, roles: [role] }), 201);
    const body = { email: user.email, password: user.password };
    const session = await test.call("POST", "/api/admin/session", { body });
    const headers = { cookie: session.headers.get("set-cookie")!.split(";")[0]! };
    const seen = new Set<string>();
    for (const type of ENTITY_TYPES) {
      for (const entityId of await idsOf(test, type)) {
        const path = `/versions/${type}/${entityId}`;
        const [version] = listed(await test.admin("GET", path));
        const paths = [path, `/versions/${version.id}`, `/versions/${version.id}/diff`];
        for (const path of paths) {
          const answer = await test.call("GET", `/api/admin${path}`, { headers });
          if (types.includes(type)) answered(answer, 200);
          else assertRefusal(answer, 403, "FORBIDDEN");
        }
        if (types.includes(type)) seen.add(type);
      }
    }
    assertEquals([...seen].sort(), types);
  }
  answered(await test.admin("GET", `/versions/document/${id}`), 200);
});
