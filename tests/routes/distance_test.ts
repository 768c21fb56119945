/**
 * How many calls of the store wait for one another in what people do all day: over a store at a distance each costs the
 * way there and back.
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import {
  assertAllTurns,
  assertTurns,
  fill,
  type Measured,
  openSite,
  turnsOf,
} from "../support/sites/distant_app.ts";
import { assert } from "../support/harness/assert.ts";

Deno.test("screens and saves of the admin application wait for few calls of the store in sequence", async () => {
  const site = await openSite();
  const { draft, published } = await fill(site);
  const process = site.fresh();
  let n = 0;
  const write = () => site.ask("PATCH", `/api/admin/documents/${draft}`, { title: `By ${++n}` });
  const now = Math.floor(site.now() / 1000);
  const requests: Record<string, Measured> = {
    "overview": [4, () => ["GET", "/admin"]],
    "notifications": [4, () => ["GET", "/api/admin/notifications"]],
    "edit page": [3, () => ["GET", `/admin/documents/${draft}`]],
    "list": [3, () => ["GET", "/admin/content/posts"]],
    "documents right after a write": [
      2,
      () => ["GET", "/api/admin/documents?collection=posts"],
      write,
    ],
    "the site at an instant": [3, () => ["GET", `/api/admin/state-at?timestamp=${now - 1}`]],
    "save of a draft": [4, () => [
      "PATCH",
      `/api/admin/documents/${draft}`,
      { title: `Title ${++n}` },
    ]],
    "save of a working copy": [4, () => [
      "PATCH",
      `/api/admin/documents/${published}/working-copy`,
      { title: `Title ${++n}` },
    ]],
    "publish": [4, () => ["POST", `/api/admin/documents/${published}/publish`]],
    "change of a field": [4, () => [
      "PATCH",
      "/api/admin/collections/posts/fields/subtitle",
      { label: `Label ${++n}` },
    ]],
    "versions": [4, () => ["GET", `/api/admin/versions/document/${draft}`]],
    // What its process has of the settings is older than its last change of them.
    "change of a setting": [4, () => ["PATCH", "/api/admin/settings", {
      "site.title": `Site ${++n}`,
    }]],
  };
  await assertAllTurns(process, requests);
});

Deno.test("what administrators change waits for few calls of the store in sequence", async () => {
  const site = await openSite();
  const { draft } = await fill(site);
  const process = site.fresh();
  let n = 0;
  const made = async (path: string, body: Json = {}): Promise<string> => {
    const { json, status, text } = await site.ask("POST", `/api/admin/${path}`, body);
    assert(status < 300, `POST ${path}: ${status} ${text}`);
    return path === "blocks" ? json.name : json.id;
  };
  const hook = () => ({ name: `H ${++n}`, url: "https://example.org", events: ["media.changed"] });
  const user = () => ({ email: `u${++n}@example.org`, displayName: "U", roles: ["editor"] });
  const token = () => ({ name: `T ${++n}`, scopes: ["posts:read"] });
  const role = () => ({ name: `R ${++n}`, permissions: [] });
  const block = () => ({ name: `b${++n}`, label: "B", fields: [] });
  const release = () => ({ name: `R ${++n}` });
  const field = () => ({ name: `f${++n}`, label: "F", type: "text" });
  const collection = () => ({ slug: `c${++n}`, name: "C", fields: [field(), field(), field()] });
  const kinds = { webhooks: hook, users: user, tokens: token, roles: role, releases: release };
  const requests: Record<string, Measured> = {};
  const fewer = new Set([
    "POST tokens",
    "DELETE tokens",
    "POST releases",
    "PATCH releases",
    "DELETE releases",
  ]);
  const most = (name: string) => fewer.has(name) ? 3 : 4;
  // What its process has of each is older than its last change.
  for (const [path, body] of Object.entries({ ...kinds, blocks: block })) {
    const id = await made(path, body());
    const change = path === "users" ? "displayName" : path === "blocks" ? "label" : "name";
    let gone = "";
    Object.assign(requests, {
      [`POST ${path}`]: [most(`POST ${path}`), () => ["POST", `/api/admin/${path}`, body()]],
      [`PATCH ${path}`]: [
        most(`PATCH ${path}`),
        () => ["PATCH", `/api/admin/${path}/${id}`, { [change]: `N ${++n}` }],
      ],
      [`DELETE ${path}`]: [
        most(`DELETE ${path}`),
        () => ["DELETE", `/api/admin/${path}/${gone}`],
        async () => gone = await made(path, body()),
      ],
    });
  }
  const tokenId = await made("tokens", token());
  const releaseId = await made("releases", release());
  const [version] = (await site.ask("GET", `/api/admin/versions/document/${draft}`)).json.data;
  let [slug, document, versions] = ["", "", [] as string[]];
  Object.assign(requests, {
    "rotate a token": [4, () => ["POST", `/api/admin/tokens/${tokenId}/rotate`]],
    "POST collections": [4, () => ["POST", "/api/admin/collections", collection()]],
    "PATCH collections": [4, () => ["PATCH", "/api/admin/collections/posts", { name: `P ${++n}` }]],
    "DELETE collections": [4, () => ["DELETE", `/api/admin/collections/${slug}`], async () => {
      const body = collection();
      await made("collections", body);
      slug = body.slug;
    }],
    "POST fields": [4, () => ["POST", "/api/admin/collections/posts/fields", field()]],
    "DELETE fields": [
      4,
      () => ["DELETE", `/api/admin/collections/posts/fields/${slug}`],
      async () => slug = (await made("collections/posts/fields", field()), `f${n}`),
    ],
    "PUT a document into a release": [
      5,
      () => ["PUT", `/api/admin/releases/${releaseId}/documents/${document}`, {
        action: "publish",
      }],
      async () => document = await made("documents", { collection: "posts", title: "In it" }),
    ],
    "name a version": [3, () => ["PATCH", `/api/admin/versions/${version.id}`, { name: `${++n}` }]],
    "restore a version": [
      6,
      () => ["POST", `/api/admin/versions/${versions[1]}/restore`],
      async () => {
        const { json } = await site.ask("GET", `/api/admin/versions/document/${draft}`);
        await site.ask("PATCH", `/api/admin/documents/${draft}`, { title: `Later ${++n}` });
        versions = json.data.map(({ id }: { id: string }) => id);
      },
    ],
    "POST previews": [3, () => ["POST", `/api/admin/documents/${draft}/preview`]],
  });
  await assertAllTurns(process, requests);
});

Deno.test("requests of the headless API wait for few calls of the store in sequence", async () => {
  const site = await openSite();
  const { draft, published } = await fill(site);
  const process = site.fresh();
  let n = 0;
  const byOther = () => site.ask("PATCH", `/api/v1/posts/${draft}`, { title: `Other ${++n}` });
  const byOwn = () => process.ask("PATCH", `/api/v1/posts/${draft}`, { title: `Own ${++n}` });
  const title = () => `New ${++n}`;
  const requests: Record<string, Measured> = {
    "read": [1, () => ["GET", `/api/v1/posts/${draft}`]],
    "read right after a write": [1, () => ["GET", `/api/v1/posts/${draft}`], byOther],
    "read by slug": [2, () => ["GET", "/api/v1/posts/by-slug/post-2"]],
    "list": [1, () => ["GET", "/api/v1/posts"]],
    "list, filtered and sorted": [1, () => ["GET", "/api/v1/posts?sort=title&status=draft"]],
    "list right after a write of its own process": [2, () => ["GET", "/api/v1/posts"], byOwn],
    "list right after a write of another": [2, () => ["GET", "/api/v1/posts"], byOther],
    "create": [1, () => ["POST", "/api/v1/posts", { title: title() }]],
    "create, public and with a reference": [
      2,
      () => ["POST", "/api/v1/posts", { title: title(), status: "published", author: draft }],
    ],
    "change": [1, () => ["PATCH", `/api/v1/posts/${draft}`, { title: title() }]],
    "change of what is public": [1, () => ["PATCH", `/api/v1/posts/${published}`, {
      subtitle: title(),
    }]],
    "change of what another has changed": [
      3,
      () => ["PATCH", `/api/v1/posts/${draft}`, { title: title() }],
      byOther,
    ],
    "search": [2, () => ["GET", `/api/v1/search?q=post+${++n}`]],
    "search page of the site": [1, () => ["GET", `/search?q=post+${++n}`]],
  };
  await assertAllTurns(process, requests);
});

Deno.test("a process that has just begun answers after few calls of the store in sequence", async () => {
  const site = await openSite();
  const { draft } = await fill(site);
  const requests: Record<string, [number, [string, string, Json?]]> = {
    "edit page": [5, ["GET", `/admin/documents/${draft}`]],
    "list": [6, ["GET", "/admin/content/posts"]],
    "documents": [4, ["GET", "/api/admin/documents?collection=posts"]],
    "overview": [6, ["GET", "/admin"]],
    "read of the headless API that records the use of its token": [4, [
      "GET",
      `/api/v1/posts/${draft}`,
    ]],
    "read of the headless API": [3, ["GET", `/api/v1/posts/${draft}`]],
    "search of the headless API": [10, ["GET", "/api/v1/search?q=post"]],
    "list of the headless API": [4, ["GET", "/api/v1/posts"]],
  };
  for (const [name, [max, request]] of Object.entries(requests)) {
    assertTurns(max, name, await turnsOf(site.fresh(), request));
  }
});
