/**
 * `/api/admin/media/folders` and `/api/admin/media/organize`: which folders and tags there are, and many
 * media moved and tagged at once.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { ORGANIZED_MEDIA_MAX } from "../../../kv/tuning.ts";
import { moveFolder, organizeMedia } from "../../../kv/media/organize.ts";
import { countFolders, countTags } from "../../../kv/media/folders.ts";
import { MediaFolder, MediaTags } from "../../../kv/model/entities/media_folder.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { actorOf, may } from "../admin_env.ts";

/** Which media move, and which tags they get and lose. */
export const Organize = z.strictObject({
  ids: z.array(z.string().refine(isUlid, "Must be an ID")).min(1).max(ORGANIZED_MEDIA_MAX),
  folder: MediaFolder.exactOptional(),
  addTags: MediaTags.exactOptional(),
  removeTags: MediaTags.exactOptional(),
});
/** Which folder is renamed or moved. */
export const MoveFolder = z.strictObject({
  from: MediaFolder.refine((path) => path !== ""),
  to: MediaFolder,
});

/** Folders and tags with how many media they have; moves of media and of whole folders. */
export function mediaOrganizationRoutes(
  { content: { context }, mediaList }: Pick<Deps, "content" | "mediaList">,
): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/folders", may("media.read"), async (c) => {
      const media = await mediaList.find(({ deletedAt }) => deletedAt === null);
      return c.json({ folders: countFolders(media), tags: countTags(media) });
    })
    .post("/folders/move", may("media.write"), async (c) => {
      const { from, to } = parseBody(MoveFolder, await readJsonObject(c.req.raw));
      return c.json(await moveFolder(context, actorOf(c), mediaList, from, to));
    })
    .post("/organize", may("media.write"), async (c) => {
      const { ids, ...change } = parseBody(Organize, await readJsonObject(c.req.raw));
      return c.json(await organizeMedia(context, actorOf(c), [...new Set(ids)], change));
    });
}
