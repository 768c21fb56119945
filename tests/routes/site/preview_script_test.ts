/**
 * The script that front ends load into pages that the studio frames.
 */
import { assert, assertEquals } from "@std/assert";
import { PREVIEW_SANDBOX } from "../../../routes/answers/preview_headers.ts";
import { type Answer, testApp } from "../../support/sites/app.ts";

Deno.test("GET /preview/client.js is a script of its own that any site may load", async () => {
  await using app = await testApp();

  const { status, headers, text } = await app.call("GET", "/preview/client.js");

  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "text/javascript; charset=utf-8");
  assertEquals(headers.get("cross-origin-resource-policy"), "cross-origin");
  assertEquals(headers.get("cache-control"), "public, max-age=3600");
  // It parses, and imports nothing: it is served as the text of two functions.
  new Function(text);
  assert(!/\bimport\b|\bexport\b/.test(text));
});

Deno.test("the preview of the studio can be reached from around its frame, and runs nothing", async () => {
  await using app = await testApp();
  await app.setUp();
  await app.admin("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
  const { json } = await app.admin("POST", "/documents", { collection: "notes", title: "One" });
  const sign = { email: "ada@example.org", password: "correct horse battery" };
  const session = await app.call("POST", "/api/admin/session", { body: sign });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;

  const path = `/admin/documents/${json.id}/preview`;
  const own = await app.call("GET", path, { headers: { cookie } });
  const { json: shared } = await app.admin("POST", `/documents/${json.id}/preview`, {});
  const open = await app.call("GET", `/preview/${shared.token}`);

  const policy = own.headers.get("content-security-policy")!;
  assert(policy.startsWith("sandbox allow-same-origin; default-src 'none'"), policy);
  assert(!policy.includes("script-src") && policy.includes("frame-ancestors 'self'"), policy);
  assert(open.headers.get("content-security-policy")!.startsWith("sandbox; "));
});

Deno.test("a preview with a player lets in what the public page does, and runs nothing of its own", async () => {
  await using app = await testApp();
  await app.setUp();
  await app.admin("PATCH", "/settings", { "embeds.hosts": ["player.example.org", "x.example"] });
  const fields = [{ name: "body", label: "Body", type: "rich_text" }];
  await app.admin("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const body = [{ _type: "embed", _key: "e", url: "https://player.example.org/v/1" }];
  const note = { collection: "notes", title: "One", body, status: "published" };
  const { json } = await app.admin("POST", "/documents", note);
  await app.runner.drain();
  const { json: shared } = await app.admin("POST", `/documents/${json.id}/preview`, {});
  const frames = ({ headers }: Answer) =>
    /frame-src [^;]*/.exec(headers.get("content-security-policy")!)![0];

  const preview = await app.call("GET", `/preview/${shared.token}`);

  assert(preview.text.includes('<iframe src="https://player.example.org/v/1"'));
  assertEquals(frames(preview), frames(await app.call("GET", "/notes/one")));
  assert(frames(preview).endsWith(" https://player.example.org"), frames(preview));
  const policy = preview.headers.get("content-security-policy")!;
  assert(policy.includes("default-src 'none'") && !policy.includes("script-src"), policy);
});

Deno.test("the form frames the origin of preview.url, and never runs its own", async () => {
  await using app = await testApp();
  await app.setUp();
  await app.admin("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
  const { json } = await app.admin("POST", "/documents", { collection: "notes", title: "One" });
  const sign = { email: "ada@example.org", password: "correct horse battery" };
  const session = await app.call("POST", "/api/admin/session", { body: sign });
  const headers = { cookie: session.headers.get("set-cookie")!.split(";")[0]! };
  const form = () => app.call("GET", `/admin/documents/${json.id}`, { headers });
  const framed = async (url: string) => {
    await app.admin("PATCH", "/settings", { "preview.url": url });
    const { headers, text } = await form();
    const [policy] = /frame-src [^;]*/.exec(headers.get("content-security-policy")!)!;
    const sandboxes = [...text.matchAll(/(?:data-)?sandbox="[^"]*"/g)].map(([all]) => all);
    return [policy, ...sandboxes];
  };

  assertEquals(await framed("https://www.example.org/p?token={token}"), [
    "frame-src 'self' https://www.example.org",
    'data-sandbox="allow-scripts allow-same-origin allow-forms"',
  ]);
  // Browsers warn of a frame that has both from the start; the page's code sets what its content needs.
  const own = [
    "frame-src 'self'",
    `data-sandbox="${PREVIEW_SANDBOX}"`,
    'sandbox="allow-same-origin"',
  ];
  assertEquals(await framed("https://localhost/p?token={token}"), own);
  assertEquals(await framed(""), own);
});
