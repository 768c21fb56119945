/**
 * The prompt `translate`: the source of a translation, the site's glossary and style, and the bounds of each field.
 *
 * @module
 */
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { Json } from "../../kv/model/entities/entity.ts";
import { languageName } from "../../kv/model/languages/language.ts";
import type { Deps } from "../deps/deps.ts";
import type { BearerCall } from "../v1/bearer/bearer_call.ts";
import { valueSchemas } from "../v1/openapi/field_schema.ts";
import { exposedCollection, pathOf } from "./document_changes.ts";
import type { AskApi } from "./inner_api.ts";

const argsSchema = {
  collection: z.string().describe("Collection slug"),
  id: z.string().describe("Document ID"),
  language: z.string().describe("Code of the language to translate into"),
  from: z.string().optional().describe(
    "Code of the language to translate from; the original if omitted",
  ),
  fields: z.string().optional().describe("Comma-separated fields; all localized ones if omitted"),
};

/** The arguments of the prompt. */
interface PromptArguments {
  collection: string;
  id: string;
  language: string;
  from?: string | undefined;
  fields?: string | undefined;
}

/** Adds the prompt to a server. */
export function addTranslatePrompt(
  server: McpServer,
  deps: Deps,
  ask: AskApi,
  call: BearerCall,
): void {
  server.registerPrompt(
    "translate",
    {
      title: "Translate a document",
      description: "The source text with the glossary, the style and the limits of each field.",
      argsSchema,
    },
    async (given: PromptArguments) => {
      const text = await promptText(deps, ask, call, given);
      return { messages: [{ role: "user", content: { type: "text", text } }] };
    },
  );
}

async function promptText(
  { settings }: Deps,
  ask: AskApi,
  call: BearerCall,
  { collection, id, language, from, fields }: PromptArguments,
): Promise<string> {
  const found = exposedCollection(call, collection);
  const wanted = fields?.split(",");
  const isWanted = (name: string) => wanted === undefined || wanted.includes(name);
  const localized = found.fields.filter((field) => field.localized && isWanted(field.name));
  const names = ["title", ...localized.map(({ name }) => name)].filter(isWanted);
  const source = await ask(call, {
    path: pathOf(collection, id),
    query: { fields: [...names, "_language"].join(","), language: from ?? "*" },
  });
  if (!source.ok) throw new Error(String(source.json.error.message));
  const glossary = await settings.get<Json[] | null>("translation.glossary") ?? [];
  const style = await settings.get<string | null>("translation.style");
  const terms = glossary.filter((term) => appliesTo(term, language));
  const limits = Object.fromEntries(
    localized.map((field) => [field.name, valueSchemas(field).patch]),
  );
  const to = call.schema.languages?.byCode.get(language);
  const name = to === undefined ? language : languageName(to);
  return [
    `Translate this document into ${name} (${language}). Keep keys, marks and the structure of rich text.`,
    "Save the result with translate_document; people review and publish it.",
    `Source:\n${JSON.stringify(source.json, null, 2)}`,
    ...terms.length === 0 ? [] : [`Glossary:\n${JSON.stringify(terms, null, 2)}`],
    ...style === null || style === "" ? [] : [`Style:\n${style}`],
    `Limits of the fields, as JSON Schema:\n${JSON.stringify(limits, null, 2)}`,
  ].join("\n\n");
}

function appliesTo(term: Json, language: string): boolean {
  const { languages } = term as { languages?: string[] };
  return languages === undefined || languages.includes(language);
}
