/**
 * The media routes over a test's context, with a session that may do everything.
 *
 * @module
 */
import { DocumentRights } from "../../../kv/model/entities/document_rights.ts";
import { Hono } from "@hono/hono";
import { PictureChecker } from "../../../jobs/images/picture_checker.ts";
import type { CheckCodec, Codec } from "../../../jobs/images/codec_thread.ts";
import { ImageTransformer } from "../../../jobs/images/transformer.ts";
import { SETTINGS } from "../../../kv/model/entities/setting.ts";
import { PERMISSION_NAMES } from "../../../kv/model/entities/permission.ts";
import type { Context } from "../../../kv/context.ts";
import { MediaList } from "../../../kv/media/media_list.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { MediaView } from "../../../kv/model/entities/media.ts";
import { mediaRoutes } from "../../../routes/admin/content/media.ts";
import type { AdminEnv } from "../../../routes/deps/admin_session.ts";
import type { Deps } from "../../../routes/deps/deps.ts";
import { asRefusal, refusalResponse } from "../../../routes/answers/refusal_response.ts";
import { siteMediaRoutes } from "../../../routes/site/media.ts";
import { IMAGES } from "./images.ts";

/** Who is logged in, and what is set. */
export interface MediaAppOptions {
  permissions?: string[];
  settings?: Record<string, Json>;
  codec?: Codec;
  check?: CheckCodec;
}

/** Admin and public media routes. */
export function mediaApp(context: Context, options: MediaAppOptions = {}): Hono<AdminEnv> {
  const values = options.settings ?? {};
  const deps = {
    content: { context },
    mediaList: new MediaList(context),
    pictures: new PictureChecker(context, options.check && { codec: options.check }),
    transformer: new ImageTransformer(context, options.codec && { codec: options.codec }),
    settings: { get: (key: string) => Promise.resolve(values[key] ?? SETTINGS[key]!.initial) },
  } as unknown as Deps;
  return new Hono<AdminEnv>()
    .use(async function session(c, next) {
      c.set("session", {
        userId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        isProven: true,
        hash: "",
        permissions: new Set(options.permissions ?? PERMISSION_NAMES) as never,
        documents: new DocumentRights("", [{
          permissions: PERMISSION_NAMES.filter((name) =>
            options.permissions?.includes(name) ?? true
          ),
        }]),
        administrator: true,
      });
      await next();
    })
    .route("/api/admin/media", mediaRoutes(deps))
    .route("/media", siteMediaRoutes(deps) as never)
    .onError((error) => refusalResponse(asRefusal(error)));
}

/** A form with one file. */
export function formOf(
  bytes: Uint8Array,
  filename = "photo.png",
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), filename);
  return form;
}

/** Uploads a picture; the small PNG by default. */
export async function upload(
  app: Hono<AdminEnv>,
  bytes: Uint8Array = IMAGES["image/png"],
  filename?: string,
  fields?: Record<string, string>,
): Promise<MediaView> {
  const body = formOf(bytes, filename, fields);
  const response = await app.request("/api/admin/media", { method: "POST", body });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}

/** Keys of everything that is stored below a prefix. */
export async function objectKeys(context: Context, prefix: string): Promise<string[]> {
  return (await Array.fromAsync(context.objects.list(prefix))).map(({ key }) => key);
}
