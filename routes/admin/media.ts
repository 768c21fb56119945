/**
 * `/api/admin/media`: upload, list, describe, delete and bring back.
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
  listMedia,
  patchMedia,
  undeleteMedia,
} from "../../kv/media/media.ts";
import { storeUpload, type Upload } from "../../kv/media/upload.ts";
import {
  AltText,
  MEDIA_BYTES_MAX,
  MEDIA_MIMES,
  MediaPatch,
  type MediaState,
  mediaView,
} from "../../kv/model/media.ts";
import { mediaFilename } from "../../kv/model/media_name.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps.ts";
import { readJsonObject } from "../input/body.ts";
import { closeMethods } from "../methods.ts";
import { type MultipartField, readMultipart } from "../input/multipart.ts";
import { actorOf, type AdminEnv, may, pageOf } from "./admin_env.ts";
import { z } from "zod";

const UploadFields = z.strictObject({ alt: AltText.default("") });

/** Media: limits, list, upload, change, delete, undelete. */
export function mediaRoutes(deps: Pick<Deps, "content" | "settings">): Hono<AdminEnv> {
  const { content: { context }, settings } = deps;
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
      const page = pageOf(c, await findListed(context, new URL(c.req.url).searchParams));
      return c.json({ ...page, data: page.data.map(mediaView) });
    })
    .post("/", may("media.write"), async (c) => {
      const view = mediaView(await receive(context, c));
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
    .post(
      "/:id/undelete",
      may("media.write"),
      async (c) => c.json(mediaView(await undeleteMedia(context, actorOf(c), c.req.param("id")))),
    );
}

/** `q` looks into names and alternative texts; `deleted=true` lists what may be brought back. */
async function findListed(context: Context, query: URLSearchParams): Promise<MediaState[]> {
  const deleted = query.get("deleted") ?? "false";
  if (deleted !== "true" && deleted !== "false") {
    throw invalid("deleted", "INVALID_CHOICE", "Must be true or false");
  }
  const wanted = query.get("q")?.toLowerCase() ?? "";
  const mime = query.get("mime");
  const all = await listMedia(context, { deleted: deleted === "true" });
  return all.filter((medium) =>
    (mime === null || medium.mime === mime) &&
    `${medium.filename}\n${medium.alt}`.toLowerCase().includes(wanted)
  );
}

/** Streams the file into the object store and makes a medium of it, or leaves nothing behind. */
async function receive(context: Context, c: HttpContext<AdminEnv>): Promise<MediaState> {
  let received: { upload: Upload; filename: string } | undefined;
  let fields: z.infer<typeof UploadFields>;
  try {
    const parts = await readMultipart(c.req.raw, {
      bytesMax: MEDIA_BYTES_MAX,
      fieldsMax: 10,
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
  const { upload, filename } = received;
  return await createMedia(context, actorOf(c), upload, { filename, alt: fields.alt });
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
