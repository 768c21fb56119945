/** The times of a document that readers see, and the default labels of fields. */
import { renderDocument } from "../../../../jobs/render/pages/document_page.ts";
import { fieldLabel } from "../../../../jobs/render/views/field_label.ts";
import { whenOf } from "../../../../jobs/render/views/when.ts";
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  published,
  rendering,
} from "../../../support/sites/site.ts";

/** 2026-04-21 18:00 UTC. */
const EVENING = 1_776_794_400;

Deno.test("whenOf() tells when a document takes place, or else when it was published, unless that is nothing to readers", () => {
  const dates = (own: Collection, others: Collection[] = []) =>
    whenOf(
      rendering([own, ...others]),
      published("fog", { starts: EVENING, opened: EVENING }),
      own,
    )?.text ?? null;
  const plain = collection("posts", [field("opened", "datetime")]);
  const authored = collection("stories", [field("author", "reference", { collection: "posts" })]);

  assertEquals(
    [
      dates(plain),
      dates(collection("events", [field("starts", "datetime")])),
      dates(collection("events", [field("opened", "datetime", { role: "date" })])),
      dates(collection("events", [field("starts", "datetime", { role: "facts" })])),
      dates({ ...plain, undated: true }),
      dates({ ...plain, singleton: true }),
      dates(plain, [authored]),
    ],
    [
      "May 28, 2026",
      "April 21, 2026 at 6:00 PM",
      "April 21, 2026 at 6:00 PM",
      "May 28, 2026",
      null,
      null,
      null,
    ],
  );
});

Deno.test("a document that takes place tells it at its top, and not again below", () => {
  const events = collection("events", [field("starts", "datetime"), field("ends", "datetime")]);
  const document = published("fog", { starts: EVENING, ends: EVENING + 3_600 });

  const text = bodyText(renderDocument(rendering([events]), document, events, NOTHING));

  assert(
    /<p class="byline">\s*<time datetime="2026-04-21T18:00:00.000Z">April 21, 2026/.test(text),
  );
  assert(text.includes("<dt>Ends</dt>") && !text.includes("<dt>Starts</dt>"), text);
});

Deno.test("others than authors are named with what they did", () => {
  const posts = collection("posts", [
    field("author", "reference"),
    field("photographer", "reference"),
  ]);
  const document = published("fog", { author: "A", photographer: "B" });
  const named = { ...NOTHING, document: (id: string) => published(id, {}, { title: id }) };

  const text = bodyText(renderDocument(rendering([posts]), document, posts, named));
  const byline = /<p class="byline">(.*?)<\/p>/s.exec(text)![1]!.replaceAll(/<[^>]*>/g, "");

  assertEquals(byline.split("\n").filter(Boolean).slice(0, 2), ["By A", "Photographer: B"]);
});

Deno.test("fieldLabel() makes words of a name that has no label", () => {
  const labels = [["inStock", "inStock"], ["tall_tower", "tall_tower"], ["sku", "SKU"]]
    .map(([name, label]) => fieldLabel({ name: name!, label: label! }));

  assertEquals(labels, ["In stock", "Tall tower", "SKU"]);
});
