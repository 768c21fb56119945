import type { Json } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { type Answer, type TestApp, testApp } from "../../support/sites/app.ts";
import { install, packageOf, publisher, themeParts, trust } from "../../support/sites/packages.ts";

/** A user with their cookie. */
interface Visitor {
  (method: string, path: string, body?: Json): Promise<Answer>;
  cookie: string;
}

const ROLES = ["administrator", "editor", "author", "viewer"] as const;

function visitor(test: TestApp, cookie: string, address: string): Visitor {
  const visit = (method: string, path: string, body?: Json) =>
    test.call(method, path, {
      headers: cookie === "" ? {} : { cookie },
      address,
      ...(body !== undefined && { body }),
    });
  return Object.assign(visit, { cookie });
}

function cookieOf(answer: Answer): string {
  return answer.headers.get("set-cookie")!.split(";")[0]!;
}

/** A site with a document, and a visitor for each role. */
async function roles(test: TestApp) {
  const setup = await test.call("POST", "/api/admin/setup", {
    body: {
      code: "setup-code",
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "The Lantern",
    },
  });
  const administrator = visitor(test, cookieOf(setup), "192.0.2.1");
  const visitors: Record<string, Visitor> = { administrator };
  for (const [index, role] of ROLES.entries()) {
    if (role === "administrator") continue;
    const email = `${role}@example.org`;
    const password = `${role} has a password`;
    await administrator("POST", "/api/admin/users", {
      email,
      displayName: role,
      password,
      roles: [role],
    });
    const session = await test.call("POST", "/api/admin/session", {
      body: { email, password },
      address: `192.0.2.${index + 2}`,
    });
    visitors[role] = visitor(test, cookieOf(session), `192.0.2.${index + 2}`);
  }
  await administrator("POST", "/api/admin/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "teaser", type: "text", indexed: true, sortable: true }],
  });
  await administrator("POST", "/api/admin/blocks", { name: "quote", label: "Quote", fields: [] });
  const created = await administrator("POST", "/api/admin/documents", {
    collection: "posts",
    title: "First",
  });
  return { visitors, documentId: created.json.id as string, userId: setup.json.user.id as string };
}

/** An installed theme and plugin. */
async function packages(test: TestApp, administrator: Visitor) {
  const ask: TestApp["admin"] = (method, path, body, call) =>
    body === undefined && call !== undefined
      ? test.call(method, `/api/admin${path}`, {
        ...call,
        headers: { ...call.headers, cookie: administrator.cookie },
      })
      : administrator(method, `/api/admin${path}`, body);
  const app = { ...test, admin: ask };
  await trust(app, [publisher()]);
  const theme = await install(app, "themes", await packageOf(themeParts("Midnight")));
  const plugin = await install(app, "plugins", await packageOf());
  return { themeId: theme.result.install.id, pluginId: plugin.result.install.id };
}

Deno.test("GET /admin/… opens each page to its roles only", async () => {
  await using test = await testApp();
  const { visitors, documentId, userId } = await roles(test);
  const { themeId, pluginId } = await packages(test, visitors.administrator!);
  const everybody = "administrator editor author viewer";
  const pages: [path: string, allowed: string][] = [
    ["/admin", everybody],
    ["/admin/account", everybody],
    ["/admin/content", everybody],
    ["/admin/content/posts", everybody],
    ["/admin/content/posts/new", "administrator editor author"],
    [`/admin/documents/${documentId}`, everybody],
    [`/admin/documents/${documentId}/checks`, everybody],
    [`/admin/versions/document/${documentId}`, everybody],
    [`/admin/versions/user/${userId}`, "administrator editor"],
    ["/admin/schedule", everybody],
    ["/admin/releases", everybody],
    ["/admin/activity", everybody],
    ["/admin/media", everybody],
    ["/admin/collections", everybody],
    ["/admin/collections/posts", everybody],
    ["/admin/collections/posts/fields/new", "administrator"],
    ["/admin/collections/posts/fields/teaser", "administrator"],
    ["/admin/blocks", everybody],
    ["/admin/blocks/new", "administrator"],
    ["/admin/blocks/quote", "administrator"],
    ["/admin/settings", "administrator editor"],
    ["/admin/design", "administrator editor"],
    ["/admin/redirects", "administrator editor"],
    ["/admin/transfers", "administrator"],
    ["/admin/users", "administrator editor"],
    [`/admin/users/${userId}`, "administrator editor"],
    ["/admin/roles", "administrator editor"],
    ["/admin/roles/new", "administrator"],
    ["/admin/tokens", "administrator"],
    ["/admin/tokens/new", "administrator"],
    ["/admin/themes", "administrator"],
    [`/admin/themes/${themeId}`, "administrator"],
    ["/admin/plugins", "administrator"],
    [`/admin/plugins/${pluginId}`, "administrator"],
    ["/admin/publishers", "administrator"],
    [`/admin/documents/${documentId}/preview`, everybody],
    ["/admin/jobs", "administrator editor"],
    ["/admin/back-ups", "administrator"],
    ["/admin/time-travel", "administrator"],
    ["/admin/time-travel?at=1780000000", "administrator"],
  ];

  for (const [path, allowed] of pages) {
    for (const role of ROLES) {
      const { status, text } = await visitors[role]!("GET", path);
      assertEquals(status, allowed.split(" ").includes(role) ? 200 : 403, `${role} ${path}`);
      assert(!text.includes("[object Object]"), path);
      const [, crumbs] = /<nav class="crumbs"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
      assert(crumbs === undefined || crumbs.endsWith("</a></span>"), `${path}: ${crumbs}`);
    }
    const stranger = await test.call("GET", path);
    assertEquals(stranger.status, 302, path);
    assert(stranger.headers.get("location")!.startsWith("/admin/sign-in"), path);
  }
});

Deno.test("GET /admin/… shows no place and no button that the role may not use", async () => {
  await using test = await testApp();
  const { visitors, documentId } = await roles(test);

  const list = (await visitors.viewer!("GET", "/admin/content/posts")).text;
  const editor = (await visitors.viewer!("GET", `/admin/documents/${documentId}`)).text;
  const author = (await visitors.author!("GET", `/admin/documents/${documentId}`)).text;

  assert(!list.includes("/admin/tokens") && !list.includes("/admin/settings"));
  assert(!list.includes("/admin/content/posts/new"));
  assertStringIncludes(editor, "Read only");
  assert(!editor.includes('type="submit"'));
  assertStringIncludes(author, 'type="submit"');
  assert(!author.includes("data-publish>") && !author.includes('data-publish=""'));
});

Deno.test("GET /admin/content/… begins a singleton with the name of its collection as title", async () => {
  await using test = await testApp();
  const { administrator } = (await roles(test)).visitors;
  await administrator!("POST", "/api/admin/collections", {
    slug: "front-page",
    name: "Front page",
    singleton: true,
    fields: [],
  });
  const titleOf = async (path: string) => {
    const { text } = await administrator!("GET", path);
    const [, attributes, title] = /<textarea id="c-title"([^>]*)>([^<]*)</.exec(text)!;
    return [title!.trim(), attributes!.includes("autofocus")];
  };

  assertEquals(await titleOf("/admin/content/front-page/new"), ["Front page", false]);
  assertEquals(await titleOf("/admin/content/posts/new"), ["", true]);
});

Deno.test("GET /admin/… answers unknown addresses with a page, in the frame", async () => {
  await using test = await testApp();
  const { visitors } = await roles(test);
  const paths = [
    "/admin/nowhere",
    "/admin/content/nothing",
    "/admin/documents/01JD0000000000000000000000",
    "/admin/documents/x",
    "/admin/versions/document/01JD0000000000000000000000",
    "/admin/versions/nothing/x",
    "/admin/media/x",
    "/admin/jobs/x",
    "/admin/users/x",
    "/admin/collections/posts/fields/nothing",
  ];
  for (const path of paths) {
    const { status, text } = await visitors.administrator!("GET", path);
    assertEquals(status, 404, path);
    assertStringIncludes(text, "Go to the overview", path);
  }
  const redirect = await visitors.administrator!("GET", "/admin/content/");
  assertEquals([redirect.status, redirect.headers.get("location")], [302, "/admin/content"]);
});

Deno.test("GET /admin/sign-in never redirects to another site", async () => {
  await using test = await testApp();
  await roles(test);
  const elsewhere = ["//evil.example", "https://evil.example", "/admin/\\evil", "javascript:x"];
  for (const next of [...elsewhere, "/admin/../evil"]) {
    const { text } = await test.call("GET", `/admin/sign-in?next=${encodeURIComponent(next)}`);
    assertStringIncludes(text, 'data-after="/admin"', next);
  }
  const { text } = await test.call(
    "GET",
    "/admin/sign-in?next=%2Fadmin%2Fcontent%3Fstatus%3Ddraft",
  );
  assertStringIncludes(text, 'data-after="/admin/content?status=draft"');
});
