/** Filters on texts that are longer than what the list index holds, wherever documents are filtered. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { releaseSite } from "../../../support/sites/release_site.ts";
import { DOCUMENT_EVENTS, hook, receiver, webhookSite } from "../../../support/sites/webhooks.ts";

const BEGINNING = "word ".repeat(200);

/** A site with published posts, whose texts differ far behind what is indexed. */
async function longSite() {
  const site = await releaseSite();
  await site.want(200, "PATCH", "/collections/posts/fields/body", { indexed: true });
  const ids = {
    oak: await site.post("Oak", { status: "published", body: `${BEGINNING}acorn` }),
    elm: await site.post("Elm", { status: "published", body: `${BEGINNING}samara` }),
    short: await site.post("Short", { status: "published", body: "acorn" }),
  };
  const token = await site.test.token({ scopes: ["*:read", "*:read-drafts", "*:read-history"] });
  const titles = async (query: string) => {
    const { status, json, text } = await site.test.call("GET", `/api/v1/posts?${query}`, { token });
    assertEquals(status, 200, text);
    assertEquals(json.meta.total, json.data.length);
    return json.data.map(({ title }: { title: string }) => title).sort();
  };
  return { site, ids, titles };
}

const ACORN = "field.body[contains]=acorn";

Deno.test("lists, searches and matches see the whole of a long text", async () => {
  const { site, ids, titles } = await longSite();
  await using _site = site;
  assertEquals(await titles(ACORN), ["Oak", "Short"]);
  assertEquals(await titles("field.body[endsWith]=samara"), ["Elm"]);
  assertEquals(await titles(`field.body[gt]=${BEGINNING.slice(0, 490)}`), ["Elm", "Oak"]);
  const not = encodeURIComponent(JSON.stringify({ not: { body: { contains: "acorn" } } }));
  assertEquals(await titles(`filter=${not}`), ["Elm"]);
  await site.test.runner.drain();
  assertEquals(await titles(`q=word&${ACORN}`), ["Oak"]);
  assertEquals(await titles(`q=word&sort=title&${ACORN}&facets=body`), ["Oak"]);
  await site.post("Leads to the elm", { status: "published", body: "x", other: ids.elm });
  const match = { other: { match: { body: { endsWith: "samara" } } } };
  const filter = encodeURIComponent(JSON.stringify(match));
  assertEquals(await titles(`filter=${filter}`), ["Leads to the elm"]);
  const { json } = await site.test.admin(
    "GET",
    `/documents?collection=posts&${ACORN}&sort=title`,
  );
  assertEquals(json.data.map(({ title }: { title: string }) => title), ["Oak", "Short"]);
});

Deno.test("a change far behind is seen at once, and the past stays what it was", async () => {
  const { site, ids, titles } = await longSite();
  await using _site = site;
  assertEquals(await titles(ACORN), ["Oak", "Short"]);
  const then = Math.floor(site.test.context.now() / 1000);
  site.test.context.advance(2_000);
  await site.want(200, "PATCH", `/documents/${ids.elm}`, { body: `${BEGINNING}acorn, too` });
  await site.want(200, "PATCH", `/documents/${ids.oak}`, { body: `${BEGINNING}cork` });
  assertEquals(await titles(ACORN), ["Elm", "Short"]);
  assertEquals(await titles(`${ACORN}&at=${then}`), ["Oak", "Short"]);
});

Deno.test("what a release makes of a long text is what its view is filtered by", async () => {
  const { site, ids, titles } = await longSite();
  await using _site = site;
  const path = `/documents/${ids.elm}/working-copy`;
  await site.want(200, "PATCH", path, { body: `${BEGINNING}acorn` });
  const release = await site.release("Spring", { [ids.elm]: "publish", [ids.oak]: "unpublish" });
  assertEquals(await titles(`${ACORN}&draft=true&release=${release}`), ["Elm", "Short"]);
  assertEquals(await titles(`${ACORN}&status=published`), ["Oak", "Short"]);
  const marked = await site.want(
    200,
    "GET",
    `/documents?collection=posts&workingCopy=true&${ACORN}`,
  );
  assertEquals(marked.data.length, 0);
  const own = "field.body[contains]=samara";
  const shown = await site.want(200, "GET", `/documents?collection=posts&workingCopy=true&${own}`);
  assertEquals(shown.data.map(({ title }: { title: string }) => title), ["Elm"]);
});

Deno.test("a webhook's filter sees the whole of a long text", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await test.admin("POST", "/collections/posts/fields", {
    name: "long",
    type: "text",
    indexed: true,
  });
  const filter = { long: { contains: "acorn" } };
  await hook(test, there.url, { events: DOCUMENT_EVENTS, filter });
  const token = await test.token();
  const post = async (title: string, end: string) => {
    const body = { title, long: BEGINNING + end, status: "published" };
    const { status, json, text } = await test.call("POST", "/api/v1/posts", { token, body });
    assertEquals(status, 201, text);
    return json.id;
  };
  const oak = await post("Oak", "acorn");
  await post("Elm", "samara");
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [oak]);
});
