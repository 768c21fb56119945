/**
 * Answers that running systems gave, trimmed and without people's data: WordPress 6.1, Ghost 6.65, Strapi 5.54.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { ApiHandler } from "./api_server.ts";

interface Recorded {
  path: string;
  /** Parameters that tell answers of a path apart. */
  when?: Record<string, string>;
  /** Whether it was asked for with a token; both get the same answer otherwise. */
  token?: boolean;
  status?: number;
  /** The number of pages that the answer names. */
  pages?: number;
  body: Json;
}

/** Answers as a system did; lists have one page. */
export async function recordedApi(name: string): Promise<ApiHandler> {
  const text = await Deno.readTextFile(new URL(`${name}.ndjson`, import.meta.url));
  const answers = text.trimEnd().split("\n").map((line) => JSON.parse(line) as Recorded);
  return ({ pathname, searchParams }, request) => {
    const hasToken = request.headers.has("authorization");
    const fitting = answers.filter(({ path, when = {} }) =>
      path === pathname &&
      Object.entries(when).every(([key, value]) => searchParams.get(key) === value)
    );
    const answer = fitting.find(({ token }) => token === hasToken) ??
      fitting.find(({ token }) => token === undefined);
    if (answer === undefined) return undefined;
    const { status = 200, pages = 1, body } = answer;
    return Response.json(body, { status, headers: { "x-wp-totalpages": String(pages) } });
  };
}
