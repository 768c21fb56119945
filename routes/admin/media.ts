/**
 * `/api/admin/media`: upload, list, describe, replace, delete and bring back; and where a medium is used.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { Context } from "../../kv/context.ts";
import {
  createMedia,
  deleteMedia,
  discard,
  getMedia,
  patchMedia,
  replaceMedia,
  undeleteMedia,
} from "../../kv/media/media.ts";
import { findUses } from "../../kv/media/uses.ts";
import { storeUpload, type Upload } from "../../kv/media/upload.ts";
import {
  AltText,
  MEDIA_BYTES_MAX,
  MEDIA_MIMES,
  MediaPatch,
  mediaView,
} from "../../kv/model/media.ts";
import { mediaFilename } from "../../kv/model/media_name.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps.ts";
import { readJsonObject } from "../input/body.ts";
import { closeMethods } from "../methods.ts";
import { type MultipartField, readMultipart, refuseAnnounced } from "../input/multipart.ts";
import { actorOf, type AdminEnv, may } from "./admin_env.ts";
import { parsePaging } from "../query/paging.ts";
import { parseMediaQuery } from "./media_query.ts";
import { z } from "zod";

const UploadFields = z.strictObject({ alt: AltText.default("") });

/** Media: limits, list, upload, change, replace, uses, delete, undelete. */
export function mediaRoutes(
  deps: Pick<Deps, "content" | "reader" | "settings" | "mediaList">,
): Hono<AdminEnv> {
  const { content: { context }, settings, mediaList } = deps;
  const limits = new Hono<AdminEnv>().get("/limits", may("media.read"), async (c) =>
    c.json({
      maxBytes: MEDIA_BYTES_MAX,
      allowedMimes: [...MEDIA_MIMES],
      transformsEnabled: await settings.get<boolean>("images.transform_enabled"),
    }));
  return new Hono<AdminEnv>()
    // Closed here, so that its other methods are not taken for those of a medium.
    .route("/", closeMethods(limits))
    .get("/", may("media.read"), async (c) => {
      const { query, paging } = parseMediaQuery(new URL(c.req.url).searchParams);
      const { total, media } = await mediaList.list(query);
      return c.json({ data: media.map(mediaView), meta: { ...paging, total } });
    })
    .post("/", may("media.write"), async (c) => {
      const { upload, filename, alt } = await receive(context, c);
      const view = mediaView(await createMedia(context, actorOf(c), upload, { filename, alt }));
      return c.json(view, 201, { location: `/api/admin/media/${view.id}` });
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
      const { upload } = await receive(context, c);
      return c.json(mediaView(await replaceMedia(context, actorOf(c), id, upload)));
    })
    .get("/:id/uses", may("media.read"), may("documents.read"), async (c) => {
      const { id } = await getMedia(context, c.req.param("id"));
      const paging = parsePaging(new URL(c.req.url).searchParams);
      const offset = (paging.page - 1) * paging.perPage;
      const { total, uses } = await findUses(deps, id, { offset, limit: paging.perPage });
      return c.json({ data: uses, meta: { ...paging, total } });
    })
    .post(
      "/:id/undelete",
      may("media.write"),
      async (c) => c.json(mediaView(await undeleteMedia(context, actorOf(c), c.req.param("id")))),
    );
}

/** What a form with a file brought. */
interface Received {
  upload: Upload;
  filename: string;
  alt: string;
}

/** Streams the file of a form into the object store, or leaves nothing behind. */
async function receive(context: Context, c: HttpContext<AdminEnv>): Promise<Received> {
  let received: { upload: Upload; filename: string } | undefined;
  let fields: z.infer<typeof UploadFields>;
  try {
    const parts = await readMultipart(c.req.raw, {
      bytesMax: MEDIA_BYTES_MAX,
      fieldsMax: 10,
      now: context.now,
      onFile: async ({ name, filename, stream }) => {
        if (name !== "file") throw invalid(name, "UNKNOWN_KEY", "Unknown part");
        const kept = mediaFilename(filename);
        received = { upload: await storeUpload(context, stream), filename: kept };
      },
    });
    fields = parseBody(UploadFields, fieldsOf(parts));
  } catch (error) {
    if (received !== undefined) await discard(context, received.upload);
    throw error;
  }
  if (received === undefined) throw invalid("file", "REQUIRED", "A file is required");
  return { ...received, alt: fields.alt };
}

function fieldsOf(parts: MultipartField[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const { name, value } of parts) {
    if (name === "file") throw invalid("file", "INVALID_TYPE", "Must be a file with a name");
    if (name in fields) throw new Refusal("BODY_INVALID", { about: "multipart: a field twice" });
    fields[name] = value;
  }
  return fields;
}
