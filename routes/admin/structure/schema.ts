/**
 * `/api/admin/schema`: the schema as files, compared, pushed and reverted, by sessions and by API tokens with
 * the scope `*`.
 *
 * @module
 */
import { type Context as HttpContext, Hono, type Next } from "@hono/hono";
import { z } from "zod";
import { findJob } from "../../../kv/jobs/jobs.ts";
import { SCHEMA_FILES_MAX } from "../../../kv/limits/content.ts";
import type { Actor } from "../../../kv/model/entities/entity.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { type SchemaFiles, schemaFiles, schemaTag } from "../../../kv/schema/files/schema_files.ts";
import {
  beginPush,
  beginRevert,
  checkPush,
  diffSchema,
} from "../../../kv/schema/files/schema_push.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { actorOf } from "../admin_env.ts";
import { markPermission } from "../admin_permission.ts";
import { sessionOrToken } from "../meta/token_access.ts";
import { parseSiteFiles, SITE_FILES, siteFiles } from "./site_files.ts";

const Files = z.record(z.string(), z.json())
  .refine((files) => Object.keys(files).length <= SCHEMA_FILES_MAX, {
    message: `At most ${SCHEMA_FILES_MAX} files`,
    params: { code: "TOO_LARGE" },
  });
/** The files that are compared. */
export const DiffBody = z.strictObject({ files: Files });
/** The files that are pushed. */
export const PushBody = z.strictObject({
  files: Files,
  etag: z.string().nullable().default(null),
  allowLoss: z.boolean().default(false),
  delete: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

/** Pull, compare, push, revert. */
export function schemaRoutes(deps: Deps): Hono<AdminEnv> {
  const { content, people } = deps;
  return new Hono<AdminEnv>()
    .use(sessionOrToken(deps))
    .get("/", mayDefine("collections.read"), async (c) => {
      const schema = await content.schema.current();
      const names = parseSiteFiles(c.req.query("with") ?? "");
      const isAll = c.get("tokenName") !== undefined || c.get("session").administrator;
      if (names?.length !== 0 && !isAll) throw new Refusal("FORBIDDEN");
      if (names === null) {
        throw invalid("with", "INVALID_CHOICE", `Some of ${SITE_FILES.join(", ")}`);
      }
      const also = await siteFiles({ content, people }, names);
      return c.json({ etag: schemaTag(schema), files: { ...schemaFiles(schema), ...also } });
    })
    .post("/diff", mayDefine("collections.read"), async (c) => {
      const { files } = parseBody(DiffBody, await readJsonObject(c.req.raw));
      return c.json(await diffSchema(content, files as SchemaFiles));
    })
    .post("/push", mayDefine("collections.write"), async (c) => {
      const body = parseBody(PushBody, await readJsonObject(c.req.raw));
      const files = body.files as SchemaFiles;
      const { etag, allowLoss, delete: allowRemovals } = body;
      const checked = await checkPush(content, writerOf(c), files, {
        etag,
        allowLoss,
        allowRemovals,
      });
      if (body.dryRun || checked.operations.length === 0) return c.json(checked);
      return c.json(
        { ...checked, ...await beginPush(content, writerOf(c), files, checked.etag) },
        202,
      );
    })
    .post("/pushes/:id/revert", mayDefine("collections.write"), async (c) => {
      const id = pathParameter(c, "id");
      if (!isUlid(id)) throw new Refusal("NOT_FOUND");
      return c.json(await beginRevert(content, writerOf(c), id), 202);
    })
    .get("/jobs/:id", mayDefine("collections.read"), async (c) => {
      const id = pathParameter(c, "id");
      const job = isUlid(id) ? await findJob(content.context.store, id) : null;
      if (job === null || job.type !== "SCHEMA") throw new Refusal("NOT_FOUND");
      return c.json({ id: job.id, state: job.state, step: job.step, error: job.error });
    });
}

/** Lets API tokens through, which have all scopes, and users who have the permission. */
function mayDefine(permission: "collections.read" | "collections.write") {
  return markPermission(async function mayDefineMiddleware(c: HttpContext<AdminEnv>, next: Next) {
    const isAllowed = c.get("tokenName") !== undefined ||
      c.get("session").permissions.has(permission);
    if (!isAllowed) throw new Refusal("FORBIDDEN");
    await next();
  }, permission);
}

/** The actor of a write: the user, or the token by its name. */
function writerOf(c: HttpContext<AdminEnv>): Actor {
  const tokenName = c.get("tokenName");
  return tokenName === undefined ? actorOf(c) : { userId: null, via: tokenName };
}
