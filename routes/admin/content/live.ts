/**
 * `/api/admin/documents/{id}/live`, and `/translations/{language}/live` below the document: live editing over a WebSocket, for cookie sessions from the
 * same origin only. `?since=<seq>` resumes; `?client=<name>` lets a client resend unacknowledged
 * edits.
 *
 * @module
 */
import { type Context as HttpContext, Hono, type Next } from "@hono/hono";
import { upgradeWebSocket } from "@hono/hono/deno";
import type { WSContext, WSEvents } from "@hono/hono/ws";
import type { Editor, EndReason } from "../../../kv/live/editor.ts";
import type { LiveConnection } from "../../../kv/live/hub.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { originalOf, translationOf } from "../../../kv/model/languages/translation.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { findSession } from "../../../kv/people/sessions.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { BUFFERED_BYTES_MAX, UNREAD_MESSAGES_MAX } from "../../input/limits.ts";
import { refuseForeign } from "../../middleware/same_origin.ts";
import { sessionSecret } from "../../middleware/session_cookie.ts";
import {
  isWithinLanguages,
  refuseLanguageBeyond,
} from "../../../kv/documents/translations/language_limits.ts";
import { refuseLanguage } from "../../../kv/documents/translations/translations.ts";
import { actorOf } from "../admin_env.ts";
import { draftsOnly, mayDocument } from "./document_access.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** Close codes by reason. */
const CLOSE_CODES: Record<EndReason, number> = {
  gone: 4404,
  lost: 4500,
  stopping: 4503,
  "signed out": 4401,
};
const CLOSE_SESSION_OVER = CLOSE_CODES["signed out"];
const CLOSE_NOT_ALLOWED = 4403;
const CLOSE_TOO_SLOW = 4408;
/** How often the session of an idle connection is checked, milliseconds. */
const SESSION_CHECK_MS = 5_000;

const CLIENT_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Live editing of a document. */
export function liveRoutes(deps: Deps): Hono<AdminEnv> {
  const handlers = [
    watchClient,
    mayDocument(deps, "edit"),
    async (c: HttpContext<AdminEnv>, next: Next) => {
      if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
        throw new Refusal("NOT_FOUND", { about: "this path only accepts WebSocket connections" });
      }
      refuseForeign(c, deps.trustProxy);
      deps.live.refuseFull();
      const { state, collection, translation = "" } = await editedOf(deps, c);
      if (state.status === "trashed") throw new Refusal("NOT_FOUND");
      refuseLanguageBeyond(actorOf(c), collection, state, translation, "edit");
      refuseHandshake(c);
      await next();
    },
    upgradeWebSocket((c) => connection(deps, c as HttpContext<AdminEnv>)),
  ] as const;
  return new Hono<AdminEnv>()
    .get("/:id/live", ...handlers)
    .get("/:id/translations/:language/live", ...handlers);
}

/** What a connection edits. */
interface Edited {
  state: DocumentState;
  collection: Collection;
  /** The language of the translation; absent for the original. */
  translation?: string;
}

/** The document, or the translation, of the path; refuses one that does not exist. */
async function editedOf({ content, reader }: Deps, c: HttpContext<AdminEnv>): Promise<Edited> {
  const schema = await content.schema.current();
  const stored = await reader.find(pathParameter(c, "id"));
  const collection = schema.byId.get(stored?.state.collectionId ?? "");
  if (stored === null || collection === undefined) throw new Refusal("NOT_FOUND");
  const { state } = stored;
  const translation = c.req.param("language");
  if (translation === undefined) return { state, collection };
  refuseLanguage(collection, translation);
  if (originalOf(state, collection) === translation) {
    throw new Refusal("NOT_FOUND", { about: "the document is written in this language" });
  }
  if (translationOf(state, translation) === undefined) throw new Refusal("NOT_FOUND");
  return { state, collection, translation };
}

/** An incomplete WebSocket handshake is an error of the client. */
function refuseHandshake(c: HttpContext<AdminEnv>): void {
  const connection = (c.req.header("connection") ?? "").toLowerCase().split(/\s*,\s*/);
  const key = c.req.header("sec-websocket-key") ?? "";
  if (connection.includes("upgrade") && key !== "") return;
  throw new Refusal("PARAMETER_INVALID", {
    about: "a WebSocket needs Connection: Upgrade and Sec-WebSocket-Key",
  });
}

/** The abort signal of a request reports a disconnect only once it has been read. */
async function watchClient(c: HttpContext<AdminEnv>, next: () => Promise<void>): Promise<void> {
  void c.req.raw.signal;
  await next();
}

/** Deno never ends the upgrade of a connection whose client has gone: its socket would stay open for ever. */
function refuseGone(c: HttpContext<AdminEnv>): void {
  if (c.req.raw.signal.aborted) {
    throw new Refusal("NOT_FOUND", { about: "the client disconnected" });
  }
}

async function connection(deps: Deps, c: HttpContext<AdminEnv>): Promise<WSEvents<WebSocket>> {
  const { context } = deps.content;
  const { userId } = c.get("session");
  const picture = await deps.people.access.current();
  const { searchParams } = new URL(c.req.url);
  const client = searchParams.get("client");
  const documentId = pathParameter(c, "id");
  const secret = sessionSecret(c, deps.trustProxy)!;
  const edited = await editedOf(deps, c);
  const { state, collection, translation } = edited;
  const language = collection.localized ? translation ?? originalOf(state, collection) : undefined;
  const mayPublish = isWithinLanguages(actorOf(c), collection, state, translation ?? "", "publish");
  const drafts = !mayPublish || await draftsOnly(deps, c);
  const check = (socket: WSContext<WebSocket>) => recheck(deps, secret, edited, socket);
  let joined: Promise<LiveConnection | null> = Promise.resolve(null);
  let waiting = 0;
  let checks: ReturnType<typeof setInterval> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  refuseGone(c);
  return {
    onOpen: (_event, socket) => {
      const editor: Editor = {
        id: context.newId(context.now()),
        userId,
        displayName: picture.users.get(userId)?.displayName ?? "",
        client: client !== null && CLIENT_NAME.test(client) ? client : null,
        path: null,
        ...(translation !== undefined && { translation }),
        ...(language !== undefined && { language }),
        draftsOnly: drafts,
        send: (message) => send(socket, JSON.stringify(message)),
        end: (reason) => socket.close(CLOSE_CODES[reason], reason),
      };
      checks = setInterval(() => void check(socket), SESSION_CHECK_MS);
      joined = deps.live.join(documentId, editor, sinceOf(searchParams)).catch((error) => {
        const isGone = error instanceof Refusal && error.code === "NOT_FOUND";
        context.log.warn("live editing", { documentId, what: "joining", error: `${error}` });
        editor.end(isGone ? "gone" : "lost");
        return null;
      });
    },
    onMessage: ({ data: text }, socket) => {
      if (typeof text !== "string" || waiting >= UNREAD_MESSAGES_MAX) {
        return socket.close(CLOSE_TOO_SLOW, "only text, and not all at once");
      }
      waiting += 1;
      // Each message is checked against the current session: a user who has signed out cannot
      // write.
      const allowed = check(socket);
      turn = turn.then(async () => {
        const [connection, isAllowed] = await Promise.all([joined, allowed]);
        waiting -= 1;
        if (isAllowed) connection?.receive(text);
      });
    },
    onClose: () => {
      clearInterval(checks);
      void joined.then((taken) => taken?.leave());
    },
  };
}

function send(socket: WSContext<WebSocket>, text: string): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  if ((socket.raw?.bufferedAmount ?? 0) > BUFFERED_BYTES_MAX) {
    return socket.close(CLOSE_TOO_SLOW, "too slow");
  }
  socket.send(text);
}

/** Whether the session still gives the right to write; a connection lasts no longer than that. */
async function recheck(
  deps: Deps,
  secret: string,
  { state, collection, translation = "" }: Edited,
  socket: WSContext<WebSocket>,
): Promise<boolean> {
  try {
    const found = await findSession(deps.people, secret);
    const isAllowed = found !== null && !found.lacksFactor &&
      found.authority.documents.on("edit", state) &&
      isWithinLanguages(found.authority.documents.limits, collection, state, translation, "edit");
    if (found === null) socket.close(CLOSE_SESSION_OVER, "the session has ended");
    else if (!isAllowed) socket.close(CLOSE_NOT_ALLOWED, "no longer allowed");
    return isAllowed;
  } catch (error) {
    // The store is unavailable. The client gets no acknowledgement, so it sends the operation
    // again.
    deps.content.context.log.warn("live session not checked", { error: `${error}` });
    return false;
  }
}

function sinceOf(searchParams: URLSearchParams): number | null {
  const since = searchParams.get("since") ?? "";
  return /^\d{1,15}$/.test(since) ? Number(since) : null;
}
