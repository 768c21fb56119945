/**
 * Runs in the browser. What publishing shows before one confirms it: the address of the page, its card as search
 * engines and messengers show it, and the webhooks that are notified. Loaded when the dialog first opens.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Audience } from "../../../checklist.ts";
import type { make } from "../../page/elements.ts";
import type { pageAt } from "../../page/fresh_page.ts";
import { cardFacts, drawCard } from "./share_card.ts";

/** Functions of the main bundle, which this part does not load again. */
export interface SummaryTools {
  make: typeof make;
  pageAt: typeof pageAt;
}

/** Fills the summary of a dialog with the page as a preview draws it. */
export async function showSummary(
  { make, pageAt }: SummaryTools,
  output: HTMLElement,
  preview: string,
  audience: Audience | undefined,
): Promise<void> {
  const page = await pageAt(preview);
  const facts = page === null ? null : cardFacts(page);
  const notified = audience === undefined ? "" : notifiedText(audience);
  output.replaceChildren(
    ...(facts === null ? [] : [drawCard(make, facts)]),
    ...(notified === "" ? [] : [make("p", { class: "muted small" }, notified)]),
  );
}

function notifiedText({ webhooks, names }: Audience): string {
  if (webhooks === 0) return "";
  if (names.length > 0) return `Notifies ${new Intl.ListFormat("en").format(names)}.`;
  return webhooks === 1 ? "Notifies 1 webhook." : `Notifies ${webhooks} webhooks.`;
}
