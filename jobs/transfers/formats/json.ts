/**
 * JSON files, read as a stream: an array of objects, or an object with arrays of objects; and files with one JSON
 * object on each line.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import {
  BadSource,
  type Problem,
  type ReadableFile,
  type SourceRow,
} from "../reading/source_file.ts";
import { headText, linesOf, textOf, wholeText } from "../reading/text_stream.ts";
import { baseName, filesWith, hasExtension, type TransferFormat } from "./format.ts";

/** Keys whose array holds the rows of the file itself. */
const ENVELOPES: ReadonlySet<string> = new Set([
  ...["data", "docs", "items", "results", "records", "rows", "entries"],
]);

/** JSON. */
export const json: TransferFormat = {
  kind: "json",
  matches: (files) =>
    files.some((file) => hasExtension(file, "json") || /^\s*[[{]/.test(file.head)),
  async *read({ files, facts }) {
    for (const file of filesWith(files, "json")) {
      const name = baseName(file.path);
      for await (const { key, value, problem } of elementsOf(file)) {
        const source = key === null || ENVELOPES.has(key) ? name : key;
        facts.names[source] ??= source;
        yield { source, id: null, data: value, ...(problem && { problem }) };
      }
    }
  },
};

/** One JSON object on each line. */
export const ndjson: TransferFormat = {
  kind: "ndjson",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "ndjson", "jsonl") || /^\s*\{[^\n]*\}\r?\n\s*\{/.test(file.head)
    ),
  async *read({ files, facts }) {
    for (const file of filesWith(files, "ndjson", "jsonl")) {
      const source = baseName(file.path);
      facts.names[source] ??= source;
      yield* lineRows(file, source);
    }
  },
};

/** The rows of a file with one JSON object on each line. */
export async function* lineRows(file: ReadableFile, source: string): AsyncGenerator<SourceRow> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    const wrong = (message: string): SourceRow => {
      const problem = { path: "", code: "BODY_INVALID", message: `Line ${number} ${message}` };
      return { source, id: null, data: {}, problem };
    };
    if (line === null) {
      yield wrong("is too long");
      continue;
    }
    const value = parseJson(line);
    if (isJsonObject(value)) yield { source, id: null, data: value };
    else yield wrong("is no JSON object");
  }
}

/** An object of a file. */
export interface FileElement {
  /** The key of its array; null for an array that is the file itself. */
  key: string | null;
  value: JsonObject;
  /** Set if it is no object. */
  problem?: Problem;
}

/** The objects of a file's arrays. With `isWhole`, the file is a single object, whatever arrays it has. */
export async function* elementsOf(
  file: ReadableFile,
  isWhole = false,
): AsyncGenerator<FileElement> {
  const head = (await headText(file)).trimStart().replace(/^\ufeff/, "").trimStart();
  const isArray = head.startsWith("[");
  if (!isArray && !head.startsWith("{")) throw new BadSource(`${file.path} is no JSON`);
  let count = 0;
  for await (const element of isWhole ? [] : parseStream(file, isArray ? "$.*" : "$.*.*")) {
    const { value, keys } = element;
    if (typeof keys.at(-1) !== "number") continue;
    if (isJsonObject(value)) {
      count += 1;
      yield { key: isArray ? null : String(keys.at(-2)), value };
    } else if (isArray) {
      const message = `Element ${Number(keys.at(-1)) + 1} is no JSON object`;
      yield { key: null, value: {}, problem: { path: "", code: "BODY_INVALID", message } };
    }
  }
  if (count > 0 || isArray) return;
  // An object without arrays of objects is a row itself.
  const value = parseJson((await wholeText(file)).replace(/^\ufeff/, ""));
  if (isJsonObject(value)) yield { key: null, value };
}

/** A value out of a JSON file, and the keys that lead to it. */
export interface StreamedValue {
  value: Json;
  keys: (string | number)[];
}

/** The values at a path of a JSON file, such as `$.entries.*`, one after the other. */
export async function* parseStream(
  file: ReadableFile,
  ...paths: string[]
): AsyncGenerator<StreamedValue> {
  const { JSONParser } = await import("@streamparser/json");
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 65_536 });
  const found: StreamedValue[] = [];
  let failure: Error | null = null;
  parser.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((one) => one.key), key]
      .filter((one): one is string | number => one !== undefined);
    found.push({ value: value as Json, keys });
  };
  parser.onError = (error) => void (failure ??= error);
  for await (const text of textOf(file)) {
    if (parser.isEnded) break;
    try {
      parser.write(text);
    } catch (error) {
      failure ??= error as Error;
    }
    yield* found.splice(0);
    if (failure !== null) throw notJson(file, failure);
  }
  if (!parser.isEnded) throw notJson(file, new Error("it ends too early"));
}

function notJson({ path }: ReadableFile, cause: Error): BadSource {
  return new BadSource(`${path} is no valid JSON: ${cause.message.slice(0, 200)}`, { cause });
}
