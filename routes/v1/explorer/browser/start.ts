/**
 * Runs in the browser. What is shown before a request is chosen: who reads, where to begin, what there is.
 *
 * @module
 */
/// <reference lib="dom" />
import { byId, element } from "../../../browser/elements.ts";
import type { Explorer } from "./explorer.ts";
import { groupsOf } from "./operations.ts";

/** A token of the visitor's session that reads for a while; empty when there is no session. */
export async function requestTemporaryToken(): Promise<string> {
  try {
    const response = await fetch("/api/admin/explorer-token", {
      method: "POST",
      credentials: "same-origin",
      cache: "no-store",
    });
    return response.ok ? (await response.json()).token : "";
  } catch {
    // The site does not answer, which the next request will say.
    return "";
  }
}

/** Says with whose eyes the page reads; who has none is offered the field for a token. */
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

/** An address that may break after a slash. */
export function breakable(path: string): (Node | string)[] {
  return path.split(/(?<=\/)(?=.)/).flatMap((part, index) =>
    index === 0 ? [part] : [element("wbr"), part]
  );
}

/** The first page: where to begin, and the requests of each collection. */
export function overview({ operations }: Explorer): HTMLElement[] {
  const cards = groupsOf(operations).map(([group, members]) =>
    element(
      "section",
      { class: "card" },
      element("h3", {}, group),
      element("p", { class: "about" }, members[0]!.groupAbout),
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
