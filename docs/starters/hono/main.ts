/**
 * A site in Hono over the content API: it lists, shows, searches and previews, and forgets what it has
 * rendered when a webhook tells that something has changed.
 *
 * @module
 */
import { type Context, Hono } from "hono";
import { html, raw } from "hono/html";
import { Webhook } from "standardwebhooks";

/** Where the content is. */
const CMS = Deno.env.get("CMS_URL") ?? "http://127.0.0.1:8000";
/** Where editors have the studio, whose script lets previews follow what they type. */
const STUDIO = Deno.env.get("CMS_STUDIO_URL") ?? CMS;
const TOKEN = Deno.env.get("CMS_TOKEN") ?? "";
const COLLECTION = Deno.env.get("CMS_COLLECTION") ?? "posts";
/** Of the webhook that calls `/hooks/content`. */
const SECRET = Deno.env.get("CMS_WEBHOOK_SECRET");
/** The field with the text of a document. */
const BODY = Deno.env.get("CMS_BODY_FIELD") ?? "body";

interface Post {
  id: string;
  slug: string;
  title: string;
  [field: string]: unknown;
}

/** Pages that were rendered since the last change. */
const rendered = new Map<string, string>();
const PAGES_KEPT = 1_000;

async function ask<T>(path: string, token = TOKEN): Promise<T | null> {
  const response = await fetch(`${CMS}/api/v1/${path}`, {
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}

async function cached(c: Context, render: () => Promise<string | null>): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const known = rendered.get(pathname + search);
  const page = known ?? await render();
  if (page === null) return c.html(frame("Not found", html`<p>There is no such page.</p>`), 404);
  if (known === undefined) {
    if (rendered.size >= PAGES_KEPT) rendered.clear();
    rendered.set(pathname + search, page);
  }
  return c.html(page);
}

const frame = (title: string, body: unknown): string =>
  String(html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>${title}</title>
      </head>
      <body>
        <nav><a href="/">Home</a> <form action="/search"><input name="q" aria-label="Search" minlength="2" required></form></nav>
        <main><h1>${title}</h1>${body}</main>
      </body>
    </html>
  `);

// Rich text comes as HTML that the service has made of known elements only.
const article = (post: Post): string => frame(post.title, raw(String(post[BODY] ?? "")));

const previewed = (post: Post): string =>
  frame(
    post.title,
    html`<script src="${STUDIO}/preview/client.js" defer></script>${raw(String(post[BODY] ?? ""))}`,
  );

const app = new Hono();

app.get("/", (c) =>
  cached(c, async () => {
    const cursor = c.req.query("cursor") ?? "";
    const query = new URLSearchParams({ sort: "-publishedAt", fields: "title,slug", cursor });
    const page = await ask<{ data: Post[]; meta: { nextCursor: string | null } }>(
      `${COLLECTION}?${query}`,
    );
    const { data = [], meta } = page ?? {};
    const older = meta?.nextCursor;
    return frame(
      "Newest",
      html`<ul>${
        data.map(({ slug, title }) => html`<li><a href="/${COLLECTION}/${slug}">${title}</a></li>`)
      }</ul>${older ? html`<a href="/?cursor=${encodeURIComponent(older)}">Older</a>` : ""}`,
    );
  }));

app.get(`/${COLLECTION}/:slug`, (c) =>
  cached(c, async () => {
    const slug = encodeURIComponent(c.req.param("slug"));
    const post = await ask<Post>(`${COLLECTION}/by-slug/${slug}?richText=html`);
    return post === null ? null : article(post);
  }));

app.get("/search", async (c) => {
  const q = c.req.query("q") ?? "";
  const query = new URLSearchParams({ q, fields: "title,slug,_snippet" });
  const found = await ask<{ data: (Post & { _snippet: string })[] }>(`${COLLECTION}?${query}`);
  return c.html(frame(
    `Found for “${q}”`,
    html`<ul>${
      (found?.data ?? []).map(({ slug, title, _snippet }) =>
        html`<li><a href="/${COLLECTION}/${slug}">${title}</a> ${raw(_snippet)}</li>`
      )
    }</ul>`,
  ));
});

// Setting `preview.url`: https://this.site/preview?token={token}&id={id}
app.get("/preview", async (c) => {
  const { token = "", id = "" } = c.req.query();
  const path = `${COLLECTION}/${encodeURIComponent(id)}?draft=true&richText=html`;
  const post = await ask<Post>(path, token).catch(() => null);
  c.header("cache-control", "private, no-store");
  if (post === null) return c.html(frame("This preview has ended", ""), 404);
  return c.html(previewed(post));
});

app.post("/hooks/content", async (c) => {
  if (SECRET === undefined) return c.text("no secret", 503);
  try {
    new Webhook(SECRET).verify(await c.req.text(), c.req.header());
  } catch {
    return c.text("not signed", 401);
  }
  rendered.clear();
  return c.body(null, 204);
});

Deno.serve({ port: Number(Deno.env.get("PORT") ?? 3000) }, app.fetch);
