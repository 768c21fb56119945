/**
 * `q` in languages against a naive reading: a list finds exactly the documents that the request, reading each of them by
 * its id, is shown with every word. For each language, each fallback, and viewers of what is published, of drafts and of
 * working copies; through random writes, publications and compactions.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { LANGUAGES as LANGUAGES_INDEX } from "../../../../kv/search/search_keys.ts";
import { compactSearch } from "../../../../kv/search/segments/compaction.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { seedCount } from "../../../support/harness/whole_run.ts";
import { seededRandom } from "../../../support/seeded_random.ts";
import { type Multilingual, multilingual, paragraph } from "../../../support/sites/multilingual.ts";

const WORDS = ["ash", "birch", "cedar", "elm", "fir"];
const CODES = ["en", "fr", "fr-CA", "de", "ar"];
const FALLBACKS = ["", "none", "documents", "documents", "de", "de,en", "de,fr,en"];
/** Here what stands in for French Canadian falls back in another order than the language that is shown. */
const OTHER_CHAINS: Json[] = [
  { code: "en", name: "English" },
  { code: "fr", fallback: ["de"] },
  { code: "fr-CA", fallback: ["fr", "en"], path: "qc", gaps: true },
  { code: "de" },
  { code: "ar", fallback: ["fr"], public: false },
];

type Draw = (below: number) => number;

class Site {
  readonly #test: Multilingual;
  readonly #draw: Draw;
  readonly ids: string[] = [];

  constructor(test: Multilingual, draw: Draw) {
    this.#test = test;
    this.#draw = draw;
  }

  #words(most: number): string {
    const some = Array.from({ length: 1 + this.#draw(most) }, () => this.#one(WORDS));
    return some.join(" ");
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#draw(values.length)] as T;
  }

  /** Some values of a language; what is left out falls back. */
  #values(): Record<string, Json> {
    return {
      ...(this.#draw(2) === 0 && { summary: this.#words(2) }),
      ...(this.#draw(2) === 0 && { body: paragraph(this.#words(2)) }),
    };
  }

  /** One random change; those that are refused change nothing. */
  async change(): Promise<void> {
    const { v1, admin, post } = this.#test;
    const id = this.ids[this.#draw(this.ids.length)];
    if (id === undefined || this.#draw(6) === 0) {
      const original = this.#draw(3) === 0 ? { _language: this.#one(CODES.slice(1)) } : {};
      const body = { title: this.#words(2), body: paragraph(this.#words(2)), ...original };
      const status = this.#one(["published", "published", "draft"]);
      this.ids.push((await post({ ...body, ...this.#values(), status })).id);
      return;
    }
    const document = `/documents/${id}`;
    const translation = `${document}/translations/${this.#one(CODES)}`;
    const values = { title: this.#words(1), ...this.#values() };
    const kind = this.#draw(12);
    if (kind < 5) {
      const status = this.#one(["published", "published", "draft"]);
      const path = `/posts/${id}/translations/${this.#one(CODES)}`;
      const made = await v1("PUT", path, { body: { ...values, status } });
      if (made.status === 422) await v1("PUT", path, { body: values });
    } else if (kind === 5) await admin("POST", `${translation}/publish`);
    else if (kind === 6) await admin("POST", `${translation}/unpublish`);
    else if (kind === 7) await admin("PATCH", `${translation}/working-copy`, values);
    else if (kind === 8) await admin("PATCH", `${document}/working-copy`, values);
    else if (kind === 9) {
      await admin(
        "POST",
        `${document}/${this.#one(["publish", "publish", "unpublish", "archive"])}`,
        {},
      );
    } else if (kind === 10) await v1("PATCH", `/posts/${id}`, { body: values });
    else await v1("DELETE", `/posts/${id}/translations/${this.#one(CODES)}`);
  }

  /** The documents that are shown with all words, each read alone. */
  async #shown(words: readonly string[], query: string, token: string): Promise<string[]> {
    const found: string[] = [];
    for (const id of this.ids) {
      const answer = await this.#test.v1("GET", `/posts/${id}?${query}`, { token });
      if (answer.status !== 200) continue;
      const { title, summary, body } = answer.json;
      const text = JSON.stringify(body ?? []).match(/[a-z]+/g) ?? [];
      const all = [...`${title} ${summary ?? ""}`.split(" "), ...text];
      if (words.every((word) => all.includes(word))) found.push(id);
    }
    return found.sort();
  }

  /** One random search, beside the naive reading. */
  async check(seed: number): Promise<void> {
    const { full, reader, v1, runner } = this.#test;
    await runner.drain();
    const viewer = this.#one(["reader", "reader", "drafts", "copies"]);
    const token = viewer === "reader" ? reader : full;
    const known = viewer === "reader" ? CODES.slice(0, -1) : CODES;
    const query = new URLSearchParams({ language: this.#one(known) });
    const fallback = this.#one(FALLBACKS);
    if (fallback !== "") query.set("fallback", fallback);
    if (viewer === "copies") query.set("draft", "true");
    const words = this.#words(2).split(" ");
    const wanted = await this.#shown(words, String(query), token);
    const sort = this.#draw(2) === 0 ? "" : "&sort=title";
    const found: string[] = [];
    for (let page = 1;; page++) {
      const path = `/posts?q=${words.join("+")}&${query}&perPage=3&page=${page}${sort}`;
      const answer = await v1("GET", path, { token });
      assertEquals(answer.status, 200, answer.text);
      const { data, meta } = answer.json;
      const what = `seed ${seed}, ${viewer}: ${path}`;
      assertEquals([meta.total, meta.incomplete], [wanted.length, undefined], what);
      found.push(...data.map(({ id }: { id: string }) => id));
      if (data.length < 3) {
        assertEquals(found.sort(), wanted, what);
        return;
      }
    }
  }
}

for (let seed = 1; seed <= seedCount(2, 12); seed++) {
  Deno.test(`q in languages finds what a naive reading does, seed ${seed}`, async () => {
    await using test = await multilingual();
    if (seed % 2 === 0) {
      const set = await test.admin("PATCH", "/settings", { languages: OTHER_CHAINS });
      assertEquals(set.status, 200, set.text);
    }
    const random = seededRandom(seed);
    const draw: Draw = (below) => Math.floor(random() * below);
    const site = new Site(test, draw);
    // The first search in a language has the index built.
    await test.v1("GET", "/search?q=any&language=fr");
    await test.runner.drain();
    for (let step = 0; step < 90; step++) {
      await site.change();
      if (draw(15) === 0) {
        await test.runner.drain();
        const context = { ...test.context, keys: LANGUAGES_INDEX };
        await compactSearch(context, { pendingMin: 1, sizes: { fan: 2, smallest: 1 } });
      }
      if (draw(2) === 0) await site.check(seed);
    }
    for (let look = 0; look < 120; look++) await site.check(seed);
  });
}
