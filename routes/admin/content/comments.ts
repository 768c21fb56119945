/**
 * `/api/admin/documents/{id}/comments`: comments of editors on a document or one of its fields.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import {
  addComment,
  changeComment,
  type Commentator,
  readDiscussion,
  removeComment,
} from "../../../kv/documents/discussion.ts";
import {
  CommentPatch,
  commentView,
  discussionView,
  NewComment,
} from "../../../kv/model/entities/discussion.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { actorOf, pageOf } from "../admin_env.ts";
import { draftsOnly, mayDocument } from "./document_access.ts";
import { idOf } from "./document_answer.ts";

/** Comments on a document. */
export function documentCommentRoutes(deps: Deps): Hono<AdminEnv> {
  const { content } = deps;
  return new Hono<AdminEnv>()
    .get("/:id/comments", mayDocument(deps, "read"), async (c) => {
      const id = idOf(c);
      const stored = await deps.reader.find(id);
      const { byId } = await content.schema.current();
      const collection = byId.get(stored?.state.collectionId ?? "");
      if (stored === null || collection === undefined) throw new Refusal("NOT_FOUND");
      const comments = await readDiscussion(content.context, id);
      return c.json(pageOf(c, discussionView(comments, stored.state, collection)));
    })
    .post("/:id/comments", mayDocument(deps, "edit"), async (c) => {
      const input = parseBody(NewComment, await readJsonObject(c.req.raw));
      const id = idOf(c);
      const { comment, collection } = await addComment(content, await whoOf(deps, c), id, input);
      return c.json(commentView(comment, collection), 201);
    })
    .patch("/:id/comments/:commentId", mayDocument(deps, "edit"), async (c) => {
      const patch = parseBody(CommentPatch, await readJsonObject(c.req.raw));
      const [id, commentId] = [idOf(c), c.req.param("commentId")];
      const who = await whoOf(deps, c);
      const { comment, collection } = await changeComment(content, who, id, commentId, patch);
      return c.json(commentView(comment, collection));
    })
    .delete("/:id/comments/:commentId", mayDocument(deps, "edit"), async (c) => {
      const [id, commentId] = [idOf(c), c.req.param("commentId")];
      await removeComment(content, await whoOf(deps, c), id, commentId);
      return c.body(null, 204);
    });
}

async function whoOf(deps: Deps, c: HttpContext<AdminEnv>): Promise<Commentator> {
  const access = await deps.people.access.current();
  return { actor: actorOf(c), mayPublish: !(await draftsOnly(deps, c)), access };
}
