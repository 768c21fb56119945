/**
 * `/api/admin/audit`: the audit log, and what writes it.
 *
 * @module
 */
import { type Context as HttpContext, Hono, type MiddlewareHandler } from "@hono/hono";
import { INSTANT_SECONDS_MAX } from "../../../kv/limits/requests.ts";
import {
  auditEvents,
  type AuditFilter,
  noteAudit,
  recordNote,
} from "../../../kv/versioning/audit.ts";
import { AuditPages } from "../../../kv/versioning/audit_pages.ts";
import { invalid } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { addressOf } from "../../middleware/address_quota.ts";
import type { Deps } from "../../deps/deps.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { Parameters } from "../../query/parameters.ts";
import { parsePaging } from "../../query/paging.ts";
import { administratorOnly } from "../admin_env.ts";

const NDJSON = "application/x-ndjson";

/** The log: a list, or all of it as lines when they are asked for by their type. */
export function auditRoutes({ content: { context } }: Pick<Deps, "content">): Hono<AdminEnv> {
  const pages = new AuditPages(context);
  return new Hono<AdminEnv>().get("/", administratorOnly, async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const filter = filterOf(new Parameters(search));
    if (c.req.header("accept")?.includes(NDJSON)) {
      const events = auditEvents(context.store, filter);
      const lines = ReadableStream.from(asLines(events)).pipeThrough(new TextEncoderStream());
      return c.body(pacedAnswer(lines), 200, {
        "content-type": NDJSON,
        "cache-control": "no-store",
      });
    }
    const paging = parsePaging(searchParams);
    const { data, total } = await pages.read(filter, paging);
    return c.json({ data, meta: { ...paging, total } });
  });
}

async function* asLines(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}

function filterOf(parameters: Parameters): AuditFilter {
  const filter: AuditFilter = {};
  for (const name of ["event", "userId", "tokenId"] as const) {
    const value = parameters.single(name);
    if (value !== undefined) filter[name] = value;
  }
  for (const name of ["from", "to"] as const) {
    const value = parameters.single(name);
    if (value === undefined) continue;
    const at = /^\d{1,12}$/.test(value) ? Number(value) : NaN;
    if (!(at <= INSTANT_SECONDS_MAX)) {
      throw invalid(name, "INVALID_FILTER_VALUE", "Must be a time in Unix epoch seconds");
    }
    filter[name] = at;
  }
  return filter;
}

/** Records the act that a request turned out to be, once it has succeeded, unless the act's own commit has. */
export function auditActs(deps: Pick<Deps, "content" | "trustProxy">): MiddlewareHandler<AdminEnv> {
  const { context } = deps.content;
  return async function auditMiddleware(c, next) {
    const { method, path } = c.req;
    const session = c.get("session");
    c.set("noteAct", (event, tokenId) =>
      noteAudit(context, {
        event,
        userId: session.userId,
        tokenId,
        address: addressOf(deps, c),
        details: { method, path },
      }));
    await next();
    if (session.audit === undefined || c.res.status >= 400) return;
    await recordNote(context.store, session.audit);
  };
}

/** Has a request recorded as an act, if it succeeds: called before the act, whose commit then records it. */
export function audited(
  c: HttpContext<AdminEnv>,
  event: string,
  tokenId: string | null = null,
): void {
  const note = c.get("noteAct")?.(event, tokenId);
  if (note !== undefined) c.get("session").audit = note;
}
