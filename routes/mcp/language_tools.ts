/**
 * The tools of translators: what there is to translate, and translations that people review before they are public.
 *
 * @module
 */
import { z } from "zod";
import { writeTranslation } from "../../kv/documents/translations/translations.ts";
import { TRANSLATION_STATES } from "../../kv/index/query/language_query.ts";
import { MCP_PER_PAGE_DEFAULT, PER_PAGE_MAX } from "../../kv/limits/requests.ts";
import { translationLaidOver } from "../../kv/model/languages/in_language.ts";
import { translationOf, withTranslation } from "../../kv/model/languages/translation.ts";
import { ownWire } from "../../kv/model/languages/translation_view.ts";
import { Refusal } from "../../kv/refusals.ts";
import { actorOf } from "../v1/collection_call.ts";
import { findNamedDocument, pathOf } from "./document_changes.ts";
import type { Tool } from "./tool.ts";

const collection = z.string().describe("Collection slug");
const id = z.string().optional().describe("Document ID");
const slug = z.string().optional().describe("Document slug, as an alternative to id");
const language = z.string().describe("Code of the language, such as fr");
const state = z.enum(TRANSLATION_STATES);
const anything = z.looseObject({});

/** Tools that a site has once its content has several languages. */
export const LANGUAGE_TOOLS: readonly Tool[] = [
  {
    name: "list_translations",
    title: "List the translations of a document",
    description:
      "Lists the languages of a document, the original first, with what is missing or outdated in each.",
    input: { collection, id, slug },
    output: z.looseObject({ data: z.array(anything) }),
    action: "read",
    readOnly: true,
    needsLanguages: true,
    run: async (around, name) => {
      const id = name.id ?? (await findNamedDocument(around, name, "read")).id;
      return await around.ask(around.call, { path: `${pathOf(name.collection, id)}/translations` });
    },
  },
  {
    name: "translate_document",
    title: "Translate a document",
    description:
      "Writes a translation: title, slug and localized fields. It is saved as a draft or, if the translation is " +
      "published, as its working copy, for people to review and publish. Replaces all own values.",
    input: {
      collection,
      id,
      slug,
      language,
      body: z.record(z.string(), z.json()).describe(
        "Title, slug and localized fields in the language",
      ),
    },
    output: anything,
    action: "write",
    readOnly: false,
    needsLanguages: true,
    run: async (around, { body, language: code, ...name }) => {
      const { deps, call } = around;
      if (call.schema.languages?.byCode.has(code) !== true) throw new Refusal("NOT_FOUND");
      const { id } = await findNamedDocument(around, name, "write");
      const { status: _published, ...values } = body;
      const written = await writeTranslation(deps.content, actorOf(call), id, code, values, {
        collection: name.collection,
        replaces: true,
        toWorkingCopy: true,
      });
      const { state, collection: of } = written;
      const translation = translationOf(state, code);
      const seen = translation === undefined
        ? state
        : withTranslation(state, code, translationLaidOver(translation));
      const workingCopy = translation?.workingCopy !== undefined;
      return { ok: true, json: { workingCopy, translation: ownWire(seen, of, code) } };
    },
  },
  {
    name: "find_untranslated",
    title: "Find documents to translate",
    description:
      "Returns documents of a collection whose translation is missing, incomplete or outdated, or in the given states.",
    input: {
      collection,
      language,
      state: z.union([state, z.array(state).min(1)]).default(["missing", "incomplete", "outdated"])
        .describe("State of the translation, or several"),
      limit: z.int().min(1).max(PER_PAGE_MAX).default(MCP_PER_PAGE_DEFAULT),
      cursor: z.string().optional().describe("meta.nextCursor of the previous response"),
    },
    output: z.looseObject({ data: z.array(anything), meta: anything }),
    action: "read-drafts",
    readOnly: true,
    needsLanguages: true,
    run: ({ ask, call }, { collection, language, state, limit, cursor }) =>
      ask(call, {
        path: pathOf(collection),
        query: {
          language,
          translation: [state].flat().join(","),
          perPage: limit,
          cursor: cursor ?? "",
        },
      }),
  },
];
