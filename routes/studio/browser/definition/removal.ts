/**
 * Runs in the browser. Before a part of the schema is removed or renamed, shows which documents, tokens and
 * definitions that affects.
 *
 * @module
 */
import { confirmed } from "../forms/actions.ts";
import { call } from "../page/call.ts";
import { dataOf } from "../page/elements.ts";
import { toast } from "../page/toast.ts";
import type { Impact } from "../../../../kv/schema/impact.ts";

/** Shows the impact in the confirmation of every button with `data-impact`. */
export function startRemovals(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("[data-impact]");
    if (button === null) return;
    if (button.dataset.impactShown !== undefined) {
      delete button.dataset.impactShown;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    void tell(button);
  }, { capture: true });
}

async function tell(button: HTMLButtonElement): Promise<void> {
  button.setAttribute("aria-busy", "true");
  const words = await impactWords(dataOf(button, "impact"));
  button.removeAttribute("aria-busy");
  if (words === null) return;
  button.dataset.question ??= button.dataset.ask ?? "";
  button.dataset.ask = `${words} ${button.dataset.question}`;
  button.dataset.impactShown = "";
  button.click();
}

/** Asks whether to give a kind of block another name; documents keep the blocks under the old one. */
export async function confirmRename(path: string, from: string, to: string): Promise<boolean> {
  const words = await impactWords(path);
  if (words === null) return false;
  if (words === UNUSED) return true;
  const question =
    `${words} Existing blocks keep the name ${from} and are left out of the site. Only new blocks are called ${to}.`;
  return await confirmed(question, "Rename", { isCalm: true });
}

const UNUSED = "Not used anywhere.";

/** The impact of a removal in sentences; null if the request fails. */
async function impactWords(path: string): Promise<string | null> {
  const reply = await call<Impact>("DELETE", `${path}?dryRun=true`);
  if (!reply.ok) {
    toast(reply.message, { bad: true });
    return null;
  }
  const { documents, published, examples, tokens, definitions } = reply.body;
  const sentences: string[] = [];
  if (documents > 0) {
    const titles = examples.slice(0, 3).map(({ title }) => `“${title || "Untitled"}”`).join(", ");
    const rest = documents > 3 ? " and others" : "";
    sentences.push(
      `${counted(documents, "document has", "documents have")} it, ${published} of them public: ` +
        `${titles}${rest}.`,
    );
  }
  if (tokens.length > 0) {
    sentences.push(
      `${counted(tokens.length, "token was", "tokens were")} created for this collection: ` +
        `${tokens.join(", ")}.`,
    );
  }
  if (definitions.length > 0) sentences.push(`${definitions.join(", ")} refer to it.`);
  return sentences.length === 0 ? UNUSED : sentences.join(" ");
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
