/**
 * `/api/admin/documents`: documents of every collection and status, with their block trees.
 *
 * @module
 */
import { type Context as HttpContext, Hono, type MiddlewareHandler } from "@hono/hono";
import { seconds } from "../../../kv/context.ts";
import {
  archiveDocument,
  endPublication,
  publishDocument,
  removeDocument,
  scheduleDocument,
  unpublishDocument,
  untrashDocument,
} from "../../../kv/documents/status.ts";
import {
  createDocument,
  type DocumentWriteOptions,
  patchDocument,
  trashDocument,
} from "../../../kv/documents/documents.ts";
import { publishLanguages } from "../../../kv/documents/translations/translation_status.ts";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { framingDetails } from "../../../kv/model/input/document_input.ts";
import type { SlugForm } from "../../../kv/model/values/slug.ts";
import { listMarked } from "../../../kv/documents/lists/marked_list.ts";
import { discardWorkingCopy, patchWorkingCopy } from "../../../kv/documents/working_copy.ts";
import { workingWire } from "../../../kv/model/input/document_wire.ts";
import { hasWorkingCopy } from "../../../kv/model/entities/working_copy.ts";
import type { DocumentAction } from "../../../kv/model/entities/document_rights.ts";
import { getCollection } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { type Detail, Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { randomPage } from "../../query/random_order.ts";
import type { ListQuery } from "../../../kv/index/query/list_query.ts";
import { listMeta } from "../../query/list_meta.ts";
import { parameterInvalid } from "../../query/parameters.ts";
import { readJsonObject, readOptionalObject } from "../../input/body.ts";
import { asRefusal } from "../../answers/refusal_response.ts";
import { logFault } from "../../middleware/request_log.ts";
import { versionCondition } from "../../v1/reading/etag.ts";
import {
  allPages,
  exportedList,
  PAGE_PARAMETERS,
  parseListFormat,
} from "../../v1/reading/exported_list.ts";
import { type Included, loadIncludesOfPage } from "../../v1/reading/includes.ts";
import { projectedWire } from "../../v1/reading/projected.ts";
import { presentView } from "../../v1/reading/viewpoint.ts";
import { listBody } from "../../v1/reading/list_body.ts";
import { actorOf } from "../admin_env.ts";
import { draftsOnly, mayDocument, maySomewhere } from "./document_access.ts";
import { answer, answerContext, idOf, view, type WireOf, withRelease } from "./document_answer.ts";
import { postPreview } from "./previews.ts";
import { adminTranslationRoutes, Publication, scheduledTimes } from "./translations.ts";
import { AdminVisibility, parseDocumentList } from "./document_list_query.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** Documents: list, create, read, change, trash, and the moves between their states. */
export function adminDocumentRoutes(deps: Deps): Hono<AdminEnv> {
  const { content, reader } = deps;
  const whileOpen = refuseScheduled(deps);
  return new Hono<AdminEnv>()
    .get("/", maySomewhere("read"), (c) => listDocuments(deps, c))
    .post("/", maySomewhere("create"), async (c) => {
      const { collection, ...body } = await readJsonObject(c.req.raw);
      if (typeof collection !== "string") {
        throw missingCollection(collection, body, (await content.schema.current()).slugs);
      }
      await refuseToCreate(deps, c, collection, body.status);
      const options = await optionsOf(deps, c);
      const written = await createDocument(content, actorOf(c), collection, body, options);
      return await answer(deps, c, written, { status: 201 });
    })
    .get("/:id", mayDocument(deps, "read"), async (c) => {
      const stored = await reader.find(idOf(c));
      if (stored === null) throw new Refusal("NOT_FOUND");
      return await answer(deps, c, stored);
    })
    .get("/:id/working-copy", mayDocument(deps, "read"), async (c) => {
      const stored = await reader.find(idOf(c));
      if (stored === null) throw new Refusal("NOT_FOUND");
      const { byId } = await content.schema.current();
      const collection = byId.get(stored.state.collectionId);
      if (!hasWorkingCopy(stored.state, collection)) throw new Refusal("NOT_FOUND");
      return await answer(deps, c, stored, { wire: workingWire });
    })
    .patch("/:id/working-copy", mayDocument(deps, "edit"), whileOpen, async (c) => {
      const body = await readJsonObject(c.req.raw);
      const written = await patchWorkingCopy(
        content,
        actorOf(c),
        idOf(c),
        body,
        await optionsOf(deps, c),
      );
      return await answer(deps, c, written, { wire: workingWire });
    })
    .delete("/:id/working-copy", mayDocument(deps, "edit"), whileOpen, async (c) => {
      await discardWorkingCopy(content, actorOf(c), idOf(c), await optionsOf(deps, c));
      return c.body(null, 204);
    })
    .patch("/:id", mayDocument(deps, "edit"), whileOpen, async (c) => {
      const body = await readJsonObject(c.req.raw);
      const options = { ...await optionsOf(deps, c), trashed: true };
      return await answer(
        deps,
        c,
        await patchDocument(content, actorOf(c), idOf(c), body, options),
      );
    })
    .delete("/:id", mayDocument(deps, "delete"), whileOpen, async (c) => {
      await trashDocument(content, actorOf(c), idOf(c), await optionsOf(deps, c));
      return c.body(null, 204);
    })
    .post("/:id/preview", mayDocument(deps, "edit"), (c) => postPreview(deps, c, idOf(c)))
    .post("/:id/remove", mayDocument(deps, "delete"), whileOpen, async (c) => {
      await removeDocument(content, actorOf(c), idOf(c));
      return c.body(null, 204);
    })
    .route("/", statusRoutes(deps))
    .route("/", adminTranslationRoutes(deps));
}

/** The moves of a document between its states. */
function statusRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  return new Hono<AdminEnv>()
    .post("/:id/publish", mayDocument(deps, "publish"), async (c) => {
      const { languages } = await languagesToPublish(deps, c);
      const { jobId } = languages === undefined
        ? await publishDocument(content, actorOf(c), idOf(c))
        : await publishLanguages(content, actorOf(c), idOf(c), languages);
      return c.json({ status: "queued", jobId }, 202);
    })
    .post("/:id/unpublish", mayDocument(deps, "publish"), async (c) => {
      const { jobId } = await unpublishDocument(content, actorOf(c), idOf(c));
      return c.json({ status: "queued", jobId }, 202);
    })
    .post("/:id/archive", mayDocument(deps, "publish"), async (c) => {
      return await answer(deps, c, await archiveDocument(content, actorOf(c), idOf(c)));
    })
    .post("/:id/untrash", mayDocument(deps, "delete"), async (c) => {
      return await answer(deps, c, await untrashDocument(content, actorOf(c), idOf(c)));
    })
    .post("/:id/schedule", mayDocument(deps, "publish"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const isEmpty = body.publishAt === undefined && body.unpublishAt === undefined;
      const { publishAt, unpublishAt } = parseBody(
        scheduledTimes(seconds(content.context)),
        body,
        isEmpty ? [missing("publishAt", "Give a time to publish at, or null")] : [],
      );
      const [actor, id] = [actorOf(c), idOf(c)];
      const written = publishAt === undefined
        ? await endPublication(content, actor, id, unpublishAt ?? null)
        : await scheduleDocument(content, actor, id, publishAt, unpublishAt);
      return await answer(deps, c, written);
    });
}

/** The languages that a publication names, where the site has several; its body is not read elsewhere. */
async function languagesToPublish(
  { content }: Deps,
  c: HttpContext<AdminEnv>,
): Promise<{ languages?: string[] | "*" | undefined }> {
  if ((await content.schema.current()).languages === undefined) return {};
  return parseBody(Publication, await readOptionalObject(c.req.raw));
}

async function listDocuments(deps: Deps, c: HttpContext<AdminEnv>): Promise<Response> {
  const { content, reader } = deps;
  const [schema, releases] = await answerContext(deps);
  const visibility = new AdminVisibility(schema, c.get("session"));
  const { searchParams } = new URL(c.req.url);
  const format = parseListFormat(searchParams.getAll("format"));
  if (format !== null) { for (const name of PAGE_PARAMETERS) searchParams.delete(name); }
  const { query, request, projection, marks } = parseDocumentList(searchParams, schema, visibility);
  const list = (wanted: ListQuery) => listMarked(content, marks, wanted);
  const read = async (wanted: ListQuery) => {
    const page = request.random === null
      ? await list(wanted)
      : await randomPage(wanted, request.random, list);
    const listed = await reader.listedOfPage(page);
    const view = presentView(deps);
    const source = { view, visibility, list: (one: ListQuery) => content.index.list(one) };
    return { page, listed, included: await loadIncludesOfPage(source, projection, listed) };
  };
  const toWire = withRelease(releases);
  const writerOf = ({ included }: { included: Included }) => (stored: StoredDocument) => {
    const parts = { projection, included, blocks: schema.blocks, toWire };
    const wire: WireOf = (state, collection) => projectedWire(state, collection, parts);
    return JSON.stringify(view(schema, stored, wire));
  };
  if (format !== null) {
    const [collection, ...others] = query.collections;
    if (collection === undefined || others.length > 0) {
      throw parameterInvalid("format requires one collection");
    }
    const etag = `"${content.context.newId(content.context.now())}"`;
    const parts = { collection, format, projection, etag };
    const pages = allPages(query, read);
    return await exportedList(deps, { http: c, headers: {} }, parts, { pages, writerOf });
  }
  const shown = await read(query);
  const body = listBody({
    listed: shown.listed,
    meta: listMeta(request, shown.page),
    write: writerOf(shown),
    failed: (error) => logFault(content.context.log, c, asRefusal(error)),
  });
  return c.body(body, 200, { "content-type": "application/json" });
}

async function optionsOf(deps: Deps, c: HttpContext<AdminEnv>): Promise<DocumentWriteOptions> {
  const precondition = versionCondition(c.req.header("if-match") ?? null);
  return {
    blocks: "accept",
    draftsOnly: await draftsOnly(deps, c),
    ...(precondition && { precondition }),
  };
}

/** Users who may not publish cannot change a document in a scheduled release. */
function refuseScheduled(deps: Deps): MiddlewareHandler<AdminEnv> {
  return async function refuseScheduledMiddleware(c, next) {
    if (await draftsOnly(deps, c)) await deps.releases.refusePlanned(pathParameter(c, "id"));
    await next();
  };
}

/** A document that is created as published, or to be, takes the right to publish. */
async function refuseToCreate(
  { content }: Deps,
  c: HttpContext<AdminEnv>,
  slug: string,
  status: Json | undefined,
): Promise<void> {
  const { documents } = c.get("session");
  const isPublic = status === "published" || status === "scheduled";
  const actions: DocumentAction[] = isPublic ? ["create", "publish"] : ["create"];
  if (actions.every((action) => documents.everywhere(action))) return;
  const collection = getCollection(await content.schema.current(), slug);
  if (!actions.every((action) => documents.in(action, collection.id))) {
    throw new Refusal("FORBIDDEN");
  }
}

function missing(field: string, message: string): Detail {
  return { field, code: "REQUIRED", message };
}

/** Without a collection there are no fields to check values by; the framing is checked all the same. */
function missingCollection(
  given: Json | undefined,
  body: Record<string, Json>,
  slugs?: SlugForm,
): Refusal {
  const detail: Detail = given === undefined
    ? missing("collection", "A document needs a collection")
    : { field: "collection", code: "INVALID_TYPE", message: "Must be the slug of a collection" };
  return new Refusal("VALIDATION_FAILED", { details: [detail, ...framingDetails(body, slugs)] });
}
