/**
 * Globals of Payload, such as a header: each is one document, in a file of its own.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { labelOf } from "../../../kv/model/transfers/plan_check.ts";
import { parseJson } from "../reading/json_text.ts";
import { BadSource, type ReadableFile, type SourceRow } from "../reading/source_file.ts";
import { headText, wholeText } from "../reading/text_stream.ts";
import type { SourceFacts } from "./format.ts";

/** Lists have their documents below this key. */
const LIST = /^\s*\{[\s\S]*"docs"\s*:\s*\[/;

/** The row of a file that holds a global; null for any other file. */
export async function globalRow(file: ReadableFile): Promise<SourceRow | null> {
  const head = await headText(file);
  if (!/^\s*\{/.test(head) || LIST.test(head)) return null;
  const value = await valueOf(file);
  if (!isJsonObject(value) || typeof value.globalType !== "string") return null;
  const { globalType: source, ...data } = value;
  // Every document has a title, and globals have no states unless they have drafts.
  return { source, id: null, data: { title: labelOf(source), _status: "published", ...data } };
}

/** Notes the name of a global, and that it is the only document of its kind. */
export function noteGlobal(facts: SourceFacts, source: string): void {
  facts.names[source] ??= labelOf(source);
  facts.singletons = [...new Set([...facts.singletons ?? [], source])];
}

/** The value in a file; null if it is larger than one row may be. */
async function valueOf(file: ReadableFile): Promise<Json> {
  try {
    return parseJson(await wholeText(file)) ?? null;
  } catch (error) {
    if (error instanceof BadSource) return null;
    throw error;
  }
}
