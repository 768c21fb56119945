/** Rich text as a string: images with their words. */
import { assertEquals } from "@std/assert";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { withRichText } from "../../../../routes/v1/reading/rich_text_form.ts";

const BODY: NestedField = {
  name: "body",
  label: "Body",
  type: "rich_text",
  required: false,
  help: "",
  options: {},
};
const MEDIA = "01KT1GW6G0NPAWD9RD8HSVVFHE";

Deno.test("withRichText() gives an image its alternative text and its caption", () => {
  const image = {
    _type: "image",
    _key: "i",
    media: MEDIA,
    alt: "A [lamp]",
    caption: 'At "dusk" <',
  };
  const plain = { _type: "image", _key: "j", media: MEDIA };
  const form = (block: typeof plain, form: "html" | "markdown") =>
    withRichText([block], BODY, form, new Map());

  assertEquals(
    form(image, "html"),
    `<figure><img src="/media/${MEDIA}/image" alt="A [lamp]">` +
      "<figcaption>At &quot;dusk&quot; &lt;</figcaption></figure>",
  );
  assertEquals(
    form(image, "markdown"),
    `![A \\[lamp\\]](/media/${MEDIA}/image "At \\"dusk\\" <")`,
  );
  assertEquals(form(plain, "html"), `<figure><img src="/media/${MEDIA}/image" alt=""></figure>`);
  assertEquals(form(plain, "markdown"), `![](/media/${MEDIA}/image)`);
});
