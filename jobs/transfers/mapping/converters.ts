/**
 * The conversions of a plan, loaded with their first use: parsers of other systems' texts are heavy.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldOptions } from "../../../kv/model/fields/field_definition.ts";
import type { Plan } from "../../../kv/model/transfers/plan.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import {
  type ConvertedText,
  type ConvertScope,
  type ConvertText,
  plainBlocks,
} from "../text/rich_text_builder.ts";
import type { SourceBlock } from "./source_blocks.ts";

/** Conversions to rich text. */
const LOADERS: Readonly<Record<string, () => Promise<ConvertText>>> = {
  html: async () => {
    const { htmlToBlocks } = await import("../text/html.ts");
    return (value) => htmlToBlocks(text(value));
  },
  markdown: async () => {
    const { markdownToBlocks } = await import("../text/markdown.ts");
    return (value) => markdownToBlocks(text(value));
  },
  gutenberg: async () => {
    const { gutenbergToBlocks } = await import("../text/gutenberg.ts");
    return (value, scope) => gutenbergToBlocks(text(value), scope);
  },
  lexical: async () => {
    const [{ lexicalToBlocks }, { mobiledocToBlocks }, { htmlToBlocks }] = await Promise.all([
      import("../text/lexical.ts"),
      import("../text/mobiledoc.ts"),
      import("../text/html.ts"),
    ]);
    // Older texts of the same source are Mobiledoc, or HTML.
    return (value) => {
      if (typeof value !== "string" || !value.trimStart().startsWith("{")) {
        return typeof value === "string" ? htmlToBlocks(value) : lexicalToBlocks(value);
      }
      return /"sections"\s*:/.test(value) && !/^\s*\{\s*"root"/.test(value)
        ? mobiledocToBlocks(value)
        : lexicalToBlocks(value);
    };
  },
  mobiledoc: async () => (await import("../text/mobiledoc.ts")).mobiledocToBlocks,
  contentful: async () => (await import("../text/contentful_text.ts")).contentfulToBlocks,
  portable: async () => (await import("../text/portable.ts")).portableToBlocks,
};

/** Conversions that were loaded. */
export type Converters = ReadonlyMap<string, ConvertText>;

/** Loads the conversions that a plan and the blocks of its source name. */
export async function loadConverters(
  { collections }: Pick<Plan, "collections">,
  blocks: readonly SourceBlock[],
): Promise<Converters> {
  const fields = [...collections, ...blocks].flatMap(({ fields }) => fields);
  const names = new Set(fields.map(({ convert }) => convert));
  if (fields.some(({ options }) => nestsRichText(options as FieldOptions))) {
    for (const name of ["lexical", "markdown"]) names.add(name);
  }
  // A row can say in which of its forms its text is.
  if (names.has("lexical")) {
    for (const name of ["mobiledoc", "html", "markdown"]) {
      names.add(name);
    }
  }
  // Texts inside groups and rows have no conversion of their own.
  names.add("portable");
  const loaded = new Map<string, ConvertText>();
  for (const name of names) {
    const load = name === undefined ? undefined : LOADERS[name];
    if (name !== undefined && load !== undefined) loaded.set(name, await load());
  }
  return loaded;
}

/** Whether fields inside of a field hold rich text. */
function nestsRichText({ fields = [] }: FieldOptions): boolean {
  return fields.some(({ type, options = {} }) => type === "rich_text" || nestsRichText(options));
}

/** Key of a Markdown text that has no field, and so no conversion, of its own. */
export const MARKDOWN_KEY = "_markdown";

/** Rich text of a value; by its kind if no conversion is named. */
export function convertText(
  value: Json,
  convert: string | undefined,
  converters: Converters,
  scope: ConvertScope,
): ConvertedText {
  if (Array.isArray(value)) {
    const portable = converters.get("portable");
    return portable === undefined ? { blocks: value, warnings: [] } : portable(value, scope);
  }
  if (isJsonObject(value) && typeof value[MARKDOWN_KEY] === "string") {
    return convertText(value[MARKDOWN_KEY], "markdown", converters, scope);
  }
  const named = convert ??
    (isJsonObject(value) && isJsonObject(value.root) ? "lexical" : undefined);
  const converter = named === undefined ? undefined : converters.get(named);
  if (converter !== undefined) return converter(value, scope);
  return { blocks: plainBlocks(text(value)), warnings: [] };
}

function text(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
