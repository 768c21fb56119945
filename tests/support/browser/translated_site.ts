/**
 * A site in English, French and Arabic with an article that has text, rich text, a repeater and blocks.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import type { StudioVisit } from "./studio_visit.ts";
import { paragraph } from "../sites/multilingual.ts";

/** The languages of the site. */
export const STUDIO_LANGUAGES: Json[] = [
  { code: "en", name: "English" },
  { code: "fr", fallback: ["en"] },
  { code: "ar", fallback: ["en"] },
];

/** The fields of the articles; the rating is shared by all languages. */
const FIELDS: Record<string, Json>[] = [
  { name: "lead", label: "Lead", type: "text", required: true, localized: true },
  { name: "body", label: "Body", type: "rich_text", localized: true },
  {
    name: "facts",
    label: "Facts",
    type: "repeater",
    localized: true,
    options: {
      fields: [
        { name: "name", label: "Name", type: "text" },
        { name: "value", label: "Value", type: "text" },
      ],
    },
  },
  { name: "rating", label: "Rating", type: "number" },
];

/** Makes the site; answers the id of the article. */
export async function translatedSite({ ask }: Pick<StudioVisit, "ask">): Promise<string> {
  const must = async (method: string, path: string, body: Json) => {
    const answer = await ask(method, path, body);
    assertEquals(answer.status < 300, true, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  await must("PATCH", "/settings", { languages: STUDIO_LANGUAGES });
  await must("POST", "/collections", { slug: "articles", name: "Articles", localized: true });
  for (const field of FIELDS) await must("POST", "/collections/articles/fields", field);
  await must("POST", "/blocks", {
    name: "quote",
    label: "Quote",
    fields: [{ name: "words", label: "Words", type: "text" }],
  });
  const { id } = await must("POST", "/documents", {
    collection: "articles",
    title: "The lighthouse keeper",
    lead: "Every night the lamp is lit before the sun has gone.",
    body: paragraph("Every four hours the clockwork is wound. In between there is the log."),
    facts: [{ name: "Height", value: "31 meters" }, { name: "Built", value: "1811" }],
    blocks: [{ type: "quote", data: { words: "The sea is never quiet." } }],
    rating: 4,
  });
  return id;
}
