/**
 * Redirect rules of a site: patterns of former addresses, and the addresses that they lead to.
 *
 * @module
 */
import { z } from "zod";
import { URL_CHARS_MAX } from "../../limits/content.ts";
import { REDIRECT_RULES_MAX } from "../../limits/transfers.ts";
import { customIssue } from "../input/zod_details.ts";
import { decodedUri } from "../primitives/decoded_uri.ts";

/** The values that a pattern can capture, as regular expressions over a canonical path. */
const CAPTURES = {
  year: "\\d{4}",
  month: "\\d{1,2}",
  day: "\\d{1,2}",
  id: "\\d+",
  slug: "[^/]+",
  rest: ".+",
} as const;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The statuses of redirects; 410 leads nowhere. */
const REDIRECT_STATUSES = [301, 302, 410] as const;

/** The status of a redirect. */
export type RedirectStatus = typeof REDIRECT_STATUSES[number];

const address = z.string().min(1).max(URL_CHARS_MAX)
  .refine((text) => !/[\p{Cc}\u2028\u2029\s]/u.test(text), "Must not contain white space");

const Rule = z.strictObject({
  from: address.refine(
    (text) => /^\/(?!\/)/.test(text) && !text.includes("#"),
    "Must be a path that begins with /",
  ),
  // Absent with status 410.
  to: address.refine(isTarget, "Must be a path that begins with /, or an http or https address")
    .exactOptional(),
  status: z.literal(REDIRECT_STATUSES).default(301),
}).superRefine(({ from, to, status }, context) => {
  const names = placeholdersOf(from);
  for (const [index, name] of names.entries()) {
    const isKnown = Object.hasOwn(CAPTURES, name);
    if (isKnown && names.indexOf(name) === index) continue;
    const message = isKnown
      ? `{${name}} can be used only once`
      : `{${name}} is unknown: use ${Object.keys(CAPTURES).map((one) => `{${one}}`).join(", ")}`;
    context.addIssue(customIssue("PATTERN_MISMATCH", message, ["from"]));
  }
  if (status === 410) {
    if (to === undefined) return;
    const message = "Must be absent: a page that is gone leads nowhere";
    return context.addIssue(customIssue("INVALID_CHOICE", message, ["to"]));
  }
  if (to === undefined) {
    return context.addIssue(customIssue("REQUIRED", "A redirect needs a target", ["to"]));
  }
  for (const name of placeholdersOf(to)) {
    if (names.includes(name)) continue;
    const message = `{${name}} is not part of the pattern`;
    context.addIssue(customIssue("PATTERN_MISMATCH", message, ["to"]));
  }
});

/** A rule as the setting `site.redirects` holds it. */
export type RedirectRule = z.infer<typeof Rule>;

/** The setting. */
export const RedirectRules = z.array(Rule).max(REDIRECT_RULES_MAX);

/** Whether a text can be a target: captured values must never change its host. */
function isTarget(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return true;
  if (!/^https?:\/\/[^/?#{}\\@]+(?:[/?#]|$)/i.test(text)) return false;
  return URL.canParse(text.replace(PLACEHOLDER, "x"));
}

function placeholdersOf(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name ?? "");
}

/** A rule that is ready to be matched. */
export interface CompiledRedirect {
  rule: RedirectRule;
  pattern: RegExp;
  /** Whether the rule is about an address with a query. */
  hasQuery: boolean;
}

/** Prepares a rule. */
export function compileRedirect(rule: RedirectRule): CompiledRedirect {
  const { path, query } = splitAddress(rule.from);
  const pattern = patternOf(withoutSlash(path), canonicalPath) +
    (query === null ? "" : patternOf(`?${query}`, (text) => text));
  return { rule, pattern: new RegExp(`^${pattern}$`), hasQuery: query !== null };
}

function patternOf(text: string, canonical: (text: string) => string): string {
  return text.split(PLACEHOLDER).map((part, index) => {
    if (index % 2 === 0) return RegExp.escape(canonical(part));
    return `(?<${part}>${CAPTURES[part as keyof typeof CAPTURES] ?? "(?!)"})`;
  }).join("");
}

/**
 * The target of an address by the first rule that matches it: its location, or null if the address is gone;
 * undefined if no rule matches. `query` is without its question mark; null asks the rules without one.
 */
export function matchRedirect(
  rules: readonly CompiledRedirect[],
  path: string,
  query: string | null,
): { rule: RedirectRule; location: string | null } | undefined {
  const address = withoutSlash(canonicalPath(path)) + (query === null ? "" : `?${query}`);
  for (const { rule, pattern, hasQuery } of rules) {
    if (hasQuery !== (query !== null)) continue;
    const match = pattern.exec(address);
    if (match === null) continue;
    if (rule.to === undefined) return { rule, location: null };
    const filled = rule.to.replace(PLACEHOLDER, (_, name) => {
      return canonicalPath(match.groups?.[name] ?? "");
    });
    // A captured value that begins with a slash would name another host.
    return { rule, location: filled.startsWith("/") ? filled.replace(/^[/\\]+/, "/") : filled };
  }
  return undefined;
}

/**
 * A path in the one spelling that addresses are compared in: each part is percent-encoded once, whether or not it was
 * encoded before.
 */
export function canonicalPath(path: string): string {
  return path.split("/").map((part) => encodeURIComponent(decodedUri(part).normalize("NFC")))
    .join("/");
}

/** A path without the slash at its end. */
export function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
}

/** The parts of an address. */
export function splitAddress(address: string): { path: string; query: string | null } {
  const at = address.indexOf("?");
  return at === -1
    ? { path: address, query: null }
    : { path: address.slice(0, at), query: address.slice(at + 1) };
}
