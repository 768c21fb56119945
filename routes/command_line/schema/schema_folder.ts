/**
 * The folder of a schema: its files, and the lock with the tags of the places that they were pulled from.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { SchemaFiles } from "../../../kv/schema/files/schema_files.ts";
import { parseJsonAt } from "../../query/json_position.ts";
import { CodeFault, fileNames, readCode } from "./code_files.ts";
import { lineOfPosition } from "./json_line.ts";

/** Folders of definitions. */
const FOLDERS = ["collections", "blocks"] as const;
/** The folder of steps that change values. */
const STEPS = "migrations";
const LOCK = "schema.lock.json";

const Lock = z.object({
  etags: z.record(z.string(), z.string()),
  ids: z.record(z.string(), z.string()),
});

/** The lock: the tag of each place, and the ids of what is defined. */
export type SchemaLock = z.infer<typeof Lock>;

/** The text of a folder's files. */
export interface SchemaFolder {
  files: SchemaFiles;
  texts: ReadonlyMap<string, string>;
  /** Files that are no JSON: path, line and message. */
  faults: { path: string; line: number; message: string }[];
}

/** Reads the files of a folder. */
export async function readFolder(folder: string): Promise<SchemaFolder> {
  const files: SchemaFiles = {};
  const texts = new Map<string, string>();
  const faults: SchemaFolder["faults"] = [];
  for (const name of [...FOLDERS, STEPS]) {
    for (const path of await jsonPaths(folder, name)) {
      const text = await Deno.readTextFile(`${folder}/${path}`);
      texts.set(path, text);
      try {
        const value = parseJsonAt(text, (fault, position) => {
          faults.push({ path, line: lineOfPosition(text, position), message: fault });
          throw new SyntaxError(fault);
        });
        files[path] = value as Json;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
  }
  await addCode(folder, { files, texts, faults });
  return { files, texts, faults };
}

/** Adds what TypeScript files define; a collection that a JSON file defines, too, is a fault. */
async function addCode(folder: string, { files, faults }: SchemaFolder): Promise<void> {
  const { ids } = await readLock(folder);
  try {
    for (const [name, value] of await readCode(folder)) {
      if (!isJsonObject(value)) continue;
      const path = `collections/${value.slug}.json`;
      if (Object.hasOwn(files, path)) {
        faults.push({ path: name, line: 1, message: `${path} defines the same collection` });
      } else files[path] = withIds(path, value, ids);
    }
  } catch (error) {
    if (!(error instanceof CodeFault)) throw error;
    faults.push({ path: error.path, line: 1, message: error.message });
  }
}

/** A definition with the ids that the lock knows for it. */
function withIds(path: string, body: JsonObject, ids: SchemaLock["ids"]): JsonObject {
  const name = path.replace(/\.json$/, "");
  const own = (key: string) => Object.hasOwn(ids, key) ? { id: ids[key] ?? "" } : {};
  const fields = fieldsOf(body).map((field) => ({ ...own(`${name}.${field.name}`), ...field }));
  return { ...own(name), ...body, fields };
}

async function jsonPaths(folder: string, name: string): Promise<string[]> {
  return (await fileNames(`${folder}/${name}`, ".json")).map((file) => `${name}/${file}`);
}

/** Writes files to a folder, and removes definitions that are not among them; those in code stay code. */
export async function writeFolder(folder: string, pulled: SchemaFiles): Promise<void> {
  const code = [...(await readCode(folder)).values()].filter(isJsonObject);
  const inCode = new Set(code.map(({ slug }) => `collections/${slug}.json`));
  const files = Object.fromEntries(
    Object.entries(pulled).filter(([path]) => !inCode.has(path)),
  );
  for (const name of FOLDERS) await Deno.mkdir(`${folder}/${name}`, { recursive: true });
  for (const [path, value] of Object.entries(files)) await writeJson(`${folder}/${path}`, value);
  for (const name of FOLDERS) {
    for (const path of await jsonPaths(folder, name)) {
      if (!Object.hasOwn(files, path)) await Deno.remove(`${folder}/${path}`);
    }
  }
}

async function writeJson(path: string, value: Json): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The lock of a folder; an empty one if there is none. */
export async function readLock(folder: string): Promise<SchemaLock> {
  try {
    return Lock.parse(JSON.parse(await Deno.readTextFile(`${folder}/${LOCK}`)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { etags: {}, ids: {} };
    throw error;
  }
}

/** Notes the tag of a place, and the ids of its files if they are given. */
export async function writeLock(
  folder: string,
  name: string,
  etag: string,
  files?: SchemaFiles,
): Promise<void> {
  const { etags, ids } = await readLock(folder);
  const lock = { etags: { ...etags, [name]: etag }, ids: files === undefined ? ids : idsOf(files) };
  await Deno.mkdir(folder, { recursive: true });
  await writeJson(`${folder}/${LOCK}`, lock);
}

/** The ids of definitions: `collections/posts`, `collections/posts.body`. */
function idsOf(files: SchemaFiles): Record<string, string> {
  const ids: Record<string, string> = {};
  const note = (name: string, value: Json | undefined) => {
    if (isJsonObject(value) && typeof value.id === "string") ids[name] = value.id;
  };
  for (const [path, body] of Object.entries(files)) {
    const name = path.replace(/\.json$/, "");
    note(name, body);
    for (const field of fieldsOf(body)) note(`${name}.${field.name}`, field);
  }
  return ids;
}

function fieldsOf(body: Json): JsonObject[] {
  return isJsonObject(body) && Array.isArray(body.fields) ? body.fields.filter(isJsonObject) : [];
}
