import { fieldChanges } from "../../../routes/studio/history/field_changes.ts";
import { assertEquals } from "../../support/assert.ts";
import { collection, field, schema } from "../../support/site.ts";

Deno.test("fieldChanges() says times, flags and images as people do", () => {
  const posts = collection("posts", [
    field("eventAt", "datetime"),
    field("featured", "boolean"),
    field("body", "rich_text"),
  ]);
  const [eventAt, featured, body] = posts.fields.map(({ key }) => key);
  const framing = { collectionId: posts.id, title: "Hello", publishAt: null };
  const before = {
    ...framing,
    data: { [eventAt!]: 1_800_000_000, [featured!]: true, [body!]: [] },
  };
  const image = { _type: "image", _key: "k1", media: "01KT1GW6G0NPAWD9RD8HSVVFHE", alt: "A lamp" };
  const after = {
    ...framing,
    publishAt: 1_800_000_000,
    data: { [eventAt!]: 1_800_003_600, [featured!]: false, [body!]: [image] },
  };

  const changes = fieldChanges("document", before, after, {
    schema: schema([posts]),
    timezone: "Europe/Vienna",
  });

  const said = changes.map(({ label, before, after }) => [label, before, after]);
  assertEquals(said, [
    ["Scheduled for", "", "15 Jan 2027, 09:00 CET"],
    ["EventAt", "15 Jan 2027, 09:00 CET", "15 Jan 2027, 10:00 CET"],
    ["Featured", "Yes", "No"],
    ["Body", "", "Image: A lamp"],
  ]);
});
