/**
 * `/api/admin/settings`: all settings as one flat object.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Deps } from "../deps.ts";
import { readJsonObject } from "../input/body.ts";
import { actorOf, type AdminEnv, may } from "./admin_env.ts";

/** Settings: read all, change some. */
export function settingRoutes({ settings }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("settings.read"), async (c) => c.json(await settings.all()))
    .patch("/", may("settings.write"), async (c) => {
      await settings.patch(actorOf(c), await readJsonObject(c.req.raw));
      return c.json(await settings.all());
    });
}
