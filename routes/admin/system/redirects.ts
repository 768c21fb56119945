/**
 * `/api/admin/redirects`: the redirect rules and the former addresses of a site, how often each was followed, and
 * which one an address has.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { URL_CHARS_MAX } from "../../../kv/limits/content.ts";
import { splitAddress } from "../../../kv/model/entities/redirect.ts";
import type { RedirectView } from "../../../jobs/publishing/redirects.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { parsePaging } from "../../query/paging.ts";
import { parameterInvalid } from "../../query/parameters.ts";
import { may } from "../admin_env.ts";

/** Redirects: list, and test one address with `?path=`. */
export function redirectRoutes({ redirects }: Pick<Deps, "redirects">): Hono<AdminEnv> {
  return new Hono<AdminEnv>().get("/", may("settings.read"), async (c) => {
    const { searchParams } = new URL(c.req.url);
    const [address, again] = searchParams.getAll("path");
    if (address === undefined) {
      const paging = parsePaging(searchParams);
      const start = (paging.page - 1) * paging.perPage;
      const { data, total } = await redirects.list(start, start + paging.perPage);
      return c.json({ data, meta: { ...paging, total } });
    }
    if (again !== undefined || !address.startsWith("/") || address.length > URL_CHARS_MAX) {
      throw parameterInvalid("path must be one path that begins with /");
    }
    return c.json({ match: await matchOf(redirects, address) });
  });
}

/** The redirect of an address with its number of hits; null if it has none. */
export async function matchOf(
  redirects: Deps["redirects"],
  address: string,
): Promise<RedirectView | null> {
  const { path, query } = splitAddress(address);
  const match = (query === null ? null : await redirects.find(path, query)) ??
    await redirects.find(path, null);
  if (match === null || match.status === 404) return null;
  const { location: to, status, ...rest } = match;
  return await redirects.withHits({ ...rest, status, to });
}
