/**
 * `/api/admin/media/missing`: the media whose bytes are not in the object store, and files or an archive
 * that bring them again.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { bringArchive } from "../../../kv/media/missing_archive.ts";
import {
  bringBytes,
  isKnownDigest,
  listMissing,
  type SuppliedBytes,
} from "../../../kv/media/missing_bytes.ts";
import { ALL_MIMES, mediaView } from "../../../kv/model/entities/media.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { storeOptions } from "../../input/media_types.ts";
import { pacedBody } from "../../input/arrival.ts";
import { receiveMedia } from "../../input/media_upload.ts";
import { parsePaging } from "../../query/paging.ts";
import { actorOf, administratorOnly } from "../admin_env.ts";
import { refuseOtherThanGzip } from "../system/imports.ts";

/** Missing media: list, bring one, bring many. Both ways of bringing answer how many files were good for what. */
export function missingMediaRoutes(
  deps: Pick<Deps, "content" | "mediaList" | "pictures" | "settings">,
): Hono<AdminEnv> {
  const { content: { context }, mediaList } = deps;
  return new Hono<AdminEnv>()
    .get("/", administratorOnly, async (c) => {
      const paging = parsePaging(new URL(c.req.url).searchParams);
      const { page, perPage } = paging;
      const missing = await listMissing(context);
      const data = missing.slice((page - 1) * perPage, page * perPage).map(mediaView);
      return c.json({ data, meta: { ...paging, total: missing.length } });
    })
    .post("/", administratorOnly, async (c) => {
      const store = {
        ...await storeOptions(deps, ALL_MIMES),
        keepIf: isKnownDigest(mediaList),
      };
      const { upload, filename } = await receiveMedia(context, c.req.raw, store);
      const brought = await bringBytes(context, actorOf(c), mediaList, upload, filename);
      const counts: Record<SuppliedBytes, number> = { restored: 0, replaced: 0, unneeded: 0 };
      return c.json({ ...counts, [brought]: 1 });
    })
    .post("/archive", administratorOnly, async (c) => {
      refuseOtherThanGzip(c.req.raw);
      const { body } = c.req.raw;
      if (body === null) throw new Refusal("BODY_INVALID", { about: "it is missing" });
      const { keepCredentials, check } = await storeOptions(deps, ALL_MIMES);
      const options = { mediaList, keepCredentials, check };
      return c.json(await bringArchive(context, actorOf(c), options, pacedBody(body)));
    });
}
