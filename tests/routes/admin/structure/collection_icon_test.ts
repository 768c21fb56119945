import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { ADA, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { COLLECTION_ICONS } from "../../../../kv/model/input/collection_icon.ts";
import drawn from "../../../../routes/studio/built/icons.json" with { type: "json" };

Deno.test("a collection is shown by the icon that was chosen, else by what goes with its name", async () => {
  await using test = await testApp();
  await test.setUp();
  const create = (body: Record<string, string | null>) =>
    test.admin("POST", "/collections", { name: "Some", fields: [], ...body } as never);
  const patch = (icon: string | null) => test.admin("PATCH", "/collections/concerts", { icon });

  const chosen = answered(await create({ slug: "concerts", icon: "music" }), 201);
  const plain = answered(await create({ slug: "authors" }), 201);

  assertEquals([chosen.icon, "icon" in plain], ["music", false]);
  const cookie = (await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  })).headers.get("set-cookie")!.split(";")[0]!;
  const iconOf = async (slug: string) => {
    const { text } = await test.call("GET", "/admin", { headers: { cookie } });
    return text.split(`href="/admin/content/${slug}"`)[1]!.split("</svg>")[0]!;
  };
  assert((await iconOf("concerts")).includes(drawn.music));
  assert((await iconOf("authors")).includes(drawn.person));

  const [{ id: version }] =
    answered(await test.admin("GET", `/versions/collection/${chosen.id}`), 200).data;
  assertRefusal(await patch("skull"), 422, "VALIDATION_FAILED");
  assertEquals("icon" in answered(await patch(null), 200), false);
  assert((await iconOf("concerts")).includes(drawn.document));
  answered(await test.admin("POST", `/versions/${version}/restore`), 200);
  assertEquals(answered(await test.admin("GET", "/collections/concerts"), 200).icon, "music");
});

Deno.test("every icon that a collection may choose is drawn", () => {
  const names: Record<string, string> = drawn;
  assertEquals(COLLECTION_ICONS.filter((icon) => !names[icon]), []);
});
