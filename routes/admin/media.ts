/**
 * `/api/admin/media`: upload, list, describe, replace, delete and bring back; and where a medium is used.
 * `POST /import` fetches a medium from an address. An upload or an import with `ifNew=true` of bytes that are in the library already answers that medium with 200.
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
import { MEDIA_BYTES_MAX } from "../../kv/limits.ts";
import {
  createMedia,
  deleteMedia,
  getMedia,
  patchMedia,
  replaceMedia,
  undeleteMedia,
} from "../../kv/media/media.ts";
import { findUses } from "../../kv/media/uses.ts";
import { MEDIA_MIMES, MediaPatch, mediaView } from "../../kv/model/media.ts";
import { MediaFolder } from "../../kv/model/media_folder.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import type { Deps } from "../deps.ts";
import { readJsonObject } from "../input/body.ts";
import { closeMethods } from "../methods.ts";
import { downloadMedia, MediaAddress } from "../input/media_download.ts";
import { type Received, receiveMedia } from "../input/media_upload.ts";
import { refuseAnnounced } from "../input/multipart.ts";
import { actorOf, type AdminEnv, may } from "./admin_env.ts";
import { parsePaging } from "../query/paging.ts";
import { maySomewhere } from "./document_access.ts";
import { mediaOrganizationRoutes } from "./media_organization.ts";
import { parseIfNew, parseMediaQuery } from "./media_query.ts";
import { missingMediaRoutes } from "./missing_media.ts";

const PlacedAddress = MediaAddress.extend({ folder: MediaFolder.optional() });

/** Media: limits, list, upload, change, replace, uses, delete, undelete. */
export function mediaRoutes(
  deps: Pick<Deps, "content" | "packages" | "reader" | "settings" | "mediaList">,
): Hono<AdminEnv> {
  const { content: { context }, settings, mediaList } = deps;
  /** Answers the medium that was made, or the one that has the bytes already. */
  async function made(c: Context<AdminEnv>, { upload, ...facts }: Received, ifNew: boolean) {
    const id = context.newId(context.now());
    const options = { id, ...(ifNew && { unlessAmong: mediaList }) };
    const medium = await createMedia(context, actorOf(c), upload, facts, options);
    const headers = { location: `/api/admin/media/${medium.id}` };
    return c.json(mediaView(medium), medium.id === id ? 201 : 200, headers);
  }
  const fetched = new Hono<AdminEnv>().post("/import", may("media.write"), async (c) => {
    const ifNew = parseIfNew(c.req.query("ifNew"));
    const { folder = "", ...from } = parseBody(PlacedAddress, await readJsonObject(c.req.raw));
    const received = await downloadMedia(deps, from);
    return await made(c, { ...received, ...(folder !== "" && { folder }) }, ifNew);
  });
  const limits = new Hono<AdminEnv>().get("/limits", may("media.read"), async (c) =>
    c.json({
      maxBytes: MEDIA_BYTES_MAX,
      allowedMimes: [...MEDIA_MIMES],
      transformsEnabled: await settings.get<boolean>("images.transform_enabled"),
    }));
  return new Hono<AdminEnv>()
    // Closed here, so that its other methods are not taken for those of a medium.
    .route("/", closeMethods(limits))
    .route("/", closeMethods(fetched))
    .route("/", closeMethods(mediaOrganizationRoutes(deps)))
    .get("/", may("media.read"), async (c) => {
      const { query, paging } = parseMediaQuery(new URL(c.req.url).searchParams);
      const { total, media } = await mediaList.list(query);
      return c.json({ data: media.map(mediaView), meta: { ...paging, total } });
    })
    .route("/missing", closeMethods(missingMediaRoutes(deps)))
    .post("/", may("media.write"), async (c) => {
      const ifNew = parseIfNew(c.req.query("ifNew"));
      return await made(c, await receiveMedia(context, c.req.raw, { placed: true }), ifNew);
    })
    .get(
      "/:id",
      may("media.read"),
      async (c) => c.json(mediaView(await getMedia(context, c.req.param("id")))),
    )
    .patch("/:id", may("media.write"), async (c) => {
      const patch = parseBody(MediaPatch, await readJsonObject(c.req.raw));
      return c.json(mediaView(await patchMedia(context, actorOf(c), c.req.param("id"), patch)));
    })
    .delete("/:id", may("media.write"), async (c) => {
      await deleteMedia(context, actorOf(c), c.req.param("id"));
      return c.body(null, 204);
    })
    .put("/:id/file", may("media.write"), async (c) => {
      const id = c.req.param("id");
      refuseAnnounced(c.req.raw, MEDIA_BYTES_MAX);
      // Asked first, so that nobody uploads 25 MB for what is not there.
      await getMedia(context, id);
      const { upload } = await receiveMedia(context, c.req.raw);
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
        documents.in("read", bySlug.get(collection)!.id)
      );
      return c.json({ data, meta: { ...paging, total } });
    })
    .post(
      "/:id/undelete",
      may("media.write"),
      async (c) => c.json(mediaView(await undeleteMedia(context, actorOf(c), c.req.param("id")))),
    );
}
