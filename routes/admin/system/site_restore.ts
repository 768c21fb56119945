/**
 * `/api/admin/restore`: puts the whole site back to an instant.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { seconds } from "../../../kv/context.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { settleAllEdits } from "../../../kv/live/settle_edits.ts";
import { requestSiteRestore } from "../../../kv/history/site_restore/request.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { proven } from "../people/sensitive_acts.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { actorOf, administratorOnly } from "../admin_env.ts";

/** The moment, and whether what was revoked since stays so; `at` is the time in seconds. */
export const siteRestore = (at: number) =>
  z.strictObject({
    timestamp: z.int().min(0).max(at, "Must not be in the future"),
    keepRevoked: z.boolean().default(false),
  });

/** Starts a restore of the site. */
export function siteRestoreRoutes({ content }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>().post("/", administratorOnly, proven("siteRestore"), async (c) => {
    const given = parseBody(
      siteRestore(seconds(content.context)),
      await readJsonObject(c.req.raw),
    );
    await settleAllEdits(content);
    return c.json({ jobId: await requestSiteRestore(content.context, actorOf(c), given) }, 202);
  });
}
