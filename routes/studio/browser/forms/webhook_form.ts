/**
 * Runs in the browser. Shows the secret of a webhook, once.
 *
 * @module
 */
import { openDialog } from "./actions.ts";
import type { Reply } from "../page/call.ts";
import { get } from "../page/elements.ts";

/** Shows the secret after creating a webhook or rotating its secret. */
export function startWebhookForm(form: HTMLElement): void {
  form.addEventListener("sent", show);
  document.querySelector("[data-rotates]")?.addEventListener("acted", show);
}

function show(event: Event): void {
  const { body } = (event as CustomEvent<Reply<{ id: string; secret?: string }>>).detail;
  if (typeof body?.secret !== "string") return;
  event.preventDefault();
  get(document, "#secret-text").textContent = body.secret;
  get<HTMLAnchorElement>(document, "[data-secret-done]").href = `/admin/webhooks/${body.id}`;
  openDialog("secret");
}
