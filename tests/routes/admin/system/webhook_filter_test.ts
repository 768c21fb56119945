/** Filters of webhooks: which documents pass, and which filters are taken. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { DOCUMENT_EVENTS, hook, receiver, webhookSite } from "../../../support/sites/webhooks.ts";

Deno.test("a filter passes only documents that meet it in the reported version", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  const filter = { rating: { gte: 4 } };
  const { id: webhookId } = await hook(test, there.url, { events: DOCUMENT_EVENTS, filter });
  assertEquals((await test.admin("GET", `/webhooks/${webhookId}`)).json.filter, filter);
  const token = await test.token();
  const post = async (body: Record<string, Json>) =>
    (await test.call("POST", "/api/v1/posts", { token, body: { status: "published", ...body } }))
      .json.id as string;
  const low = await post({ title: "Low", rating: 3 });
  const high = await post({ title: "High", rating: 5 });
  await post({ title: "None" });
  await test.call("PATCH", `/api/v1/posts/${low}`, { token, body: { rating: 4 } });
  await test.call("PATCH", `/api/v1/posts/${high}`, { token, body: { rating: 1 } });
  await test.call("PATCH", `/api/v1/posts/${low}`, { token, body: { rating: 9 } });
  await test.admin("POST", `/documents/${low}/unpublish`, {});
  await test.call("DELETE", `/api/v1/posts/${low}`, { token });
  await test.runner.drain();
  const told = there.received.map(({ json }) => `${json.type} ${json.data.id}`).sort();
  assertEquals(
    told,
    [
      `document.published ${high}`,
      `document.updated ${low}`,
      `document.updated ${low}`,
      `document.unpublished ${low}`,
      `document.trashed ${low}`,
    ].sort(),
  );

  there.received.length = 0;
  const matching = { related: { match: { title: { startsWith: "High" } } } };
  const patched = await test.admin("PATCH", `/webhooks/${webhookId}`, { filter: matching });
  assertEquals([patched.status, patched.json.filter], [200, matching], patched.text);
  const about = await post({ title: "About", related: high });
  await post({ title: "Other", related: about });
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [about]);

  const { json } = await test.admin("POST", `/webhooks/${webhookId}/replay`, { since: 0 });
  assertMatch(json.jobId, /./);
  await test.runner.drain();
  assertEquals(there.received.map(({ json }) => json.data.id), [about, about]);
});

Deno.test("a filter must fit the collections of its webhook, and passes what it no longer fits", async () => {
  await using test = await webhookSite();
  await using there = receiver();
  await test.admin("POST", "/collections", { slug: "pages", name: "Pages", fields: [] });
  const body = { name: "A", url: there.url, events: ["document.published"] };
  const refused: [Record<string, Json>, number, string][] = [
    [{ filter: { nothing: 1 } }, 400, "FILTER_FIELD_INVALID"],
    [{ filter: { rating: { contains: "a" } } }, 400, "FILTER_OPERATOR_INVALID"],
    [{ filter: { or: {} } }, 400, "FILTER_INVALID"],
    [{ filter: { rating: "high" } }, 422, "VALIDATION_FAILED"],
    [{ filter: { rating: 1 }, collections: ["posts", "pages"] }, 400, "FILTER_FIELD_INVALID"],
    [{ filter: "rating" }, 422, "VALIDATION_FAILED"],
  ];
  for (const [more, status, code] of refused) {
    const answer = await test.admin("POST", "/webhooks", { ...body, ...more });
    assertEquals([answer.status, answer.json.error.code], [status, code], JSON.stringify(more));
  }
  const filter = { rating: { gte: 4 } };
  const { id } = await hook(test, there.url, { filter, collections: ["posts"] });
  const wrong = await test.admin("PATCH", `/webhooks/${id}`, { collections: ["pages"] });
  assertEquals(wrong.status, 400);
  assertEquals((await test.admin("PATCH", `/webhooks/${id}`, { filter: null })).json.filter, null);
  assertEquals((await test.admin("PATCH", `/webhooks/${id}`, { filter })).status, 200);

  const path = "/collections/posts/fields/rating";
  const renamed = await test.admin("PATCH", path, { name: "stars" });
  assertEquals(renamed.status, 200, renamed.text);
  const token = await test.token();
  const low = { title: "Low", stars: 1, status: "published" };
  await test.call("POST", "/api/v1/posts", { token, body: low });
  await test.runner.drain();
  assertEquals(there.received.length, 1);
});
