/**
 * A small HTTP server that answers as the API of another system does.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";

/** Answers a request: a body, a response, or undefined for a 404. */
export type ApiHandler = (url: URL, request: Request) => Json | Response | undefined;

/** The server, and the paths that were asked for. */
export interface ApiServer extends AsyncDisposable {
  origin: string;
  asked: string[];
}

/** Starts a server. */
export function apiServer(handler: ApiHandler): ApiServer {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    asked.push(url.pathname + url.search);
    const answer = handler(url, request);
    if (answer instanceof Response) return answer;
    return answer === undefined ? Response.json({}, { status: 404 }) : Response.json(answer);
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** One page of a list; `size` rows each. */
export function pageOf<T>(rows: readonly T[], page: number, size: number): T[] {
  return rows.slice((page - 1) * size, page * size);
}
