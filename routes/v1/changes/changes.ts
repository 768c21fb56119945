/**
 * `GET /api/v1/_changes`: the change feed, page by page, by long polling, or as a stream of events.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { ChangeElement, ChangeReader } from "../../../kv/change_feed/change_feed.ts";
import { shapeOf, type VisibilitySnapshot } from "../../../kv/changes/visibility_snapshot.ts";
import {
  CHANGES_PER_PAGE_DEFAULT,
  CHANGES_PER_PAGE_MAX,
  CHANGES_WAIT_SECONDS_MAX,
} from "../../../kv/limits/requests.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { toWire } from "../../../kv/model/input/document_wire.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import { textBefore } from "../../../kv/model/primitives/text_before.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Deps } from "../../deps/deps.ts";
import { parameterInvalid, Parameters, refuseMisspelled } from "../../query/parameters.ts";
import { asRefusal } from "../../answers/refusal_response.ts";
import { logFault } from "../../middleware/request_log.ts";
import type { bearerRoutes } from "../bearer/bearer_routes.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import { type ChangeBatch, ChangeBatches } from "./change_batches.ts";
import { eventStream, makeBatch } from "./change_stream.ts";
import { type FeedLanguage, parseFeedLanguage, sightOf } from "./feed_language.ts";
import { TokenVisibility } from "../reading/token_visibility.ts";
import { json } from "../respond.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";

/** The parameters of the feed. */
export interface ChangeQuery {
  since: string | null;
  /** Slugs; null for all that the token sees. */
  collections: string[] | null;
  limit: number;
  waitSeconds: number;
  withDocuments: boolean;
  /** The language of documents; null for originals. */
  language: FeedLanguage | null;
}

/** The feed as routes use it: for the token of a call, with documents as text. */
export interface ChangeSource {
  readonly deps: Deps;
  readonly call: BearerCall;
  readonly query: ChangeQuery;
  reader(token: TokenState, schema: Schema): ChangeReader;
  text(element: ChangeElement, schema: Schema): string;
  /**
   * The changes after a cursor at the end of the log, serialized once for all streams with the same
   * visibility.
   */
  batch(token: TokenState, schema: Schema, since: string): Promise<ChangeBatch>;
}

/** The feed's route. */
export function changeRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const caches: FeedCaches = { shapes: new WeakMap(), batches: new ChangeBatches() };
  return new Hono().get("/_changes", bearer(() => [], (call) => answer(deps, call, caches)));
}

/** Caches that all requests share. */
interface FeedCaches {
  shapes: WeakMap<Collection, string>;
  batches: ChangeBatches;
}

async function answer(deps: Deps, call: BearerCall, kept: FeedCaches): Promise<Response> {
  const isStream = acceptsEvents(call.http.req.header("accept"));
  const query = parseQuery(call, isStream);
  if (query.since === null) refuseInvisible(call, query);
  const source = sourceOf(deps, call, query, kept);
  return isStream ? await eventStream(source) : await changePage(source);
}

function sourceOf(
  deps: Deps,
  call: BearerCall,
  query: ChangeQuery,
  { shapes, batches }: FeedCaches,
): ChangeSource {
  const shape = (collection: Collection) => {
    const known = shapes.get(collection) ?? shapeOf(collection);
    shapes.set(collection, known);
    return known;
  };
  const source: ChangeSource = {
    deps,
    call,
    query,
    reader: (token, schema) => {
      const visibility: { -readonly [id in keyof VisibilitySnapshot]: VisibilitySnapshot[id] } = {};
      const tokenVisibility = new TokenVisibility(token.scopes, schema);
      for (const collection of schema.collections) {
        if (!collection.exposed) continue;
        const { statuses } = tokenVisibility.access(collection.slug);
        if (statuses.length === 0) continue;
        visibility[collection.id] = {
          slug: collection.slug,
          statuses: [...statuses],
          shape: `${shape(collection)}${query.language?.name ?? ""}`,
        };
      }
      const sight = sightOf(query.language, schema, tokenVisibility);
      return { tokenId: token.id, visibility, collections: query.collections, sight };
    },
    text: (element, schema) => elementText(deps, query, element, schema),
    batch: (token, schema, since) => {
      const { collections, withDocuments, language } = query;
      const how = [collections, withDocuments, language?.name];
      const sees = [token.id, token.scopes, schema.stamp, ...how, since];
      const make = () => makeBatch(source, token, schema, since);
      return batches.of(JSON.stringify(sees), deps.changeSignal.newest, make);
    },
  };
  return source;
}

/** An element as JSON. */
function elementText(
  deps: Deps,
  { withDocuments, language }: ChangeQuery,
  { stored, collectionId, cursor, change, collection, id, version, changedAt }: ChangeElement,
  schema: Schema,
): string {
  const head = JSON.stringify({ cursor, change, collection, id, version, changedAt });
  const current = schema.byId.get(collectionId);
  if (!withDocuments || stored === undefined || current === undefined) return head;
  const write = (state: DocumentState) => JSON.stringify(toWire(state, current));
  const document = language === null
    ? deps.reader.wireText(stored, schema.stamp, write)
    : write(stored.state);
  return `${head.slice(0, -1)},"document":${document}}`;
}

async function changePage(source: ChangeSource): Promise<Response> {
  const { deps, call, query } = source;
  const deadline = deps.content.context.now() + query.waitSeconds * 1000;
  let { since } = query;
  let { token, schema } = call;
  for (;;) {
    const page = await deps.changes.page(source.reader(token, schema), since, query.limit);
    const first = await page.elements.next();
    const remainingMs = deadline - deps.content.context.now();
    const end = page.end();
    if (!first.done || end.hasMore || remainingMs <= 0) {
      const texts = pageTexts(source, schema, first, page);
      const bytes = ReadableStream.from(texts).pipeThrough(new TextEncoderStream());
      const body = pacedAnswer(bytes);
      return json(body, call.headers, { "cache-control": "private, no-store" });
    }
    since = end.cursor;
    if (
      !(await deps.changeSignal.wait(end.stamp, remainingMs)) && deps.changeSignal.closing.aborted
    ) {
      return json(bodyOf("", end), call.headers, { "cache-control": "private, no-store" });
    }
    [token, schema] = await Promise.all([call.renewed(), deps.content.schema.current()]);
  }
}

function bodyOf(data: string, { cursor, hasMore }: { cursor: string; hasMore: boolean }): string {
  return `{"data":[${data}],"meta":${JSON.stringify({ cursor, hasMore })}}`;
}

/** The body in pieces, so that the documents of a page are not in memory together. */
async function* pageTexts(
  source: ChangeSource,
  schema: Schema,
  first: IteratorResult<ChangeElement>,
  page: Awaited<ReturnType<Deps["changes"]["page"]>>,
): AsyncGenerator<string> {
  try {
    yield '{"data":[';
    let comma = "";
    for (let step = first; !step.done; step = await page.elements.next()) {
      yield comma + source.text(step.value, schema);
      comma = ",";
    }
    const { cursor, hasMore } = page.end();
    yield `],"meta":${JSON.stringify({ cursor, hasMore })}}`;
  } catch (error) {
    logFault(source.deps.content.context.log, source.call.http, asRefusal(error));
    throw error;
  }
}

/** Refuses a request without a cursor for a collection that the token may not read. */
function refuseInvisible({ schema, visibility }: BearerCall, { collections }: ChangeQuery): void {
  for (const slug of collections ?? []) {
    if (!schema.bySlug.get(slug)?.exposed) throw new Refusal("COLLECTION_NOT_FOUND");
    if (!visibility.can(slug, "read")) throw new Refusal("FORBIDDEN");
  }
}

const CHANGE_PARAMETERS = ["since", "collection", "limit", "wait", "include"];
const LANGUAGE_PARAMETERS = ["language", "fallback"];

function parseQuery({ http, schema, visibility }: BearerCall, isStream: boolean): ChangeQuery {
  const { search, searchParams } = new URL(http.req.url);
  const known = [...CHANGE_PARAMETERS, ...schema.languages ? LANGUAGE_PARAMETERS : []];
  refuseMisspelled(searchParams.keys(), known);
  const twice = known.find((name) => name !== "collection" && searchParams.getAll(name).length > 1);
  if (twice !== undefined) throw parameterInvalid(`${twice} must be given only once`);
  const last = isStream ? http.req.header("last-event-id") : undefined;
  const include = searchParams.get("include");
  if (include !== null && include !== "none") {
    throw parameterInvalid("include must be none or omitted");
  }
  const names = searchParams.getAll("collection").flatMap((text) => text.split(","));
  return {
    since: last || searchParams.get("since"),
    collections: names.length === 0 ? null : names.filter((name) => name !== ""),
    limit: parseWhole(searchParams, "limit", CHANGES_PER_PAGE_DEFAULT, CHANGES_PER_PAGE_MAX),
    waitSeconds: parseWhole(searchParams, "wait", 0, CHANGES_WAIT_SECONDS_MAX),
    withDocuments: include === null,
    language: parseFeedLanguage(new Parameters(search), schema, visibility),
  };
}

/** A whole number from 1 on. */
function parseWhole(query: URLSearchParams, name: string, none: number, max: number): number {
  const text = query.get(name);
  if (text === null) return none;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > max) {
    throw parameterInvalid(`${name} must be an integer from 1 to ${max}`);
  }
  return number;
}

function acceptsEvents(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((type) =>
    textBefore(type, ";").trim().toLowerCase() === "text/event-stream"
  );
}
