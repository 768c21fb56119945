/**
 * The functions of the service that a plugin's code may call, each behind a granted capability. Arguments are
 * parsed like any input; log lines and call counts are recorded with the delivery.
 *
 * @module
 */
import { firstIssue } from "../../kv/model/input/first_issue.ts";
import {
  HOST_ANSWER_BYTES_MAX,
  HOST_ANSWER_MS_MAX,
  LOG_CHARS_MAX,
  LOG_LINES_MAX,
  PIECE_BYTES_MAX,
} from "../limits.ts";
import { z } from "zod";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import {
  allowsContent,
  MAIL_SEND,
  MEDIA_READ,
  NET_HOST,
  SETTINGS_OWN,
} from "../../kv/model/entities/capability.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { toWire } from "../../kv/model/input/document_wire.ts";
import type { Actor, Json } from "../../kv/model/entities/entity.ts";
import type { PackageState } from "../../kv/model/entities/package.ts";
import { isPublished } from "../../kv/model/entities/page.ts";
import { ownConfig } from "../../kv/packages/plugin_configs.ts";

import { PluginMail } from "../../kv/jobs/payloads.ts";
import { ID_CHARS_MAX, NAME_CHARS_MAX } from "../../kv/limits/content.ts";
import { ADDRESS_CHARS_MAX, PLUGIN_MAILS_MAX } from "../../kv/limits/packages.ts";
import { PER_PAGE_MAX, POSITION_MAX } from "../../kv/limits/requests.ts";
import type { GuardedRequest } from "../network/guarded_request.ts";
import type { Publishing } from "../publishing/publishing.ts";
import type { MediaList } from "../../kv/media/media_list.ts";
import { getMedium, listMedia, pieceOfMedium } from "./media_host.ts";
import { type Host, PluginFault } from "./sandbox.ts";

/** The dependencies of a plugin's host calls. */
export interface HostParts {
  publishing: Pick<Publishing, "content" | "reader">;
  mediaList: MediaList;
  request: GuardedRequest;
}

/** The results of one call. */
export interface HostRecord {
  log: string[];
  calls: Record<string, number>;
  /** Mails that are sent once the call has succeeded. */
  mails: PluginMail[];
}

type Ask = (argument: Json, signal: AbortSignal) => Promise<Json> | Json;

const Id = z.object({ id: z.string().max(ID_CHARS_MAX) });
const Page = z.object({
  page: z.int().min(1).max(POSITION_MAX).default(1),
  perPage: z.int().min(1).max(PER_PAGE_MAX).default(20),
});
const List = Page.extend({ collection: z.string().max(NAME_CHARS_MAX) });
const Piece = Id.extend({
  offset: z.int().min(0).default(0),
  length: z.int().min(1).max(PIECE_BYTES_MAX).default(PIECE_BYTES_MAX),
});
const Mail = PluginMail.pick({ to: true, subject: true, text: true });
const Body = z.record(z.string(), z.json());
const Create = z.object({ collection: z.string().max(NAME_CHARS_MAX), body: Body });
const Update = z.object({ id: z.string().max(ID_CHARS_MAX), body: Body });
const Fetch = z.object({
  url: z.string().max(ADDRESS_CHARS_MAX),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("GET"),
  headers: z.record(z.string().regex(/^[a-zA-Z0-9-]{1,64}$/), z.string().max(ADDRESS_CHARS_MAX))
    .default({}),
  body: z.string().optional(),
});

/** The host of one call, and what the call leaves behind. */
export function hostOf(
  parts: HostParts,
  plugin: PackageState,
): { host: Host; record: HostRecord } {
  const record: HostRecord = { log: [], calls: {}, mails: [] };
  const asks = new Map<string, Ask>([
    ["log", (text) => logLine(record, text)],
    ["settings.get", () => settingsOf(parts, plugin)],
    ["content.get", (argument) => getContent(parts, plugin, parsed(Id, argument))],
    ["content.list", (argument) => listContent(parts, plugin, parsed(List, argument))],
    ["content.create", (argument) => createContent(parts, plugin, parsed(Create, argument))],
    ["content.update", (argument) => updateContent(parts, plugin, parsed(Update, argument))],
    ["media.get", (argument) => getMedium(mediaOf(parts, plugin), parsed(Id, argument).id)],
    ["media.list", (argument) => listMedia(mediaOf(parts, plugin), parsed(Page, argument))],
    ["media.bytes", (argument) => pieceOfMedium(mediaOf(parts, plugin), parsed(Piece, argument))],
    ["mail.send", (argument) => keepMail(record, plugin, parsed(Mail, argument))],
    ["net.fetch", (argument, signal) => callHost(parts, plugin, parsed(Fetch, argument), signal)],
  ]);
  const host: Host = async (name, argument, signal) => {
    const ask = asks.get(name);
    if (ask === undefined) throw new PluginFault("There is no such call");
    record.calls[name] = (record.calls[name] ?? 0) + 1;
    return await ask(argument, signal);
  };
  return { host, record };
}

function parsed<T>(schema: z.ZodType<T>, argument: Json): T {
  const result = schema.safeParse(argument);
  if (result.success) return result.data;
  const { path, message } = firstIssue(result.error);
  throw new PluginFault(`Wrong argument: ${path} ${message}`);
}

function logLine({ log }: HostRecord, text: Json): null {
  if (log.length < LOG_LINES_MAX) log.push(String(text).slice(0, LOG_CHARS_MAX));
  return null;
}

function keepMail({ mails }: HostRecord, plugin: PackageState, mail: z.infer<typeof Mail>): null {
  require(plugin.capabilities.includes(MAIL_SEND), MAIL_SEND);
  if (mails.length >= PLUGIN_MAILS_MAX) {
    throw new PluginFault(`A call may send ${PLUGIN_MAILS_MAX} mails`);
  }
  mails.push({ kind: "plugin", plugin: plugin.name, ...mail });
  return null;
}

async function settingsOf({ publishing }: HostParts, plugin: PackageState): Promise<Json> {
  require(plugin.capabilities.includes(SETTINGS_OWN), SETTINGS_OWN);
  return await ownConfig(publishing.content.context, plugin);
}

function mediaOf({ publishing, mediaList }: HostParts, plugin: PackageState) {
  require(plugin.capabilities.includes(MEDIA_READ), MEDIA_READ);
  return { context: publishing.content.context, mediaList };
}

/** A published document, or null: the same answer for what is not there and what may not be seen. */
async function getContent(
  { publishing }: HostParts,
  plugin: PackageState,
  { id }: z.infer<typeof Id>,
): Promise<Json> {
  const { content, reader } = publishing;
  require(plugin.capabilities.some((one) => one.startsWith("content:read")), "content:read");
  const stored = await reader.find(id);
  if (stored === null || !isPublished(stored.state)) return null;
  const collection = (await content.schema.current()).byId.get(stored.state.collectionId);
  if (!collection?.exposed) return null;
  if (!allowsContent(plugin.capabilities, "read", collection.slug)) return null;
  return toWire(stored.state, collection);
}

async function listContent(
  { publishing }: HostParts,
  plugin: PackageState,
  { collection: slug, page, perPage }: z.infer<typeof List>,
): Promise<Json> {
  const { content, reader } = publishing;
  require(allowsContent(plugin.capabilities, "read", slug), `content:read:${slug}`);
  const collection = await collectionOf(publishing, slug);
  const found = await content.index.list({
    collections: [collection],
    statuses: ["published"],
    sort: [{ by: "createdAt", descending: true }],
    offset: (page - 1) * perPage,
    limit: perPage,
  });
  const stored = await reader.ofPage(found);
  return {
    data: stored.map(({ state }) => toWire(state, collection)),
    meta: { page, perPage, total: found.total },
  };
}

/** A draft: what becomes public is for people to decide. */
async function createContent(
  { publishing }: HostParts,
  plugin: PackageState,
  { collection, body }: z.infer<typeof Create>,
): Promise<Json> {
  require(allowsContent(plugin.capabilities, "write", collection), `content:write:${collection}`);
  await collectionOf(publishing, collection);
  const options = { byPlugin: true };
  const draft = { ...body, status: "draft" };
  const { state } = await createDocument(
    publishing.content,
    actorOf(plugin),
    collection,
    draft,
    options,
  );
  return toWire(state, await collectionOf(publishing, collection));
}

async function updateContent(
  { publishing }: HostParts,
  plugin: PackageState,
  { id, body }: z.infer<typeof Update>,
): Promise<Json> {
  const { content, reader } = publishing;
  const stored = await reader.find(id);
  const schema = await content.schema.current();
  const collection = stored === null ? undefined : schema.byId.get(stored.state.collectionId);
  const slug = collection?.exposed ? collection.slug : "";
  require(allowsContent(plugin.capabilities, "write", slug), `content:write:${slug}`);
  const options = { collection: slug, byPlugin: true };
  const { state } = await patchDocument(content, actorOf(plugin), id, body, options);
  const wire = toWire(state, collection!);
  const mayRead = isPublished(state) && allowsContent(plugin.capabilities, "read", slug);
  return mayRead ? wire : onlyWritten(wire, body, collection!);
}

/** The fields that a plugin has just written: it may not read others, or an empty update would show any draft. */
function onlyWritten(
  wire: Record<string, Json>,
  body: Record<string, Json>,
  { fields }: Collection,
): Record<string, Json> {
  const names = ["title", "slug", ...fields.map(({ name }) => name)];
  const written = names.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(["id", ...written].map((name) => [name, wire[name] ?? null]));
}

/** The plugin stands in the change summary, as a token does. */
function actorOf({ packageId }: PackageState): Actor {
  return { userId: null, via: `plugin ${packageId}` };
}

async function callHost(
  { request }: HostParts,
  plugin: PackageState,
  { url, method, headers, body }: z.infer<typeof Fetch>,
  signal: AbortSignal,
): Promise<Json> {
  require(plugin.capabilities.includes(NET_HOST), NET_HOST);
  const { host, hostname } = URL.parse(url) ?? { host: "", hostname: "" };
  const named = plugin.hosts.includes(host) || plugin.hosts.includes(hostname);
  if (!named) throw new PluginFault(`The manifest does not name the host ${host.slice(0, 100)}`);
  const answer = await request({
    url,
    method,
    headers: withoutFraming(headers),
    ...(body !== undefined && { body: new TextEncoder().encode(body) }),
    bytesMax: HOST_ANSWER_BYTES_MAX,
    msMax: HOST_ANSWER_MS_MAX,
    signal,
  });
  const text = new TextDecoder().decode(answer.body);
  return { status: answer.status, headers: answer.headers, body: text };
}

/** Headers that decide where a request goes, or where it ends, are the client's own. */
function withoutFraming(headers: Record<string, string>): Record<string, string> {
  const own = ["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect"];
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !own.includes(name.toLowerCase()))
      .map(([name, value]) => [name, value.replace(/[\r\n\0]/g, " ")]),
  );
}

async function collectionOf(
  { content }: HostParts["publishing"],
  slug: string,
): Promise<Collection> {
  const collection = (await content.schema.current()).bySlug.get(slug);
  if (!collection?.exposed) throw new PluginFault("Unknown collection");
  return collection;
}

function require(granted: boolean, capability: string): void {
  if (!granted) throw new PluginFault(`The capability ${capability} was not granted`);
}
