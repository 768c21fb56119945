/**
 * A document as Markdown: its title, its short values as a list, its texts below.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { MARKDOWN_SHORT_CHARS_MAX } from "../input/limits.ts";

/** The Markdown of a document whose rich text is Markdown already. */
export function markdownOf(document: Record<string, Json>, { fields }: Collection): string {
  const facts = [`- status: ${document.status}`, `- slug: ${document.slug}`];
  const texts: string[] = [];
  for (const { name, label } of fields) {
    const value = document[name] ?? null;
    if (value === null) continue;
    const isText = typeof value === "string" &&
      (value.length > MARKDOWN_SHORT_CHARS_MAX || value.includes("\n"));
    if (isText) texts.push(`## ${label}\n\n${value}`);
    else facts.push(`- ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
  return [`# ${document.title}`, facts.join("\n"), ...texts].join("\n\n") + "\n";
}
