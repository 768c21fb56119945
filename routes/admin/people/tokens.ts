/**
 * `/api/admin/tokens`: API tokens. The text of a token is answered once, when it is minted or rotated.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { seconds } from "../../../kv/context.ts";
import { TOKEN_OVERLAP_SECONDS_MAX } from "../../../kv/limits/people.ts";
import { namedLanguageDetails } from "../../../kv/schema/languages.ts";
import { unknownScopes } from "../../../kv/model/entities/scope.ts";
import { refuseScopesBeyond } from "../../../kv/model/entities/token_cover.ts";
import { parseToken, parseTokenPatch } from "../../../kv/model/input/token_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import {
  getToken,
  mintToken,
  patchToken,
  revokeToken,
  rotateToken,
  TokenPages,
} from "../../../kv/people/tokens.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { audited } from "./audit.ts";
import { givesFullAccess, requireProof } from "./sensitive_acts.ts";
import type { Deps } from "../../deps/deps.ts";
import { parseJsonObject, readJsonBytes, readJsonObject } from "../../input/body.ts";
import { actorOf, may, readPage } from "../admin_env.ts";

/** How long the old secret of a rotated token stays valid, seconds; at most a week. */
export const Rotation = z.strictObject({
  overlapSeconds: z.int().min(0).max(TOKEN_OVERLAP_SECONDS_MAX).default(0),
});

/** Tokens: list, mint, change, rotate, revoke. */
export function tokenRoutes({ content: { context, schema } }: Deps): Hono<AdminEnv> {
  const pages = new TokenPages(context);
  return new Hono<AdminEnv>()
    .get("/", may("tokens.manage"), async (c) => c.json(await readPage(c, pages)))
    .post("/", may("tokens.manage"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const present = await schema.current();
      const unknown = [
        ...unknownScopes(body.scopes, present.bySlug),
        ...namedLanguageDetails(present, body),
      ];
      const input = parseToken(body, seconds(context), unknown);
      refuseScopesBeyond(c.get("session"), input.scopes, present, input.languages);
      if (givesFullAccess(input.scopes)) requireProof(c, "fullToken");
      audited(c, "token_created");
      const { view, text } = await mintToken(context, actorOf(c), input, schema);
      const location = `/api/admin/tokens/${view.id}`;
      return c.json({ ...view, token: text }, 201, { location, "cache-control": "no-store" });
    })
    .get("/:id", may("tokens.manage"), async (c) => {
      return c.json(await getToken(context, c.req.param("id")));
    })
    .patch("/:id", may("tokens.manage"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const id = c.req.param("id");
      const { scopes, languages } = await getToken(context, id);
      const present = await schema.current();
      const unknown = [
        ...unknownScopes(body.scopes, present.bySlug, scopes),
        ...namedLanguageDetails(present, body),
      ];
      const patch = parseTokenPatch(body, seconds(context), unknown);
      const both = [...scopes, ...patch.scopes ?? []];
      const next = patch.languages === undefined ? languages : patch.languages;
      refuseScopesBeyond(c.get("session"), both, present, next);
      if (givesFullAccess(both)) requireProof(c, "fullToken");
      return c.json(await patchToken(context, actorOf(c), id, patch, schema));
    })
    .post("/:id/rotate", may("tokens.manage"), async (c) => {
      const bytes = await readJsonBytes(c.req.raw);
      const body = bytes.byteLength === 0 ? {} : parseJsonObject(bytes);
      const { overlapSeconds } = parseBody(Rotation, body);
      const id = c.req.param("id");
      const { scopes, languages } = await getToken(context, id);
      refuseScopesBeyond(c.get("session"), scopes, await schema.current(), languages);
      if (givesFullAccess(scopes)) requireProof(c, "fullToken");
      audited(c, "token_rotated", id);
      const { view, text } = await rotateToken(context, actorOf(c), id, overlapSeconds);
      return c.json({ ...view, token: text }, 200, { "cache-control": "no-store" });
    })
    .delete("/:id", may("tokens.manage"), async (c) => {
      audited(c, "token_revoked", c.req.param("id"));
      await revokeToken(context, actorOf(c), c.req.param("id"));
      return c.body(null, 204);
    });
}
