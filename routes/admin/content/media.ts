/**
 * `/api/admin/media`: list, describe, replace, delete and restore assets, and where they are used.
 *
 * @module
 */
import { refuseUnknownAlts } from "../../../kv/media/description.ts";
import { type Context as HttpContext, Hono } from "@hono/hono";
import { MEDIA_BYTES_MAX } from "../../../kv/limits/media.ts";
import {
  deleteMedia,
  getMedia,
  patchMedia,
  replaceMedia,
  undeleteMedia,
} from "../../../kv/media/media.ts";
import { type PublicUseDeps, refusePublicUse } from "../../../kv/media/public_uses.ts";
import { findUses } from "../../../kv/media/uses.ts";
import { interchangeable, MediaPatch, mediaView } from "../../../kv/model/entities/media.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { closeMethods } from "../../middleware/methods.ts";
import { storeOptions, uploadTypes } from "../../input/media_types.ts";
import { receiveMedia } from "../../input/media_upload.ts";
import { refuseAnnounced } from "../../input/multipart.ts";
import { actorOf, may } from "../admin_env.ts";
import { parsePaging } from "../../query/paging.ts";
import { maySomewhere } from "./document_access.ts";
import { mediaCreationRoutes } from "./media_creation.ts";
import { mediaOrganizationRoutes } from "./media_organization.ts";
import { parseMediaQuery } from "../../query/media_query.ts";
import { missingMediaRoutes } from "./missing_media.ts";

/** Refuses users who may not publish the documents that show the asset to the public. */
async function refuseShown(
  deps: PublicUseDeps,
  c: HttpContext<AdminEnv>,
  id: string,
): Promise<void> {
  const { documents, permissions, administrator } = c.get("session");
  await refusePublicUse(deps, id, {
    everywhere: documents.everywhere("publish"),
    in: (collectionId) => documents.in("publish", collectionId),
    site: administrator || permissions.has("settings.write") || documents.everywhere("publish"),
  });
}

/** Media: limits, list, upload, change, replace, uses, delete, undelete. */
export function mediaRoutes(
  deps: Pick<Deps, "content" | "packages" | "reader" | "settings" | "mediaList" | "pictures">,
): Hono<AdminEnv> {
  const { content: { context }, settings, mediaList } = deps;
  const limits = new Hono<AdminEnv>().get("/limits", may("media.read"), async (c) =>
    c.json({
      maxBytes: MEDIA_BYTES_MAX,
      allowedMimes: await uploadTypes(deps),
      transformsEnabled: await settings.get<boolean>("images.transform_enabled"),
    }));
  return new Hono<AdminEnv>()
    // Closed here, so that its other methods are not taken for those of a medium.
    .route("/", closeMethods(limits))
    .route("/", mediaCreationRoutes(deps))
    .route("/", closeMethods(mediaOrganizationRoutes(deps)))
    .get("/", may("media.read"), async (c) => {
      const { query, paging } = parseMediaQuery(new URL(c.req.url).searchParams);
      const { total, media } = await mediaList.list(query);
      return c.json({ data: media.map(mediaView), meta: { ...paging, total } });
    })
    .route("/missing", closeMethods(missingMediaRoutes(deps)))
    .get(
      "/:id",
      may("media.read"),
      async (c) => c.json(mediaView(await getMedia(context, c.req.param("id")))),
    )
    .patch("/:id", may("media.write"), async (c) => {
      const patch = parseBody(MediaPatch, await readJsonObject(c.req.raw));
      if (patch.alts !== undefined) refuseUnknownAlts(patch, await deps.content.schema.current());
      const id = c.req.param("id");
      const { focus, crops } = patch;
      const changesPages = focus !== undefined || crops !== undefined || patch.private === true;
      if (changesPages) await refuseShown(deps, c, id);
      return c.json(mediaView(await patchMedia(context, actorOf(c), id, patch)));
    })
    .delete("/:id", may("media.write"), async (c) => {
      const id = c.req.param("id");
      await refuseShown(deps, c, id);
      await deleteMedia(context, actorOf(c), id);
      return c.body(null, 204);
    })
    .put("/:id/file", may("media.write"), async (c) => {
      const id = c.req.param("id");
      refuseAnnounced(c.req.raw, MEDIA_BYTES_MAX);
      // Checked first, so that no client uploads 25 MB for an asset that does not exist.
      const { mime } = await getMedia(context, id);
      await refuseShown(deps, c, id);
      const store = await storeOptions(deps, interchangeable(mime));
      const { upload } = await receiveMedia(context, c.req.raw, store);
      return c.json(mediaView(await replaceMedia(context, actorOf(c), id, upload)));
    })
    .get("/:id/uses", may("media.read"), maySomewhere("read"), async (c) => {
      const { id } = await getMedia(context, c.req.param("id"));
      const paging = parsePaging(new URL(c.req.url).searchParams);
      const offset = (paging.page - 1) * paging.perPage;
      const { total, uses } = await findUses(deps, id, { offset, limit: paging.perPage });
      const { bySlug } = await deps.content.schema.current();
      const { documents } = c.get("session");
      const data = uses.filter(({ collection }) =>
        documents.in("read", bySlug.get(collection)?.id ?? "")
      );
      return c.json({ data, meta: { ...paging, total } });
    })
    .post(
      "/:id/undelete",
      may("media.write"),
      async (c) => c.json(mediaView(await undeleteMedia(context, actorOf(c), c.req.param("id")))),
    );
}
