/**
 * `/api/admin/search`: rebuilds the full-text index.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { may } from "../admin_env.ts";

/** Whether a rebuild starts although none is needed. */
export const Rebuild = z.strictObject({ force: z.boolean().default(false) });

/** Rebuilds the search index; the old one is used until it is done. */
export function searchAdminRoutes({ content: { context } }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>().post("/rebuild", may("jobs.manage"), async (c) => {
    const payload = parseBody(Rebuild, await readJsonObject(c.req.raw));
    const operation = new Operation();
    const jobId = addJob(operation, context, { type: "REBUILD_SEARCH", payload });
    await context.store.commit(operation);
    return c.json({ jobId }, 202);
  });
}
