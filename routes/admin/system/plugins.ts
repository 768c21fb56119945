/**
 * `/api/admin/plugins`: inspect, install, configure, enable and remove plugins, and list their
 * deliveries.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { PublisherKey } from "../../../jobs/packages/verify_package.ts";
import { listDeliveries, resendDelivery } from "../../../kv/deliveries/deliveries.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type PackageState, pluginView } from "../../../kv/model/entities/package.ts";
import { refuseCapabilitiesBeyond } from "../../../kv/model/entities/token_cover.ts";
import {
  enablePlugin,
  getPackage,
  listPackages,
  removePackage,
} from "../../../kv/packages/packages.ts";
import { putConfig, rotateSecret, shownConfig } from "../../../kv/packages/plugin_configs.ts";
import { findHealth } from "../../../kv/packages/plugin_health.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { audited } from "../people/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { isDryRun } from "../../query/dry_run.ts";
import { actorOf, may, pageOf } from "../admin_env.ts";
import { inspectPackage, startInstall } from "./package_upload.ts";

/** Plugins: list, install, read, enable, disable, configure, deliveries, remove. */
export function pluginRoutes(deps: Deps): Hono<AdminEnv> {
  const { content: { context, schema }, settings } = deps;
  const managed = may("packages.manage");
  const plugin = (id: string) => getPackage(context, "plugin", id);
  const view = (state: PackageState) => viewOf(deps, state);
  return new Hono<AdminEnv>()
    .get("/", managed, async (c) => {
      const page = pageOf(c, await listPackages(context, "plugin"));
      return c.json({ ...page, data: await Promise.all(page.data.map(view)) });
    })
    .post("/", managed, async (c) => {
      if (isDryRun(c.req.queries())) return c.json(await inspectPackage(deps, c, "plugin"));
      return c.json({ jobId: await startInstall(deps, c, "plugin") }, 202);
    })
    .get("/:id", managed, async (c) => c.json(await view(await plugin(c.req.param("id")))))
    .post("/:id/enable", managed, async (c) => {
      const { id, capabilities } = await plugin(c.req.param("id"));
      refuseCapabilitiesBeyond(c.get("session"), capabilities, await schema.current());
      return c.json(await view(await enablePlugin(context, actorOf(c), id, true)));
    })
    .post("/:id/disable", managed, async (c) => {
      const { id } = await plugin(c.req.param("id"));
      return c.json(await view(await enablePlugin(context, actorOf(c), id, false)));
    })
    .get("/:id/config", managed, async (c) => {
      return c.json(await shownConfig(context, await plugin(c.req.param("id"))));
    })
    .put("/:id/config", managed, async (c) => {
      const state = await plugin(c.req.param("id"));
      await putConfig(context, actorOf(c), state, await readJsonObject(c.req.raw));
      return c.json(await shownConfig(context, state));
    })
    .post("/:id/secret", managed, async (c) => {
      const state = await plugin(c.req.param("id"));
      audited(c, "plugin_secret");
      return c.json({ secret: await rotateSecret(context, actorOf(c), state) });
    })
    .get("/:id/deliveries", managed, async (c) => {
      const { id } = await plugin(c.req.param("id"));
      return c.json(pageOf(c, await listDeliveries(context, id)));
    })
    .post("/:id/deliveries/:deliveryId/resend", managed, async (c) => {
      const { id } = await plugin(c.req.param("id"));
      const recipient = { kind: "plugin" as const, receiverId: id };
      return c.json(await resendDelivery(context, recipient, c.req.param("deliveryId")), 202);
    })
    .delete("/:id", managed, async (c) => {
      const { id } = await plugin(c.req.param("id"));
      await removePackage({ context, settings }, actorOf(c), "plugin", id);
      return c.body(null, 204);
    });
}

async function viewOf(
  { content: { context }, settings }: Deps,
  state: PackageState,
): Promise<Record<string, Json>> {
  const publishers = await settings.get<PublisherKey[]>("packages.publishers");
  const revoked = publishers.some(({ id, revoked }) => id === state.publisher && revoked);
  return pluginView(state, await findHealth(context, state.id), !revoked);
}
