/**
 * `/api/admin/blocks`: block definitions.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { createBlock, getBlock, patchBlock, removeBlock } from "../../../kv/schema/blocks.ts";
import { parseBlock, parseBlockPatch } from "../../../kv/model/input/block_input.ts";
import { blockImpact } from "../../../kv/schema/impact.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { isDryRun } from "../../query/dry_run.ts";
import { actorOf, may, pageOf } from "../admin_env.ts";
import { impactView } from "./impact_view.ts";

/** Block definitions by name. */
export function blockRoutes({ content }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("collections.read"), async (c) => {
      const { blocks } = await content.schema.current();
      return c.json(pageOf(c, [...blocks.values()].sort((a, b) => a.name < b.name ? -1 : 1)));
    })
    .post("/", may("collections.write"), async (c) => {
      const input = parseBlock(await readJsonObject(c.req.raw));
      const block = await createBlock(content, actorOf(c), input);
      return c.json(block, 201, { location: `/api/admin/blocks/${block.name}` });
    })
    .get("/:name", may("collections.read"), async (c) => {
      return c.json(getBlock(await content.schema.current(), c.req.param("name")));
    })
    .patch("/:name", may("collections.write"), async (c) => {
      const patch = parseBlockPatch(await readJsonObject(c.req.raw));
      return c.json(await patchBlock(content, actorOf(c), c.req.param("name"), patch));
    })
    .delete("/:name", may("collections.write"), async (c) => {
      if (isDryRun(c.req.queries())) {
        return c.json(impactView(c, await blockImpact(content, c.req.param("name"))));
      }
      await removeBlock(content, actorOf(c), c.req.param("name"));
      return c.body(null, 204);
    });
}
