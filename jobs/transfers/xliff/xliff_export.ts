/**
 * Documents for translators: a file of XLIFF for each one that has texts to translate into a language.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import type { TranslationExport } from "../../../kv/jobs/payloads.ts";
import { codesOf, type Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { translationLaidOver } from "../../../kv/model/languages/in_language.ts";
import {
  originalOf,
  translationOf,
  withTranslation,
} from "../../../kv/model/languages/translation.ts";
import { ownWire, standingOf } from "../../../kv/model/languages/translation_view.ts";
import { textBefore } from "../../../kv/model/primitives/text_before.ts";
import { type JobKind, jobKind, next } from "../../runner/job_kind.ts";
import { ExportScope } from "../exports/export_scope.ts";
import type { ArchiveFile } from "../exports/markdown_export.ts";
import { storeExport, zipped } from "../exports/transfer_export.ts";
import { type OwnValues, textsOf } from "./document_texts.ts";
import { writeXliff, type XliffFile } from "./write_xliff.ts";

const FILE = { filename: "translations.zip", contentType: "application/zip" };

/** The kind of job that exports texts for translators. */
export function translationExportKind(deps: {
  content: Content;
  reader: DocumentReader;
}): JobKind<"TRANSLATION_EXPORT"> {
  return jobKind("TRANSLATION_EXPORT", {
    async write({ context, payload, jobId, signal }) {
      const scope = new ExportScope(deps, await deps.content.schema.current(), payload, signal);
      const stream = zipped(xliffExport(scope, payload));
      const file = await storeExport(context, jobId, stream, FILE);
      const url = `/api/admin/translations/exports/${jobId}`;
      return next({ documents: scope.documents, ...file, url });
    },
  }, { concurrencyMax: 1 });
}

/** The files of an export into a language. */
async function* xliffExport(
  scope: ExportScope,
  { language, states }: TranslationExport,
): AsyncGenerator<ArchiveFile> {
  const collections = scope.collections.filter((one) => codesOf(one).includes(language));
  for (const collection of collections) {
    for await (const { state } of scope.documentsOf(collection)) {
      const { state: standing } = standingOf(state, collection, translationOf(state, language));
      const isWanted = standing !== null && (states?.includes(standing) ?? true);
      if (!isWanted || originalOf(state, collection) === language) continue;
      const file = xliffFile(state, collection, language, scope);
      if (file.units.length === 0) continue;
      const path = `${collection.slug}/${state.slug}.${state.id}.${language}.xlf`;
      yield { path, content: writeXliff(file) };
    }
  }
}

/** A document as translators see it: with the changes of the translation that are not public yet. */
function xliffFile(
  state: DocumentState,
  collection: Collection,
  language: string,
  { blocks }: Pick<ExportScope, "blocks">,
): XliffFile {
  const original = originalOf(state, collection) ?? "";
  const sources = textsOf(valuesIn(state, collection, original), collection, blocks);
  const targets = textsOf(valuesIn(state, collection, language), collection, blocks);
  const translation = translationOf(state, language);
  const outdated = new Set(
    translation && standingOf(state, collection, translation).outdated?.map(({ field }) => field),
  );
  return {
    id: state.id,
    original: `/${collection.slug}/${state.slug}`,
    sourceLanguage: original,
    targetLanguage: language,
    units: [...sources].map(([path, source]) => {
      const target = targets.get(path) ?? null;
      return { path, source, target, isOutdated: outdated.has(textBefore(path, ".")) };
    }),
  };
}

/** The localized values of a document in one of its languages, as translators work on them. */
export function valuesIn(
  state: DocumentState,
  collection: Collection,
  language: string,
): OwnValues {
  const translation = translationOf(state, language);
  const seen = translation === undefined
    ? state
    : withTranslation(state, language, translationLaidOver(translation));
  const { title, blocks, ...rest } = ownWire(seen, collection, language) ?? {};
  const values = collection.fields.filter(({ localized }) => localized).flatMap(({ name }) =>
    rest[name] === undefined ? [] : [[name, rest[name]]]
  );
  return {
    ...(title !== undefined && { title }),
    ...Object.fromEntries(values),
    ...(blocks !== undefined && { blocks }),
  };
}
