/**
 * `/api/admin/example-site`: something to start from.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { SEED_JOB } from "../../../kv/people/setup.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { may } from "../admin_env.ts";

/** Makes the example site; a second time finds it there. */
export function exampleSiteRoutes({ content: { context } }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>().post("/seed", may("jobs.manage"), async (c) => {
    const operation = new Operation();
    const payload = { userId: c.get("session").userId };
    const jobId = addJob(operation, context, { type: "SEED", name: SEED_JOB, payload });
    await context.store.commit(operation);
    return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
  });
}
