/**
 * Restoring the content of a document, or a part of it, while its status stays: over the document itself, or
 * as the working copy of a published one, which changes nothing public.
 *
 * @module
 */
import { z } from "zod";
import { documentHead, refuseIncomplete } from "../../documents/documents.ts";
import { schemaOf, stageDocument } from "../../documents/write.ts";
import { LANGUAGE_CODE_CHARS_MAX, LANGUAGES_MAX } from "../../limits/content.ts";
import { isSameOriginal } from "../../model/languages/translation.ts";
import { withLanguagesRestored, withLanguageValue } from "./language_restore.ts";
import { copyValue } from "../../model/fields/copy_value.ts";
import { RESTORED_NAMES_MAX } from "../../tuning.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import { modernized } from "../../model/fields/field_migration.ts";
import { isFramingRoot, laidOver, withEdited } from "../../model/entities/working_copy.ts";
import { customIssue } from "../../model/input/zod_details.ts";
import { invalid, Refusal } from "../../refusals.ts";
import type { SaveOptions, Transaction } from "../../versioning/transaction.ts";
import type { RestoreContext } from "./restoring.ts";

/** The part of a version to restore; all of it, including the status, by default. */
export const RestoreBody = z.strictObject({
  /** As the working copy of a published document: the whole content, or the `fields`. */
  workingCopy: z.literal(true).optional(),
  /** The whole content. */
  content: z.literal(true).optional(),
  /** `title`, `slug`, `blocks` and names of fields. */
  fields: z.array(z.string()).min(1).max(RESTORED_NAMES_MAX).optional(),
  /** Languages: translations whole, of the original its content. */
  languages: z.array(z.string().max(LANGUAGE_CODE_CHARS_MAX)).min(1).max(LANGUAGES_MAX).optional(),
}).check(({ value, issues }) => {
  if (value.content === undefined) return;
  const other = Object.keys(value).find((key) => key !== "content");
  if (other === undefined) return;
  const issue = customIssue("UNKNOWN_KEY", "content stands alone", [other]);
  issues.push({ ...issue, input: value });
});

/** See {@linkcode RestoreBody}. */
export type RestoreBody = z.infer<typeof RestoreBody>;

/** Whether a restore is of the content alone. */
export function isPartial(body: RestoreBody): boolean {
  return Object.keys(body).length > 0;
}

/** Adds the restore of a document's content to a commit. */
export async function stageContentRestore(
  transaction: Transaction,
  { content }: RestoreContext,
  { id, state }: { id: string; state: DocumentState | null },
  body: RestoreBody,
  options: SaveOptions,
): Promise<void> {
  const schema = await schemaOf(transaction, content);
  const { head, state: present, collection } = await documentHead(
    transaction,
    content,
    schema,
    id,
  );
  if (state === null) throw new Refusal("CONFLICT", { about: "the version records a deletion" });
  const then = modernized(state, collection, schema.blocks);
  if (body.workingCopy) {
    if (present.status !== "published") {
      throw new Refusal("CONFLICT", { about: `the document is ${present.status}` });
    }
    const edited = laidOver(then);
    const next = withEdited(
      present,
      body.fields === undefined
        ? edited
        : withNamed(laidOver(present), edited, body.fields, collection),
    );
    const saved = { ...options, republish: false };
    await stageDocument(transaction, content, { collection, head, after: next, options: saved });
    return;
  }
  const { languages } = body;
  const next = languages !== undefined
    ? await withLanguagesRestored(transaction, schema, collection, { present, then, languages })
    : body.fields === undefined
    ? { ...present, title: then.title, slug: then.slug, blocks: then.blocks, data: then.data }
    : withNamed(present, then, body.fields, collection);
  if (next.status === "published") await refuseIncomplete(transaction, next, collection, schema);
  const isOriginal = !isSameOriginal(present, next);
  if (isOriginal) next.updatedAt = Math.max(transaction.at, head.row.at);
  const restores = { ...options, restores: true };
  await stageDocument(transaction, content, { collection, head, after: next, options: restores });
}

/** A state with some values of another one. */
function withNamed(
  present: DocumentState,
  then: DocumentState,
  names: readonly string[],
  collection: Collection,
): DocumentState {
  let next: DocumentState = { ...present, data: { ...present.data } };
  for (const [index, name] of names.entries()) {
    const inLanguage = name.includes(".") ? withLanguageValue(next, then, name, collection) : null;
    if (inLanguage !== null) {
      next = { ...inLanguage, data: { ...inLanguage.data } };
      continue;
    }
    const { fields } = collection;
    const key = fields.find((field) => field.name === name)?.key;
    if (key !== undefined) {
      copyValue(then.data, next.data, key);
    } else if (isFramingRoot(name)) Object.assign(next, { [name]: then[name] });
    else {throw invalid(
        `fields.${index}`,
        "UNKNOWN_KEY",
        "No field of the collection has this name",
      );}
  }
  return next;
}
