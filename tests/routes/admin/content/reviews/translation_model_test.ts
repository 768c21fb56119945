/**
 * Random sequences of reviews, publications, restores, removed languages, the trash and deleted reviewers, compared with
 * what each user should be notified of and what the list of reviews should have.
 */
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { awaitsReviewer, type Review } from "../../../../../kv/model/entities/review.ts";
import { assertEquals } from "../../../../support/harness/assert.ts";
import { seededRandom } from "../../../../support/seeded_random.ts";
import { answered } from "../../../../support/sites/admin_answers.ts";
import {
  type Ask,
  LANGUAGES,
  multilingual,
  paragraph,
  signedIn,
} from "../../../../support/sites/multilingual.ts";

const STEPS = 80;
const TEXT = { body: paragraph("Text") };
const PUBLISHER = ["documents.read", "documents.write", "documents.publish", "versions.read"];
const CODES = ["", "fr", "de"] as const;

interface Reviewer {
  name: string;
  id: string;
  ask: Ask;
  /** The languages that they may publish; null for all. */
  languages: string[] | null;
}

/** A site with an author, an editor, and publishers of one language each. */
async function newsroom() {
  const test = await multilingual();
  for (const code of ["fr", "de"]) {
    const role = { name: `${code} publisher`, permissions: PUBLISHER, languages: [code] };
    answered(await test.admin("POST", "/roles", role), 201);
  }
  const join = async (name: string, role: string, languages: string[] | null) => {
    const ask = await signedIn(test, name, [role]);
    const { id } = answered(await ask("GET", "/session"), 200).user;
    return { name, ask, id: id as string, languages };
  };
  const author = await join("author", "author", []);
  const reviewers: Reviewer[] = [];
  let joined = 0;
  const hire = async () => {
    joined += 1;
    reviewers.push(
      await join(`fleur${joined}`, "fr publisher", ["fr"]),
      await join(`dirk${joined}`, "de publisher", ["de"]),
      await join(`edda${joined}`, "editor", null),
    );
  };
  await hire();
  const { id } = await test.post({ title: "Apple", ...TEXT, status: "published" });
  return {
    ...{ test, author, reviewers, hire, id },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

/** The reviews that the document has by its own answers, by language. */
async function reviewsOf(
  { test, id }: Awaited<ReturnType<typeof newsroom>>,
  languages: readonly string[],
): Promise<Map<string, Review>> {
  const { _review, status } = answered(await test.admin("GET", `/documents/${id}`), 200);
  const reviews = new Map<string, Review>(_review === undefined ? [] : [["", _review]]);
  for (const code of languages) {
    const answer = await test.admin("GET", `/documents/${id}/translations/${code}`);
    if (answer.status === 404) continue;
    const { _review: review, status: own, hasWorkingCopy } = answered(answer, 200);
    if (review === undefined) continue;
    assertEquals(own === "draft" || (own === "published" && hasWorkingCopy), true, own);
    assertEquals(status === "trashed" || status === "archived", false, "off in every language");
    reviews.set(code, review);
  }
  return reviews;
}

/** The reviews that a user should be notified of. */
function expected(
  reviews: ReadonlyMap<string, Review>,
  reviewers: readonly Reviewer[],
  user: Reviewer,
): string[] {
  return [...reviews].flatMap(([code, review]) => {
    if (review.state !== "asked" || review.askedBy === user.id) return [];
    const publishes = ({ languages }: Reviewer) => languages?.includes(code || "en") ?? true;
    const mayPublish = (id: string) => reviewers.some((one) => one.id === id && publishes(one));
    return publishes(user) && awaitsReviewer(review, user.id, mayPublish)
      ? [`review_requested ${code}`]
      : [];
  }).sort();
}

async function noticed(ask: Ask): Promise<string[]> {
  const { data } = answered(await ask("GET", "/notifications"), 200);
  return data.map(({ kind, language = "" }: Record<string, string>) => `${kind} ${language}`)
    .sort();
}

for (const seed of [1, 2, 3]) {
  Deno.test(`reviews of translations are where they should be after any change (${seed})`, async () => {
    await using site = await newsroom();
    const { test, author, reviewers, id } = site;
    const random = seededRandom(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
    const pathOf = (code: string) => `/documents/${id}${code && `/translations/${code}`}`;
    let languages = ["fr", "de"];
    const setLanguages = async (codes: string[]) => {
      languages = codes;
      const kept = LANGUAGES.filter((one) =>
        ["en", "fr-CA", ...codes].includes((one as { code: string }).code)
      ).map((one) => ({ ...one as Record<string, Json>, fallback: [] }));
      answered(await test.admin("PATCH", "/settings", { languages: kept }), 200);
    };
    const done: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const code = pick(CODES);
      const path = pathOf(code);
      const title = `Title ${step}`;
      const acts: Record<string, () => Promise<unknown>> = {
        write: () =>
          code === ""
            ? author.ask("PATCH", `${path}/working-copy`, { title })
            : author.ask("PATCH", path, { title, ...TEXT }),
        copy: () => author.ask("PATCH", `${path}/working-copy`, { title }),
        ask: () => author.ask("POST", `${path}/review`, {}),
        choose: () => author.ask("POST", `${path}/review`, { reviewers: [pick(reviewers).id] }),
        return: () => pick(reviewers).ask("POST", `${path}/review/return`, { note: "No" }),
        withdraw: () => author.ask("DELETE", `${path}/review`),
        publish: () => pick(reviewers).ask("POST", `${path}/publish`),
        unpublish: () => test.admin("POST", `${path}/unpublish`),
        trash: () => test.admin("DELETE", `/documents/${id}`),
        archive: () => test.admin("POST", `/documents/${id}/archive`),
        untrash: () => test.admin("POST", `/documents/${id}/untrash`),
        language: () => setLanguages(pick([["fr", "de"], ["fr"], ["de"]])),
        remove: () => test.admin("DELETE", pathOf(pick(["fr", "de"]))),
        restore: async () => {
          const { data } = answered(
            await test.admin("GET", `/versions/document/${id}`),
            200,
          );
          await test.admin("POST", `/versions/${(pick(data) as { id: string }).id}/restore`, {});
        },
        dismiss: async () => {
          const [user] = reviewers.splice(Math.floor(random() * reviewers.length), 1);
          answered(await test.admin("DELETE", `/users/${user?.id}`), 204);
          if (reviewers.length < 2) await site.hire();
        },
      };
      const names = Object.keys(acts);
      // Half of the steps write and ask, so that there is something to decide.
      const name = random() < 0.4 ? pick(["write", "ask", "choose"]) : pick(names);
      await acts[name]?.();
      test.context.advance(1_000);
      done.push(`${name} ${code}`);
      const reviews = await reviewsOf(site, languages);
      const about = done.slice(-8).join(", ");
      for (const user of reviewers) {
        assertEquals(await noticed(user.ask), expected(reviews, reviewers, user), about);
      }
      const returned = [...reviews].filter(([, { state }]) => state === "returned")
        .map(([language]) => `changes_requested ${language}`).sort();
      assertEquals(await noticed(author.ask), returned, about);
      const { data } = answered(await test.admin("GET", "/documents?review=asked"), 200);
      const asked = [...reviews.values()].some(({ state }) => state === "asked");
      const { status } = answered(await test.admin("GET", `/documents/${id}`), 200);
      if (languages.length === 2) {
        assertEquals(data.length, asked && status !== "trashed" ? 1 : 0, about);
      }
    }
  });
}
