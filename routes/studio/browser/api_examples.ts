/**
 * Runs in the browser. The examples of a collection's API page: a token that was made there stands in each
 * of them, so that they can be copied and run.
 *
 * @module
 */
import type { Reply } from "./page/call.ts";
import { all, get } from "./page/elements.ts";
import { toast } from "./page/toast.ts";

/** What the examples have in the place of a token. */
const PLACE = "$TOKEN";

/** Puts the token into the examples once it is made. */
export function startApiExamples(root: HTMLElement): void {
  root.addEventListener("acted", (event) => {
    const { body } = (event as CustomEvent<Reply>).detail;
    if (typeof body?.token !== "string") return;
    event.preventDefault();
    for (const example of all(root, "pre")) {
      example.textContent = example.textContent!.replaceAll(PLACE, body.token);
    }
    const said = get(root, "[data-minted]");
    get(said, "code").textContent = body.token;
    get<HTMLAnchorElement>(said, "a").href = `/admin/tokens/${body.id}`;
    said.hidden = false;
    get(root, "[data-no-token]").hidden = true;
    toast("The examples now use the token");
  });
}
