/**
 * Runs in the browser. The start page: the token in use, and the available requests.
 *
 * @module
 */
/// <reference lib="dom" />
import { byId, element } from "../../../browser/elements.ts";
import type { Explorer } from "./explorer.ts";
import { groupsOf } from "./operations.ts";

/** Requests a temporary token for the visitor's session; empty if there is no session. */
export async function requestTemporaryToken(): Promise<string> {
  try {
    const response = await fetch("/api/admin/explorer-token", {
      method: "POST",
      credentials: "same-origin",
      cache: "no-store",
    });
    return response.ok ? (await response.json()).token : "";
  } catch {
    // The site is not responding; the next request will show the error.
    return "";
  }
}

/** Shows which token the page uses; without one, it opens the field to enter one. */
export function showReader({ token, builtIn, isSignedIn }: Explorer): void {
  const words = token !== ""
    ? "Using your token"
    : builtIn === ""
    ? "Enter a token to see the requests you can make."
    : isSignedIn
    ? "Reading as you, published content only"
    : "Using this site's public token";
  byId("reader").textContent = words;
  if (token === "" && builtIn === "") (byId("access") as HTMLDetailsElement).open = true;
}

/** A path that can wrap after a slash. */
export function breakable(path: string): (Node | string)[] {
  return path.split(/(?<=\/)(?=.)/).flatMap((part, index) =>
    index === 0 ? [part] : [element("wbr"), part]
  );
}

/** The start page: an introduction, and the requests of each collection. */
export function overview({ operations }: Explorer): HTMLElement[] {
  const cards = groupsOf(operations).map(([group, members]) =>
    element(
      "section",
      { class: "card" },
      element("h3", {}, group),
      element("p", { class: "about" }, members[0]?.groupAbout ?? ""),
      element(
        "ul",
        {},
        ...members.map(({ id, path, title }) =>
          element(
            "li",
            {},
            element("a", { href: `#op=${id}`, title }, ...breakable(path)),
          )
        ),
      ),
    )
  );
  return [
    element("h2", {}, "Read this site's content from your code"),
    element(
      "p",
      { class: "lead" },
      "Every request needs a token, which you create under API tokens in the admin application. Choose a request to " +
        "try it here and copy it into your code.",
    ),
    element("code", { class: "address" }, `${location.origin}/api/v1`),
    element("p", { class: "links" }, element("a", { href: "/admin/tokens" }, "API tokens")),
    element("div", { class: "cards" }, ...cards),
  ];
}
