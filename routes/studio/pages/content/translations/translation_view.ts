/**
 * A translation as its form shows it: each localized field beside the original's, with how its value stands.
 *
 * @module
 */
import { SLUG_CHARS_MAX, TITLE_CHARS_MAX } from "../../../../../kv/limits/content.ts";
import { versionKey } from "../../../../../kv/keys.ts";
import { type Collection, languagesOf } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../../kv/model/entities/document.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { asJson } from "../../../../../kv/model/entities/entity_kinds.ts";
import type { NestedField } from "../../../../../kv/model/fields/field_definition.ts";
import { inLanguage, translationLaidOver } from "../../../../../kv/model/languages/in_language.ts";
import {
  originalOf,
  outdatedRoots,
  type Translation,
  translationOf,
  withTranslation,
} from "../../../../../kv/model/languages/translation.ts";
import { ownWire } from "../../../../../kv/model/languages/translation_view.ts";
import { toWire } from "../../../../../kv/model/input/document_wire.ts";
import type { VersionRow } from "../../../../../kv/versioning/entities.ts";
import { findKeptState } from "../../../../../kv/versioning/versions.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { compareFields, type FieldChange, PAGE_BLOCKS } from "../../../history/field_changes.ts";
import type { Visit } from "../../../serving/studio_env.ts";

/** How the value of a field stands; null if the original has none either. */
export type FieldStanding = "own" | "outdated" | "fallback" | "missing" | null;

/** A localized field of a document in two languages. */
export interface TranslatedField {
  field: NestedField;
  original: Json;
  /** Null if the translation has no value of its own. */
  own: Json;
  standing: FieldStanding;
  /** The language and the value that readers see instead of a missing value. */
  fallback?: { language: string; value: Json };
  /** The change of the original since the value was translated; null if that version is no longer stored. */
  change?: FieldChange | null;
}

/** The title and the URL as fields. */
const TITLE: NestedField = {
  name: "title",
  label: "Title",
  type: "text",
  required: true,
  help: "",
  options: { maxLength: TITLE_CHARS_MAX },
};
const SLUG: NestedField = {
  ...TITLE,
  name: "slug",
  label: "URL",
  required: false,
  options: { maxLength: SLUG_CHARS_MAX },
};

/** The localized fields of a document, in the order of its form. */
export async function translatedFields(
  deps: Deps,
  state: DocumentState,
  collection: Collection,
  code: string,
  visit: Visit,
): Promise<TranslatedField[]> {
  const stored = translationOf(state, code);
  const originalCode = originalOf(state, collection);
  if (stored === undefined || originalCode === undefined) return [];
  const translation = translationLaidOver(stored);
  const translated = withTranslation(state, code, translation);
  const own = ownWire(translated, collection, code) ?? {};
  const originals = ownWire(state, collection, originalCode) ?? {};
  const seen = inLanguage(translated, collection, {
    code,
    chain: languagesOf(collection)?.byCode.get(code)?.fallback ?? [],
    fills: true,
    substitutes: false,
    seesDrafts: true,
    seesWorkingCopies: true,
  });
  const shown = seen === null ? {} : toWire(seen.state, collection);
  const changes = await originalChanges(deps, state, translation, visit);
  return fieldsOf(collection, visit, [own, originals]).map((field) => {
    const value = own[field.name] ?? null;
    const change = changes.get(field.name);
    const language = seen?.fallback[field.name];
    const original = originals[field.name] ?? null;
    return {
      field,
      original,
      own: value,
      standing: standingOf({ value, original, isOutdated: change !== undefined, language }),
      ...(language !== undefined &&
        { fallback: { language, value: shown[field.name] ?? null } }),
      ...(change !== undefined && { change }),
    };
  });
}

function standingOf(
  { value, original, isOutdated, language }: {
    value: Json;
    original: Json;
    isOutdated: boolean;
    language: string | undefined;
  },
): FieldStanding {
  if (isOutdated) return "outdated";
  if (value !== null) return "own";
  if (language !== undefined) return "fallback";
  return original === null ? null : "missing";
}

function fieldsOf(
  collection: Collection,
  { schema }: Visit,
  values: Record<string, Json>[],
): NestedField[] {
  const hasBlocks = schema.blocks.size > 0 || values.some(({ blocks }) => Array.isArray(blocks));
  const localized = collection.fields.filter((field) => field.localized);
  return [TITLE, SLUG, ...localized, ...(hasBlocks ? [PAGE_BLOCKS] : [])];
}

/** The changes of the original since each outdated value was translated, by the names of the fields. */
async function originalChanges(
  deps: Deps,
  state: DocumentState,
  translation: Translation,
  visit: Visit,
): Promise<Map<string, FieldChange | null>> {
  const collection = visit.schema.byId.get(state.collectionId);
  const nameOf = (root: string) => collection?.fields.find(({ key }) => key === root)?.name ?? root;
  const outdated = outdatedRoots(state, translation);
  const byVersion = Map.groupBy(outdated, (root) => translation.beside[root]?.[1] ?? 0);
  const found = await Promise.all([...byVersion].map(async ([n, roots]) => {
    const before = await stateAt(deps, state.id, n);
    const changes = before === null
      ? []
      : await compareFields(deps, "document", asJson(before), asJson(state), visit);
    return roots.map((root) => {
      const name = nameOf(root);
      return [name, changes.find((change) => change.name === name) ?? null] as const;
    });
  }));
  return new Map(found.flat());
}

/** A document as it was in a version; null if that is no longer stored. */
async function stateAt(
  { content: { context } }: Deps,
  id: string,
  n: number,
): Promise<DocumentState | null> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
  return value === null ? null : await findKeptState(context, "document", id, value) ?? null;
}
