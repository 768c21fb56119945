/**
 * `/api/v1/media`: media for programs, listed and read.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { getMedia } from "../../kv/media/media.ts";
import type { MediaQuery } from "../../kv/media/media_list.ts";
import { Refusal } from "../../kv/refusals.ts";
import { z } from "zod";
import { seconds } from "../../kv/context.ts";
import {
  MEDIA_SIGNATURE_SECONDS_DEFAULT,
  MEDIA_SIGNATURE_SECONDS_MAX,
} from "../../kv/limits/media.ts";
import { signedMediaUrl } from "../../kv/media/signatures.ts";
import { parseBody } from "../../kv/model/input/zod_details.ts";
import { type CropPreset, presetsOf } from "../../kv/model/values/crop.ts";
import { IMAGE_PARAMETERS, parseImageRequest } from "../../kv/model/values/image_request.ts";
import { parseJsonObject, readJsonBytes } from "../input/body.ts";
import { json } from "./respond.ts";
import { parseMediaQuery } from "../query/media_query.ts";
import type { Deps } from "../deps/deps.ts";
import { formatCursor, parseCursor } from "../query/cursor.ts";
import { parameterInvalid, Parameters } from "../query/parameters.ts";
import type { bearerRoutes } from "./bearer/bearer_routes.ts";
import type { BearerCall } from "./bearer/bearer_call.ts";
import { textAnswer } from "./collection_call.ts";
import { LANGUAGE_PARAMETERS, parseAltLanguages } from "./reading/language.ts";
import { mediumIdOf, requireMedia } from "./media_call.ts";
import { headlessMedium } from "./media_view.ts";
import { mediaWriteRoutes } from "./writing/media_writes.ts";

const LIST_PARAMETERS = ["mime", "q", "sort", "page", "perPage", "cursor"] as const;

/** List, read, upload, change, delete. */
export function mediaRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const { context } = deps.content;
  return new Hono()
    .get("/media", bearer(() => [], (call) => list(deps, call)))
    .get(
      "/media/:id",
      bearer(() => [], async (call) => {
        if (!call.visibility.canSeeMedia) throw new Refusal("NOT_FOUND");
        const { languages: site } = call.schema;
        const parameters = new Parameters(new URL(call.http.req.url).search);
        const languages = parseAltLanguages(parameters, site);
        const medium = await getMedia(context, mediumIdOf(call.http));
        return textAnswer(call, JSON.stringify(headlessMedium(medium, languages)));
      }),
    )
    .post("/media/:id/sign", bearer(() => [], (call) => sign(deps, call)))
    .route("/", mediaWriteRoutes(deps, bearer));
}

const SignBody = z.strictObject({
  ttl: z.int().min(1).max(MEDIA_SIGNATURE_SECONDS_MAX).default(MEDIA_SIGNATURE_SECONDS_DEFAULT),
  w: z.int().optional(),
  h: z.int().optional(),
  q: z.int().optional(),
  fit: z.string().optional(),
  format: z.string().optional(),
  crop: z.string().optional(),
});

/** Signs the address of a file, or of an image in another size or form. */
async function sign({ content: { context }, settings }: Deps, call: BearerCall): Promise<Response> {
  const bytes = await readJsonBytes(call.http.req.raw);
  requireMedia(call, "read");
  const { ttl, ...image } = parseBody(SignBody, parseJsonObject(bytes));
  const medium = await getMedia(context, mediumIdOf(call.http));
  const query = new URLSearchParams();
  for (const name of IMAGE_PARAMETERS) {
    const value = image[name];
    if (value !== undefined) query.set(name, String(value));
  }
  const own = await settings.get<CropPreset[] | null>("media.crops");
  parseImageRequest(query, medium, { presets: presetsOf(own), accept: "" });
  const expiresAt = seconds(context) + ttl;
  const url = await signedMediaUrl(context, medium, query, expiresAt);
  return json(JSON.stringify({ url, expiresAt }), call.headers, { "cache-control": "no-store" });
}

async function list({ mediaList }: Deps, call: BearerCall): Promise<Response> {
  requireMedia(call, "read");
  const { search } = new URL(call.http.req.url);
  const parameters = new Parameters(search);
  const { languages: site } = call.schema;
  parameters.refuseMisspelled([...LIST_PARAMETERS, ...site ? LANGUAGE_PARAMETERS : []]);
  const languages = parseAltLanguages(parameters, site);
  // Forms of the admin application leave choices empty; a program that does has made a mistake.
  const empty = ["mime", "sort"].find((name) => parameters.values(name).includes(""));
  if (empty !== undefined) throw parameterInvalid(`${empty} must not be empty`);
  parameters.single("sort");
  const known = parameters.all.filter(({ name }) => LIST_PARAMETERS.some((one) => one === name));
  const params = new URLSearchParams(known.map(({ name, value }) => [name, value ?? "\ufffd"]));
  const { query, paging } = parseMediaQuery(params);
  const sort = query.sort ?? { by: "createdAt", descending: true };
  const order = `media ${sort.by} ${sort.descending}`;
  const after = cursorOf(parameters, order);
  const page = await mediaList.list(after === undefined ? query : { ...query, after });
  const { page: number, perPage } = paging;
  const next = page.next ?? null;
  const meta = after === undefined ? { page: number, perPage, total: page.total } : {
    perPage,
    total: page.total,
    nextCursor: next === null ? null : formatCursor({ id: next.id, values: [next.value] }, order),
  };
  const data = page.media.map((medium) => headlessMedium(medium, languages));
  return textAnswer(call, JSON.stringify({ data, meta }));
}

function cursorOf(parameters: Parameters, order: string): MediaQuery["after"] {
  const text = parameters.single("cursor");
  if (text === undefined) return undefined;
  if (parameters.values("page").length > 0) {
    throw new Refusal("PAGINATION_INVALID", { about: "page and cursor cannot be combined" });
  }
  const position = parseCursor(text, order, 1);
  if (position === "start") return position;
  const [value] = position.values;
  if (typeof value !== "string" && typeof value !== "number") throw new Refusal("CURSOR_INVALID");
  return { id: position.id, value };
}
