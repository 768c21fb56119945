/**
 * `/api/admin/documents/{id}/review`: asking for the review of a document, returning it, and taking the
 * question back. Publishing is the third answer to it.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { askForReview, returnReview, withdrawReview } from "../../../kv/documents/review.ts";
import { ReviewBody, ReviewRequestBody } from "../../../kv/model/entities/review.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readOptionalObject } from "../../input/body.ts";
import { actorOf } from "../admin_env.ts";
import { draftsOnly, mayDocument } from "./document_access.ts";
import { answer, idOf } from "./document_answer.ts";

/** Reviews of documents. */
export function reviewRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  return new Hono<AdminEnv>()
    .post("/:id/review", mayDocument(deps, "edit"), async (c) => {
      const request = parseBody(ReviewRequestBody, await readOptionalObject(c.req.raw));
      const requester = { actor: actorOf(c), access: await deps.people.access.current() };
      const stored = await askForReview(content, requester, idOf(c), request);
      return await answer(deps, c, stored);
    })
    .delete("/:id/review", mayDocument(deps, "edit"), async (c) => {
      const options = { mayPublish: !(await draftsOnly(deps, c)) };
      await withdrawReview(content, actorOf(c), idOf(c), options);
      return c.body(null, 204);
    })
    .post("/:id/review/return", mayDocument(deps, "publish"), async (c) => {
      const { note } = parseBody(ReviewBody, await readOptionalObject(c.req.raw));
      const stored = await returnReview(content, actorOf(c), idOf(c), note);
      return await answer(deps, c, stored);
    });
}
