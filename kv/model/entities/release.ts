/**
 * Releases: documents whose changes become public together, or not at all.
 *
 * @module
 */
import { z } from "zod";
import { NAME_CHARS_MAX, RELEASE_DESCRIPTION_CHARS_MAX } from "../../limits/content.ts";
import { INSTANT_SECONDS_MAX } from "../../limits/requests.ts";
import type { Json } from "./entity.ts";
import { time, unchecked } from "./state_member.ts";
import type { Detail } from "../../refusals.ts";
import { publishedLanguages } from "../languages/language.ts";
import { nameText } from "../values/text_check.ts";
import { parseBody } from "../input/zod_details.ts";

/** Every state of a release. */
const RELEASE_STATES = [
  "open",
  "scheduled",
  "publishing",
  "published",
  "reverted",
] as const;

/** The action of the release for a document. */
export const RELEASE_ACTIONS = ["publish", "unpublish"] as const;

/** One of {@linkcode RELEASE_ACTIONS}. */
export type ReleaseAction = typeof RELEASE_ACTIONS[number];

/** A document of a release. */
export const ReleaseDocument = z.object({
  documentId: z.ulid(),
  action: z.enum(RELEASE_ACTIONS),
  /** The languages that it is about, `*` for all that the document has then; absent for its original alone. */
  languages: unchecked<readonly string[] | "*">().exactOptional(),
  /** Its version before the release; absent until it is published. */
  before: unchecked<number>().exactOptional(),
  /** The version that the release made of it; the same where there was nothing to do. */
  after: unchecked<number>().exactOptional(),
  /** Why the release, or its reversal, has passed it by. */
  left: unchecked<string>().exactOptional(),
});
export type ReleaseDocument = z.infer<typeof ReleaseDocument>;

/** What a release does with a document. */
export type ReleasePlan = Pick<ReleaseDocument, "action" | "languages">;

/** The state of a release. Times are epoch seconds. */
export const ReleaseState = z.object({
  id: z.ulid(),
  name: z.string().min(1),
  description: z.string(),
  state: z.enum(RELEASE_STATES),
  /** When it is to be published; null unless it is scheduled. */
  publishAt: time.nullable(),
  /** Why it was not published at its time, or not whole. */
  reason: unchecked<string | null>(),
  /** The job that publishes or reverts it at present. */
  jobId: z.string().nullable(),
  documents: z.array(ReleaseDocument),
  publishedAt: unchecked<number | null>(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type ReleaseState = z.infer<typeof ReleaseState>;

/** Whether the documents of a release wait for it, so that no other may have them. */
export function isOpenRelease({ state }: Pick<ReleaseState, "state">): boolean {
  return state === "open" || state === "scheduled" || state === "publishing";
}

/** Whether two plans for a document have a language in common, given the document's original language, if known. */
export function sharesLanguage(
  one: Pick<ReleasePlan, "languages">,
  other: Pick<ReleasePlan, "languages">,
  original: string | undefined,
): boolean {
  const codesOf = ({ languages = [original ?? "*"] }: typeof one) => [...languages];
  const codes = codesOf(one);
  const others = codesOf(other);
  return codes.includes("*") || others.includes("*") || codes.some((code) => others.includes(code));
}

const attributes = {
  name: nameText(NAME_CHARS_MAX),
  description: z.string().trim().max(RELEASE_DESCRIPTION_CHARS_MAX),
  publishAt: z.int().max(INSTANT_SECONDS_MAX).nullable(),
};

/** The input for a release. */
export type ReleaseInput = z.infer<z.ZodObject<typeof attributes>>;

/** The body of a new release. `at` is the time in seconds: a publication must lie after it. */
export function newRelease(at: number) {
  return z.strictObject({
    ...attributes,
    description: attributes.description.default(""),
    publishAt: z.int().min(at + 1, "Must be in the future").max(INSTANT_SECONDS_MAX)
      .nullable().default(null),
  });
}

/** A partial body. */
export const ReleasePatch = z.strictObject(attributes).partial();

/** Parses the body of a new release. `at` is the time in seconds. */
export function parseRelease(body: Record<string, Json>, at: number): ReleaseInput {
  return parseBody(newRelease(at), body);
}

/** Parses a partial body. */
export function parseReleasePatch(body: Record<string, Json>): Partial<ReleaseInput> {
  const patch = parseBody(ReleasePatch, body);
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/** What is to happen to a document. */
export const ReleasePlanBody = z.strictObject({
  action: z.enum(RELEASE_ACTIONS),
  languages: publishedLanguages.exactOptional(),
});

/** Parses what is to happen to a document; `details` are the faults of the body that are known already. */
export function parseReleasePlan(
  body: Record<string, Json>,
  details: readonly Detail[],
): ReleasePlan {
  return parseBody(ReleasePlanBody, body, details);
}
