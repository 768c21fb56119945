/**
 * `/api/admin/state-at`: the whole site at an instant, and what became of it between two.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { SITE_TYPES } from "../../../kv/model/entities/entity_kinds.ts";
import { invalid } from "../../../kv/refusals.ts";
import { siteAt, siteDiff } from "../../../kv/history/state_at.ts";
import { Timeline } from "../../../kv/history/timeline/timeline.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { PAST_INSTANT_MAX } from "../../input/limits.ts";
import { administratorOnly } from "../admin_env.ts";

/** Reads the past: the state at an instant, and the changes that a restore would make. */
export function stateAtRoutes({ content: { context } }: Deps): Hono<AdminEnv> {
  const timeline = new Timeline(context.store);
  return new Hono<AdminEnv>()
    .use(administratorOnly)
    .get("/", async (c) => {
      const timestamp = parseInstant("timestamp", c.req.queries("timestamp"));
      return c.json(await siteAt(context, timeline.snapshot(SITE_TYPES), timestamp));
    })
    .get("/diff", async (c) => {
      const from = parseInstant("from", c.req.queries("from"));
      const to = parseInstant("to", c.req.queries("to"));
      return c.json(await siteDiff(context, timeline.snapshot(SITE_TYPES), from, to));
    });
}

function parseInstant(name: string, texts: string[] | undefined): number {
  const [text, again] = texts ?? [];
  if (text === undefined || text === "") throw invalid(name, "REQUIRED", "Required");
  if (again !== undefined || !/^-?\d{1,20}$/.test(text)) {
    throw invalid(name, "INVALID_TYPE", "Must be an integer in Unix epoch seconds");
  }
  const instant = Number(text);
  if (instant < 0) throw invalid(name, "TOO_SMALL", "Must not be negative");
  if (instant > PAST_INSTANT_MAX) {
    throw invalid(name, "TOO_LARGE", "Must be seconds, not milliseconds");
  }
  return instant;
}
