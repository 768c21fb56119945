import { assertEquals } from "../../support/harness/assert.ts";
import { testApp } from "../../support/sites/app.ts";
import { IMAGES } from "../../support/sites/images.ts";

Deno.test("GET /admin/choices tells documents apart: by image, status and address", async () => {
  await using test = await testApp();
  const setUp = await test.setUp();
  const cookie = setUp.headers.get("set-cookie")!.split(";")[0]!;
  const cover = { name: "cover", label: "Cover", type: "media" };
  await test.collection({ slug: "posts", name: "Posts", fields: [cover] });
  await test.collection({ slug: "notes", name: "Notes" });
  const form = new FormData();
  form.append("file", new File([IMAGES["image/png"]], "lamp.png", { type: "image/png" }));
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const medium = (await test.call("POST", "/api/admin/media", { raw: form, headers })).json;
  const make = async (body: Record<string, string>) =>
    (await test.admin("POST", "/documents", { title: "Lamp", ...body })).json;
  const first = await make({ collection: "posts", cover: medium.id });
  await test.admin("POST", `/documents/${first.id}/publish`);
  await make({ collection: "posts" });
  await make({ collection: "notes" });
  const gone = await make({ collection: "posts", slug: "gone" });
  await test.admin("DELETE", `/documents/${gone.id}`);
  await test.runner.drain();
  const ask = async (query: string) => {
    const answer = await test.call("GET", `/admin/choices?${query}`, { headers: { cookie } });
    assertEquals(answer.status, 200, answer.text);
    return answer.json;
  };

  const { data, meta } = await ask("q=lamp&sort=createdAt&cursor=&perPage=2");
  const rest = await ask(`q=lamp&sort=createdAt&perPage=2&cursor=${meta.nextCursor}`);

  const told = [...data, ...rest.data].map((
    { title, collection, statusLabel, note, image }: Record<string, string>,
  ) => [title, collection, statusLabel, note, image]);
  assertEquals(told, [
    ["Lamp", "Posts", "Published", "/posts/lamp · changed just now", medium.url],
    ["Lamp", "Posts", "Draft", "/posts/lamp-2 · changed just now", null],
    ["Lamp", "Notes", "Draft", "/notes/lamp · changed just now", undefined],
  ]);
  assertEquals([meta.total, rest.meta.nextCursor], [3, null]);
  const one = new URLSearchParams({ filter: JSON.stringify({ id: first.id }) });
  assertEquals((await ask(one.toString())).data.length, 1);
});
