/**
 * `/api/admin/releases`: releases, their documents, and publishing and reverting them.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { seconds } from "../../../kv/context.ts";
import { releasesKey } from "../../../kv/keys.ts";
import {
  parseRelease,
  parseReleasePatch,
  parseReleasePlan,
} from "../../../kv/model/entities/release.ts";
import { Refusal } from "../../../kv/refusals.ts";
import {
  beginPublication,
  beginReversal,
  checkRelease,
} from "../../../kv/releases/begin_release.ts";
import { releaseViews } from "../../../kv/releases/release_view.ts";
import { namedLanguageDetails } from "../../../kv/schema/languages.ts";
import { allSettledOrThrow } from "../../../kv/store/concurrency.ts";
import { EntityPages } from "../../../kv/versioning/entity_pages.ts";
import {
  createRelease,
  getRelease,
  patchRelease,
  putReleaseDocument,
  type ReleaseWriteOptions,
  removeRelease,
  removeReleaseDocument,
  type StoredRelease,
} from "../../../kv/releases/releases.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { versionCondition } from "../../v1/reading/etag.ts";
import { postReleasePreview } from "./previews.ts";
import { actorOf, may, readPage } from "../admin_env.ts";

/** Releases: list, make, change, remove; documents; check, preview, publish, revert. */
export function releaseRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  const pages = new EntityPages(content.context, "release", releasesKey);
  return new Hono<AdminEnv>()
    .get("/", may("documents.read"), async (c) => {
      const [schema, { data, meta }] = await allSettledOrThrow([
        content.schema.current(),
        readPage(c, pages),
      ]);
      const releases = data.map(({ state }) => state);
      return c.json({ data: await releaseViews(deps.reader, schema, releases), meta });
    })
    .post("/", may("documents.write"), async (c) => {
      const input = parseRelease(await readJsonObject(c.req.raw), seconds(content.context));
      if (input.publishAt !== null && !mayPublish(c)) throw new Refusal("FORBIDDEN");
      return await answer(deps, c, createRelease(content, actorOf(c), input), 201);
    })
    .get("/:id", may("documents.read"), async (c) => {
      return await answer(deps, c, getRelease(content, c.req.param("id")));
    })
    .patch("/:id", may("documents.write"), async (c) => {
      const patch = parseReleasePatch(await readJsonObject(c.req.raw));
      const options = optionsOf(c);
      const id = c.req.param("id");
      return await answer(deps, c, patchRelease(content, actorOf(c), id, patch, options));
    })
    .delete("/:id", may("documents.write"), async (c) => {
      await removeRelease(content, actorOf(c), c.req.param("id"), optionsOf(c));
      return c.body(null, 204);
    })
    .put("/:id/documents/:documentId", may("documents.write"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const details = namedLanguageDetails(await content.schema.current(), body);
      const plan = parseReleasePlan(body, details);
      const { id, documentId } = c.req.param();
      const options = optionsOf(c);
      return await answer(
        deps,
        c,
        putReleaseDocument(content, actorOf(c), id, documentId, plan, options),
      );
    })
    .delete("/:id/documents/:documentId", may("documents.write"), async (c) => {
      const { id, documentId } = c.req.param();
      const options = optionsOf(c);
      return await answer(
        deps,
        c,
        removeReleaseDocument(content, actorOf(c), id, documentId, options),
      );
    })
    .get("/:id/check", may("documents.read"), async (c) => {
      const checked = await checkRelease(content, c.req.param("id"));
      const documents = checked.map(({ id, action, languages, errors }) => ({
        id,
        action,
        ...(languages && { languages }),
        errors,
      }));
      const ok = documents.every(({ errors }) => errors.length === 0);
      return c.json({ ok, documents });
    })
    .route("/", releaseWorkRoutes(deps));
}

/** Previewing, publishing and reverting a release. */
function releaseWorkRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  return new Hono<AdminEnv>()
    .post("/:id/preview", may("documents.write"), async (c) => {
      return await postReleasePreview(deps, c, c.req.param("id"));
    })
    .post("/:id/publish", may("documents.publish"), async (c) => {
      const id = c.req.param("id");
      return c.json({ jobId: await beginPublication(content, actorOf(c), id, optionsOf(c)) }, 202);
    })
    .post("/:id/revert", may("documents.publish"), async (c) => {
      const id = c.req.param("id");
      return c.json({ jobId: await beginReversal(content, actorOf(c), id, optionsOf(c)) }, 202);
    });
}

/** Answers a release that is read or written; the schema is as it was when the request began. */
async function answer(
  { content, reader }: Deps,
  c: HttpContext<AdminEnv>,
  asked: Promise<StoredRelease>,
  status: 200 | 201 = 200,
): Promise<Response> {
  const [schema, { state, n }] = await allSettledOrThrow([content.schema.current(), asked]);
  const [view] = await releaseViews(reader, schema, [state]);
  const { id } = state;
  const headers = { etag: `"${id}.${n}.release"`, "cache-control": "no-store" };
  const location = `/api/admin/releases/${id}`;
  return c.json(view!, status, status === 201 ? { ...headers, location } : headers);
}

function optionsOf(c: HttpContext<AdminEnv>): ReleaseWriteOptions {
  const precondition = versionCondition(c.req.header("if-match") ?? null);
  return { draftsOnly: !mayPublish(c), ...(precondition && { precondition }) };
}

function mayPublish(c: HttpContext<AdminEnv>): boolean {
  return c.get("session").permissions.has("documents.publish");
}
