/**
 * `/api/v1/media`: media for programs, listed and read.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { getMedia } from "../../kv/media/media.ts";
import type { MediaQuery } from "../../kv/media/media_list.ts";
import { Refusal } from "../../kv/refusals.ts";
import { parseMediaQuery } from "../query/media_query.ts";
import type { Deps } from "../deps/deps.ts";
import { formatCursor, parseCursor } from "../query/cursor.ts";
import { parameterInvalid, Parameters } from "../query/parameters.ts";
import type { bearerRoutes } from "./bearer/bearer_routes.ts";
import type { BearerCall } from "./bearer/bearer_call.ts";
import { textAnswer } from "./collection_call.ts";
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
        const medium = await getMedia(context, mediumIdOf(call.http));
        return textAnswer(call, JSON.stringify(headlessMedium(medium)));
      }),
    )
    .route("/", mediaWriteRoutes(deps, bearer));
}

async function list({ mediaList }: Deps, call: BearerCall): Promise<Response> {
  requireMedia(call, "read");
  const { search } = new URL(call.http.req.url);
  const parameters = new Parameters(search);
  parameters.refuseMisspelled(LIST_PARAMETERS);
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
  const data = page.media.map(headlessMedium);
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
