/**
 * What the publishing dialog says of a document.
 */
import { assertEquals } from "@std/assert";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { testApp } from "../../support/sites/app.ts";
import { pictureForm, setUpAdmin } from "../../support/sites/backups.ts";

Deno.test("the checks before publishing find images in the body without alternative text", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const form = pictureForm();
  form.set("alt", "");
  const { json: medium } = await admin.ask("POST", "/media", undefined, form);
  await admin.ask("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "rich_text" }],
  });
  const image = (media: string, alt?: string) => ({
    _type: "image",
    media,
    ...(alt !== undefined && { alt }),
  });
  const checks = async (body: Json) => {
    const given = { collection: "posts", title: "One", body };
    const { json } = await admin.ask("POST", "/documents", given);
    const answer = await app.call("GET", `/admin/documents/${json.id}/checks`, {
      headers: { cookie: admin.cookie },
    });
    return answer.json.checks.map(({ label, message, level }: Record<string, string>) =>
      `${level} ${label}: ${message}`
    );
  };

  assertEquals(await checks([image(medium.id, "A lamp")]), []);
  assertEquals(await checks([image(medium.id, "A lamp"), image(medium.id)]), [
    `warning Body: contains ${medium.filename}, which has no alt text`,
  ]);
  assertEquals(await checks([image("01J00000000000000000000000", "A lamp")]), [
    "error Body: contains an image that was deleted",
  ]);
});

Deno.test("the publish dialog names the webhooks that its event reaches", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  for (const slug of ["posts", "pages"]) {
    await admin.ask("POST", "/collections", { slug, name: slug, fields: [] });
  }
  const webhook = (name: string, rest: Record<string, Json>) =>
    admin.ask("POST", "/webhooks", { name, url: "https://example.org/hook", ...rest });
  await webhook("First", { events: ["document.published"] });
  await webhook("Changes", { events: ["document.updated"] });
  await webhook("Pages", { events: ["document.published"], collections: ["pages"] });
  await webhook("Off", { events: ["document.published"], enabled: false });
  const audience = async (id: string) =>
    (await app.call("GET", `/admin/documents/${id}/checks`, {
      headers: { cookie: admin.cookie },
    })).json.audience;
  const { json } = await admin.ask("POST", "/documents", { collection: "posts", title: "One" });
  assertEquals(await audience(json.id), { webhooks: 1, names: ["First"] });
  await admin.ask("POST", `/documents/${json.id}/publish`);
  assertEquals(await audience(json.id), { webhooks: 1, names: ["Changes"] });
});
