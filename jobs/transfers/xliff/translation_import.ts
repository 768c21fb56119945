/**
 * TRANSLATION_IMPORT: translations that come back as XLIFF. They become drafts or, where the translation is public, its
 * working copy. Repeating the step after a crash writes the same values, which changes nothing.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import type { Content } from "../../../kv/documents/content.ts";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import { acceptTranslation } from "../../../kv/documents/translations/translation_sources.ts";
import { writeTranslation } from "../../../kv/documents/translations/translations.ts";
import { TRANSLATIONS_REPORTED_MAX } from "../../../kv/limits/transfers.ts";
import { codesOf, type Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Actor, Json } from "../../../kv/model/entities/entity.ts";
import { originalOf } from "../../../kv/model/languages/translation.ts";
import { textBefore } from "../../../kv/model/primitives/text_before.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { importPath, transferObjectsPrefix } from "../../../kv/objects/paths.ts";
import { detailLines, Refusal } from "../../../kv/refusals.ts";
import { type JobKind, jobKind, next, type OutcomeOf, type Work } from "../../runner/job_kind.ts";
import { BadSource } from "../reading/source_file.ts";
import { readableFile, unpackFiles } from "../reading/unpack.ts";
import { type OwnValues, type Texts, textsOf, withTexts } from "./document_texts.ts";
import { type Inline, isSameText, plainText } from "./inline_text.ts";
import { type ReadFile, type ReadUnit, readXliff } from "./read_xliff.ts";
import { valuesIn } from "./xliff_export.ts";

type Imported = OutcomeOf<"TRANSLATION_IMPORT", "write">;

/** What an import works with. */
interface ImportDeps {
  content: Content;
  reader: DocumentReader;
}

/** The kind of job that imports translations. */
export function translationImportKind(deps: ImportDeps): JobKind<"TRANSLATION_IMPORT"> {
  return jobKind("TRANSLATION_IMPORT", { write: (work) => write(deps, work) }, {
    concurrencyMax: 1,
  });
}

async function write(
  deps: ImportDeps,
  { context, payload, signal }: Work<"TRANSLATION_IMPORT">,
): Promise<Imported> {
  const { importId, name, userId, languages, force } = payload;
  const actor: Actor = { userId, ...(languages && { languagesOn: () => languages }) };
  const report = new ImportReport();
  for (const file of await uploadedFiles(context, importId, name)) {
    const documents = await readXliff(readableFile(context, file)).catch((error: unknown) => {
      if (!(error instanceof BadSource)) throw error;
      report.refuse(file.path, error.message);
      return [];
    });
    for (const one of documents) {
      signal.throwIfAborted();
      await importDocument(deps, actor, one, { force, report });
    }
  }
  await context.objects.delete(importPath(importId));
  for await (const { key } of context.objects.list(transferObjectsPrefix(importId))) {
    await context.objects.delete(key);
  }
  return next(report.result);
}

async function uploadedFiles(context: Context, importId: string, name: string) {
  const object = importPath(importId);
  const bytes = (await context.objects.head(object))?.bytes ?? 0;
  const files = [{ name, bytes, object }];
  return await unpackFiles(context, { id: importId, generation: "xliff", files });
}

/** What has been taken, and what has not. */
class ImportReport {
  readonly result = {
    documents: 0,
    units: 0,
    refused: 0,
    left: [] as { id: string; unit?: string; reason: string }[],
  };

  refuse(id: string, reason: string, unit?: string): void {
    this.result.refused += 1;
    if (this.result.left.length >= TRANSLATIONS_REPORTED_MAX) return;
    this.result.left.push({ id, ...(unit !== undefined && { unit }), reason });
  }
}

/** How a document is imported. */
interface ImportOptions {
  force: boolean;
  report: ImportReport;
}

async function importDocument(
  { content, reader }: ImportDeps,
  actor: Actor,
  file: ReadFile,
  { force, report }: ImportOptions,
): Promise<void> {
  const { id, targetLanguage: language } = file;
  const schema = await content.schema.current();
  const stored = isUlid(id) ? await reader.find(id) : null;
  const collection = schema.byId.get(stored?.state.collectionId ?? "");
  if (stored === null || collection === undefined || stored.state.status === "trashed") {
    return report.refuse(id, "there is no such document");
  }
  const reason = unfitLanguages(stored.state, collection, file);
  if (reason !== null) return report.refuse(id, reason);
  const original = valuesIn(stored.state, collection, file.sourceLanguage);
  const sources = textsOf(original, collection, schema.blocks);
  const taken = new Map<string, readonly Inline[]>();
  for (const { path, source, target } of file.units) {
    if (target === null || plainText(target).trim() === "") continue;
    const fault = unfitUnit(sources, { path, source }, force);
    if (fault === null) taken.set(path, target);
    else report.refuse(id, fault, path);
  }
  if (taken.size === 0) return;
  const own = valuesIn(stored.state, collection, language);
  const body = bodyOf({ original, own, taken }, collection, schema.blocks);
  try {
    const whole = wholeFields(Object.keys(body), sources, taken);
    await writeImported(content, actor, { id, language, whole }, body);
    report.result.documents += 1;
    report.result.units += taken.size;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { about = error.message, details } = error.facts;
    report.refuse(id, [about, ...detailLines(details)].join("; "));
  }
}

/** Why a file does not fit the languages of its document; null if it does. */
function unfitLanguages(
  state: DocumentState,
  collection: Collection,
  { sourceLanguage, targetLanguage }: ReadFile,
): string | null {
  const original = originalOf(state, collection) ?? "";
  if (sourceLanguage !== original) return `the document is written in ${original}`;
  const codes = codesOf(collection);
  const isKnown = targetLanguage !== original && codes.includes(targetLanguage);
  return isKnown ? null : "the document cannot be translated into this language";
}

/** Why a unit is not taken; null if it is. */
function unfitUnit(
  sources: Texts,
  { path, source }: Pick<ReadUnit, "path" | "source">,
  force: boolean,
): string | null {
  const present = sources.get(path);
  if (present === undefined) return "the text is not there any more";
  return force || isSameText(present, source) ? null : "the source has changed";
}

/**
 * The fields of which texts are taken. They keep the structure of the translation if it has all of these texts;
 * otherwise they have that of the original, with the texts that the translation has.
 */
function bodyOf(
  { original, own, taken }: { original: OwnValues; own: OwnValues; taken: Texts },
  collection: Collection,
  blocks: Parameters<typeof textsOf>[2],
): Record<string, Json> {
  const texts = textsOf(own, collection, blocks);
  const paths = [...taken.keys()];
  const names = [...new Set(paths.map((path) => textBefore(path, ".")))];
  return Object.fromEntries(names.map((name) => {
    const ofField = paths.filter((path) => textBefore(path, ".") === name);
    const base = ofField.every((path) => texts.has(path)) ? own : original;
    const value = withTexts(
      name,
      base[name] ?? null,
      collection,
      blocks,
      (path) => taken.get(path) ?? texts.get(path) ?? null,
    );
    return [name, value];
  }));
}

/** The fields of which every text is taken. */
function wholeFields(names: readonly string[], sources: Texts, taken: Texts): string[] {
  const open = new Set(
    [...sources.keys()].filter((path) => !taken.has(path)).map((path) => textBefore(path, ".")),
  );
  return names.filter((name) => !open.has(name));
}

/** Writes what was taken, and confirms whole fields that say the same as before. */
async function writeImported(
  content: Content,
  actor: Actor,
  { id, language, whole }: { id: string; language: string; whole: readonly string[] },
  body: Record<string, Json>,
): Promise<void> {
  const options = { blocks: "accept", draftsOnly: true, toWorkingCopy: true } as const;
  await writeTranslation(content, actor, id, language, body, {
    ...options,
    summary: `Translation ${language} imported`,
  });
  await acceptTranslation(content, actor, id, language, whole, options);
}
