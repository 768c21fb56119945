/**
 * Payload: the documents of all collections that the token can read, as lists of its REST API have them. A published
 * document with unpublished changes has them beside it.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { LIVE_FOLDER } from "../formats/payload.ts";
import { BadSource } from "../reading/source_file.ts";
import { type ApiAnswer, jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveFile, type LiveSystem } from "./live_system.ts";

/** Documents of one answer. */
const PAGE = 100;
/** Collections that Payload keeps for itself. */
const INTERNAL = /^payload-/;
/** Fields of accounts that are no content: addresses, keys and sessions of people. */
const ACCOUNT_FIELDS: ReadonlySet<string> = new Set([
  ...["email", "username", "apiKey", "apiKeyIndex", "enableAPIKey", "sessions", "loginAttempts"],
  ...["lockUntil", "_verified", "_verificationToken", "resetPasswordExpiration", "roles"],
]);

/** Reads the REST API of Payload 2 and 3. */
export const payloadApi: LiveSystem = {
  base: (url) => `${url.replace(/\/+$/, "").replace(/\/(?:api|admin)(?:\/.*)?$/, "")}/api`,
  headers: (token) => Promise.resolve(authorization(token)),
  files: exportOf,
};

/** The header of an API key of a user, alone or as `<collection of users>:<key>`, or of a token of a session. */
function authorization(token: string): Record<string, string> {
  if (token === "") return {};
  if (/^[\w-]+ API-Key |^JWT /.test(token)) return { authorization: token };
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return bearer(token);
  const [, users = "users", key = token] = /^([\w-]+):(.+)$/.exec(token) ?? [];
  return { authorization: `${users} API-Key ${key}` };
}

async function* exportOf(api: LiveApi): AsyncGenerator<LiveFile> {
  const folder = `${new URL(api.base).host.replace(":", "-")}${LIVE_FOLDER}`;
  const { body } = await api.get("/access");
  const { collections = null, globals = null } = isJsonObject(body) ? body : {};
  if (!isJsonObject(collections)) throw new BadSource("The source is no API of Payload");
  for (const [name, access] of Object.entries(collections)) {
    if (INTERNAL.test(name) || !isJsonObject(access) || !isAllowed(access.read)) continue;
    const path = `/${encodeURIComponent(name)}`;
    const first = await api.find(pagePath(path, 1, 0));
    if (first === null) continue;
    const [one] = objectsOf(first.body, "docs");
    // Numbers do not tell which collection they count; documents that are filled in do.
    const depth = typeof one?.id === "number" ? 1 : 0;
    // Only collections of accounts can be unlocked.
    const documents = documentsOf(api, path, depth, depth === 0 ? first : null);
    const rows = "unlock" in access ? withoutAccounts(documents) : documents;
    yield { name: `${folder}/${name}.json`, content: listOf(rows) };
  }
  for (const [name, access] of Object.entries(isJsonObject(globals) ? globals : {})) {
    if (INTERNAL.test(name) || !isJsonObject(access) || !isAllowed(access.read)) continue;
    const answer = await api.find(`/globals/${encodeURIComponent(name)}?depth=1&locale=all`);
    if (answer === null || !isJsonObject(answer.body)) continue;
    const text = JSON.stringify({ ...answer.body, globalType: name });
    yield { name: `${folder}/globals/${name}.json`, content: once(text) };
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}

/** A permission, as version 3 answers it or as version 2 did. */
function isAllowed(permission: Json | undefined): boolean {
  return permission === true || isJsonObject(permission) && permission.permission === true;
}

async function* listOf(documents: AsyncIterable<JsonObject>): AsyncGenerator<string> {
  yield '{"docs":';
  yield* jsonArray(documents);
  yield "}";
}

function pagePath(path: string, page: number, depth: number): string {
  return `${path}?limit=${PAGE}&page=${page}&depth=${depth}&locale=all&draft=true`;
}

async function* documentsOf(
  api: LiveApi,
  path: string,
  depth: number,
  first: ApiAnswer | null,
): AsyncGenerator<JsonObject> {
  for (let page = 1;; page++) {
    const known = page === 1 ? first : null;
    const { body } = known ?? await api.get(pagePath(path, page, depth));
    const documents = objectsOf(body, "docs").map((one) => withAddress(one, api.base));
    const published = await publishedOf(api, path, documents, depth);
    for (const document of documents) {
      const present = published.get(String(document.id));
      yield present === undefined ? document : { ...present, _draft: document };
    }
    if (!isJsonObject(body) || body.hasNextPage !== true) return;
  }
}

/** What the public sees of documents whose newest version is a draft. */
async function publishedOf(
  api: LiveApi,
  path: string,
  documents: readonly JsonObject[],
  depth: number,
): Promise<Map<string, JsonObject>> {
  const ids = documents.filter(({ _status }) => _status === "draft").map(({ id }) => String(id));
  if (ids.length === 0) return new Map();
  const where = `where%5Bid%5D%5Bin%5D=${encodeURIComponent(ids.join(","))}`;
  const { body } = await api.get(
    `${path}?limit=${PAGE}&depth=${depth}&locale=all&draft=false&${where}`,
  );
  const published = objectsOf(body, "docs").filter(({ _status }) => _status === "published");
  return new Map(published.map((one) => [String(one.id), withAddress(one, api.base)]));
}

/** An upload with the whole address of its file. */
function withAddress(document: JsonObject, base: string): JsonObject {
  const { url, mimeType } = document;
  if (typeof url !== "string" || typeof mimeType !== "string") return document;
  return { ...document, url: URL.parse(url, base)?.href ?? url };
}

/** Users as authors: without what belongs to their accounts, and not public. */
async function* withoutAccounts(users: AsyncIterable<JsonObject>): AsyncGenerator<JsonObject> {
  for await (const { _draft: _, ...user } of users) {
    const kept = Object.entries(user).filter(([name]) => !ACCOUNT_FIELDS.has(name));
    yield { ...Object.fromEntries(kept), _status: "draft" };
  }
}
