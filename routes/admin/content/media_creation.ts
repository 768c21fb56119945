/**
 * New media: `POST /api/admin/media` takes a form with a file, `POST /api/admin/media/import` the address of
 * one. With `ifNew=true`, bytes that are in the library already answer their medium with 200.
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
import { createMedia } from "../../../kv/media/media.ts";
import { mediaView } from "../../../kv/model/entities/media.ts";
import { MediaFolder } from "../../../kv/model/entities/media_folder.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { downloadMedia, MediaAddress } from "../../input/media_download.ts";
import { storeOptions } from "../../input/media_types.ts";
import { type Received, receiveMedia } from "../../input/media_upload.ts";
import { closeMethods } from "../../middleware/methods.ts";
import { actorOf, may } from "../admin_env.ts";
import { parseIfNew } from "../../query/media_query.ts";

/** A file on the web, and where it goes. */
export const PlacedAddress = MediaAddress.extend({ folder: MediaFolder.optional() });

/** Upload and import. */
export function mediaCreationRoutes(
  deps: Pick<Deps, "content" | "mediaList" | "packages" | "pictures" | "settings">,
): Hono<AdminEnv> {
  const { content: { context }, mediaList } = deps;
  /** Answers the medium that was made, or the one that has the bytes already. */
  async function made(c: Context<AdminEnv>, { upload, ...facts }: Received, ifNew: boolean) {
    const id = context.newId(context.now());
    const options = { id, ...(ifNew && { unlessAmong: mediaList }) };
    const medium = await createMedia(context, actorOf(c), upload, facts, options);
    const headers = { location: `/api/admin/media/${medium.id}` };
    return c.json(mediaView(medium), medium.id === id ? 201 : 200, headers);
  }
  const fetched = new Hono<AdminEnv>().post("/import", may("media.write"), async (c) => {
    const ifNew = parseIfNew(c.req.query());
    const { folder = "", ...from } = parseBody(PlacedAddress, await readJsonObject(c.req.raw));
    const received = await downloadMedia(deps, from);
    return await made(c, { ...received, ...(folder !== "" && { folder }) }, ifNew);
  });
  return new Hono<AdminEnv>()
    // Closed here, so that its other methods are not taken for those of a medium.
    .route("/", closeMethods(fetched))
    .post("/", may("media.write"), async (c) => {
      const ifNew = parseIfNew(c.req.query());
      const options = { ...await storeOptions(deps), placed: true };
      return await made(c, await receiveMedia(context, c.req.raw, options), ifNew);
    });
}
