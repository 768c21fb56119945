/** Files that a system shows to users alone, and fields of Directus that are not content. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { apiServer } from "../../../support/transfers/api_server.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

const FILE = "0b7a2a5e-3172-4bd7-9405-29241fe91cbc";
const field = (name: string, type: string, meta: Json = {}) => ({
  collection: "posts",
  field: name,
  type,
  meta,
});

Deno.test("Directus: files are fetched with the token, and never from another host with it", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });
  const asked: [path: string, token: string | null][] = [];
  await using other = apiServer((url, request) => {
    asked.push([url.pathname, request.headers.get("authorization")]);
    return new Response(IMAGES["image/gif"], { headers: { "content-type": "image/gif" } });
  });
  const elsewhere = other.origin.replace("127.0.0.1", "localhost");
  const item = {
    id: 1,
    title: "One",
    status: "published",
    cover: FILE,
    body: `<p>a</p><img src="/assets/${FILE}?width=200"><img src="${elsewhere}/b.gif">`,
    secret: "**********",
    big: "9007199254740993",
  };
  const lists: Record<string, Json[]> = {
    "/collections": [
      { collection: "posts", meta: {} },
      { collection: "about", meta: { singleton: true } },
    ],
    "/fields": [
      field("id", "integer"),
      field("title", "string"),
      field("status", "string"),
      field("cover", "uuid", { interface: "file-image", special: ["file"] }),
      field("body", "text", { interface: "input-rich-text-html" }),
      field("secret", "hash", { special: ["hash", "conceal"] }),
      field("big", "bigInteger"),
      { ...field("heading", "string"), collection: "about" },
    ],
    "/relations": [],
    "/files": [{ id: FILE, filename_disk: `${FILE}.png`, filename_download: "a.png" }],
    "/items/posts": [item],
    "/items/about": [{ id: 1, heading: "About" }],
  };
  await using server = apiServer(({ pathname }, request) => {
    const isSignedIn = request.headers.get("authorization") === "Bearer static";
    if (!isSignedIn) return Response.json({}, { status: 403 });
    if (pathname === `/assets/${FILE}`) {
      return new Response(IMAGES["image/png"], { headers: { "content-type": "image/png" } });
    }
    const rows = lists[pathname];
    return rows && { data: rows };
  });
  const body = { kind: "directus", url: server.origin, token: "static" };
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  const planned = await site.transfer(id);
  assertEquals(planned.state, "planned", planned.error);
  planned.plan.media.hosts = [new URL(server.origin).host, new URL(elsewhere).host];
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan: planned.plan }), 200);

  const done = await site.run(id);

  assertEquals([done.report.created, done.report.failed, done.report.warnings], [2, 0, 0]);
  const [post] = await site.documents("posts");
  const images = post.body.filter(({ _type }: { _type: string }) => _type === "image");
  // A size of a file is the file itself.
  assertEquals(images[0].media, post.cover);
  assertEquals([post.big, "secret" in post], ["9007199254740993", false]);
  assertEquals(asked, [["/b.gif", null]]);
  const { data } = answered(await site.admin("GET", "/collections"), 200);
  assertEquals(
    data.filter(({ singleton }: { singleton?: true }) => singleton === true)
      .map(({ slug }: { slug: string }) => slug),
    ["about"],
  );
});
