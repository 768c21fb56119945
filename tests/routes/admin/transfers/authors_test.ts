/** Authors of a source who are documents or users of this site already. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const author = (login: string, name: string) =>
  `<wp:author><wp:author_login>${login}</wp:author_login><wp:author_display_name>${name}</wp:author_display_name></wp:author>`;

const post = (id: number, by: string) =>
  `<item><title>Post ${id}</title><wp:post_id>${id}</wp:post_id><wp:post_name>post-${id}</wp:post_name>
  <dc:creator>${by}</dc:creator><wp:post_date_gmt>2020-01-0${id} 10:00:00</wp:post_date_gmt>
  <wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`;

const WXR =
  `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="d"><channel>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
${author("ann", "Ann")}${author("bob", "Bob")}${author("cyd", "Cyd")}
${post(1, "ann")}${post(2, "bob")}${post(3, "cyd")}</channel></rss>`;

Deno.test("authors are mapped to documents and to users, the others become documents", async () => {
  await using site = await transferSite();
  answered(await site.admin("POST", "/collections", { slug: "people", name: "People" }), 201);
  const ann = answered(
    await site.admin("POST", "/documents", { collection: "people", title: "Ann", slug: "ann-a" }),
    201,
  );
  const { data: users } = answered(await site.admin("GET", "/users"), 200);
  const planned = await site.analysed([["blog.xml", WXR]]);
  const { plan } = planned;
  assertEquals(plan.authors, {
    collection: "authors",
    mapping: { ann: null, bob: null, cyd: null },
  });
  // Ann is a document of another collection, Bob is a user.
  plan.authors = { collection: "people", mapping: { ann: ann.id, bob: users[0].id, cyd: null } };
  for (const collection of plan.collections) {
    if (collection.source === "authors") collection.target = "people";
    for (const field of collection.fields) {
      if (field.to === "author") field.options = { collection: "people" };
    }
  }
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);

  const done = await site.run(planned.id);

  assertEquals([done.report.created, done.report.skipped, done.report.failed], [5, 1, 0]);
  const people = new Map((await site.documents("people")).map(({ id, title }) => [id, title]));
  assertEquals([...people.values()].sort(), ["Ann", "Bob", "Cyd"]);
  const posts = await site.documents("posts");
  assertEquals(posts.map(({ author }) => people.get(author)), ["Ann", "Bob", "Cyd"]);
  assertEquals(posts[0].author, ann.id);
  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.skipped], [5, 1]);
});

Deno.test("a mapping of authors to what does not exist is refused with its place", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["blog.xml", WXR]]);
  const refused = async (target: string) => {
    const authors = { ...planned.plan.authors, mapping: { ann: target } };
    const body = { plan: { ...planned.plan, authors } };
    const { status, json } = await site.admin("PATCH", `/transfers/${planned.id}`, body);
    return [status, json.error.details[0].field, json.error.details[0].code];
  };
  assertEquals(await refused("ann"), [422, "plan.authors.mapping.ann", "INVALID_TYPE"]);
  assertEquals(await refused("01JD0000000000000000000000"), [
    422,
    "plan.authors.mapping.ann",
    "INVALID_REFERENCE",
  ]);
});

Deno.test("a post of an author who is a user is that user's own", async () => {
  await using site = await transferSite();
  const { id: userId } = answered(
    await site.admin("POST", "/users", {
      email: "bob@example.org",
      displayName: "Bob",
      password: "a long enough password",
      roles: [],
    }),
    201,
  );
  const planned = await site.analysed([["blog.xml", WXR]]);
  const { plan } = planned;
  plan.authors.mapping = { bob: userId };
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  await site.run(planned.id);

  const [first, second] = await site.documents("posts");
  const ownerOf = async (id: string) => {
    const { data } = answered(await site.admin("GET", `/versions/document/${id}`), 200);
    const version = answered(await site.admin("GET", `/versions/${data.at(-1).id}`), 200);
    return version.state.createdBy;
  };
  assertEquals(await ownerOf(second.id), userId);
  assertEquals(await ownerOf(first.id) === userId, false);
});
