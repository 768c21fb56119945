/**
 * Runs in the browser. Shows what the test of an OpenID provider has found.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Reply } from "../page/call.ts";
import type { dataOf, get } from "../page/elements.ts";

/** What the page has loaded already; passed in, so that other pages load no additional files. */
export interface ProviderTestTools {
  dataOf: typeof dataOf;
  get: typeof get;
}

type Check<T> = { ok: true; value: T } | { ok: false; error: string };

interface TestResult {
  discovery: Check<unknown>;
  keys: Check<number>;
  mapping: { outcome: string; reason: string | null; roles: string[] } | null;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  "sign-in": "Signs in",
  link: "Is linked to the user with this address",
  provision: "A user is created",
};

/** Starts a card. */
export function startProviderTest({ dataOf, get }: ProviderTestTools, card: HTMLElement): void {
  const reasons: Record<string, string> = JSON.parse(dataOf(card, "reasons"));
  const result = get(card, "[data-test-result]");
  get(card, "form:has([data-test-result])").addEventListener("sent", (event) => {
    const { ok, body } = (event as CustomEvent<Reply<TestResult>>).detail;
    if (!ok) return;
    const { discovery, keys, mapping } = body;
    result.textContent = [
      discovery.ok ? "The provider answers." : `The provider does not answer: ${discovery.error}.`,
      keys.ok
        ? `It publishes ${keys.value === 1 ? "1 key" : `${keys.value} keys`}.`
        : `Its keys cannot be read: ${keys.error}.`,
      mapping === null ? "" : sentenceOf(mapping, reasons),
    ].join(" ").trim();
  });
}

function sentenceOf(
  { outcome, reason, roles }: NonNullable<TestResult["mapping"]>,
  reasons: Record<string, string>,
): string {
  if (reason !== null) return `The user would see: ${reasons[reason] ?? reason}`;
  const named = roles.length === 0 ? "no role" : roles.join(", ");
  return `${OUTCOMES[outcome] ?? outcome}, with ${named}.`;
}
