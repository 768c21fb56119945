/**
 * Runs in the browser. The examples of a collection's API page. They contain the token created there, so that
 * they can be copied and run.
 *
 * @module
 */
import type { Reply } from "./page/call.ts";
import { all, get } from "./page/elements.ts";
import { toast } from "./page/toast.ts";

/** The placeholder of the token in the examples. */
const PLACE = "$TOKEN";

/** Puts the token into the examples once it is made. */
export function startApiExamples(root: HTMLElement): void {
  root.addEventListener("acted", (event) => {
    const { body } = (event as CustomEvent<Reply<{ id: string; token?: string }>>).detail;
    const token = body?.token;
    if (body === null || token === undefined) return;
    event.preventDefault();
    for (const example of all(root, "pre")) {
      example.textContent = example.textContent.replaceAll(PLACE, token);
    }
    const said = get(root, "[data-minted]");
    get(said, "code").textContent = token;
    get<HTMLAnchorElement>(said, "a").href = `/admin/tokens/${body.id}`;
    said.hidden = false;
    get(root, "[data-no-token]").hidden = true;
    toast("The examples now use the token");
  });
}
