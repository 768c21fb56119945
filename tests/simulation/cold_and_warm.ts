/**
 * The same requests to sites whose processes know more or less: one that has seen everything, processes that have just
 * begun, and some that take turns, so that what each knows is old. All of them answer the same, header by header,
 * whatever is wrong with a request and however much.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { type Answer, type Call, callApp, secondApp } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { seededRandom } from "../support/harness/harness.ts";
import { seededContext } from "../support/harness/context.ts";
import { type Headless, headless, NO_ID } from "../support/sites/headless.ts";

const STEPS = 150;
const FIELDS = [
  { name: "rating", type: "number", indexed: true, options: { max: 5 } },
  { name: "code", type: "text", unique: true, options: { maxLength: 8 } },
  { name: "must", type: "text", required: true },
  { name: "related", type: "reference" },
];
const KINDS = ["warm", "cold", "stale"] as const;
type Kind = typeof KINDS[number];
/** Names of tokens, and what they may. */
const TOKENS: Record<string, { scopes: string[]; [more: string]: Json }> = {
  full: { scopes: ["*"], quotaPerMinute: 200, allowedOrigins: ["https://site.example"] },
  writer: { scopes: ["posts:write"], quotaPerMinute: 200 },
  reader: { scopes: ["posts:read"], quotaPerMinute: 200 },
  small: { scopes: ["*"], quotaPerMinute: 6 },
};

/** A request, before it is known which ids a site has given. */
interface Step {
  method: string;
  path: (site: Site) => string;
  token: string;
  headers: (site: Site) => Record<string, string>;
  body?: Json;
  raw?: string;
}

/** How often each status was answered. */
export type AnswerCounts = Record<number, number>;

/** Runs one seed; throws where two sites answer differently. */
export async function simulateColdAndWarm(seed: number): Promise<AnswerCounts> {
  const random = seededRandom(seed);
  const sites: Site[] = [];
  for (const kind of KINDS) sites.push(await Site.open(kind, seed));
  const counts: AnswerCounts = {};
  try {
    const steps = new Steps(random);
    for (let n = 0; n < STEPS; n++) {
      const change = random() < 0.12 ? steps.change() : null;
      const step = steps.step();
      const ms = Math.floor(random() * 1_500);
      const place = Math.floor(random() * 3);
      const answers = [];
      for (const site of sites) {
        site.test.context.advance(ms);
        await change?.(site);
        answers.push(await site.answer(step, place));
      }
      const [expected] = answers;
      counts[expected!.status] = (counts[expected!.status] ?? 0) + 1;
      const asked = `${n}: ${step.method} ${step.path(sites[0]!)} by ${step.token}`;
      for (const [index, answer] of answers.entries()) {
        assertEquals(answer, expected, `${asked}, ${KINDS[index]}: ${JSON.stringify(step.body)}`);
      }
    }
  } finally {
    for (const site of sites) await site.close();
  }
  return counts;
}

class Site {
  readonly kind: Kind;
  readonly test: Headless;
  readonly documents: string[] = [];
  /** The newest entity tag that was seen of each document. */
  readonly tags = new Map<string, string>();
  readonly tokens: Record<string, string> = {};
  /** What the collection is called, and what it was or will be. */
  readonly slugs: [string, string] = ["posts", "articles"];
  readonly #names = new Map<string, string>();
  readonly #processes: ReturnType<typeof secondApp>[];

  private constructor(kind: Kind, test: Headless) {
    this.kind = kind;
    this.test = test;
    this.#processes = Array.from({ length: 3 }, () => secondApp(test.context));
  }

  static async open(kind: Kind, seed: number): Promise<Site> {
    const site = new Site(kind, await headless(FIELDS, seededContext(seed)));
    await site.test.setUp();
    await site.test.collection({ slug: "hidden", name: "Hidden", exposed: false });
    await site.test.collection({ slug: "pages", name: "Pages" });
    for (const name of Object.keys(TOKENS)) await site.mint(name);
    return site;
  }

  async mint(name: string): Promise<void> {
    const { scopes, ...more } = TOKENS[name]!;
    // The collection may have another name by now.
    const present = scopes.map((scope) => scope.replace(/^posts(?=:)/, this.slugs[0]!));
    const { json, status, text } = await this.test.admin("POST", "/tokens", {
      name,
      scopes: present,
      ...more,
    });
    assert(status === 201, text);
    this.tokens[name] = json.token;
    this.tokens[`id of ${name}`] = json.id;
  }

  async answer(step: Step, place: number) {
    const { context, app } = this.test;
    const asked = {
      warm: () => app,
      cold: () => secondApp(context).app,
      stale: () => this.#processes[place]!.app,
    }[this.kind]();
    const token = this.tokens[step.token] ?? step.token;
    const call: Call = {
      ...(step.token !== "" && { token }),
      ...(step.body !== undefined && { body: step.body }),
      ...(step.raw !== undefined && { raw: step.raw }),
      headers: step.headers(this),
    };
    const answer = await callApp(asked, step.method, `/api/v1${step.path(this)}`, call);
    this.#note(answer);
    const headers = [...answer.headers].filter(([name]) => name !== "x-request-id");
    return {
      status: answer.status,
      headers: headers.map(([name, value]) => `${name}: ${this.#named(value)}`).sort(),
      text: this.#named(answer.text),
    };
  }

  #note({ status, headers, json }: Answer): void {
    const id = json?.id;
    if (status >= 300 || typeof id !== "string") return;
    if (status === 201 && !this.documents.includes(id)) this.documents.push(id);
    const tag = headers.get("etag");
    if (tag !== null) this.tags.set(id, tag);
  }

  /** A text with names in the place of ids and tags, in the order in which they appear. */
  #named(text: string): string {
    return text.replaceAll(/[0-9A-HJKMNP-TV-Z]{26}|"[\w.-]+"(?=$)/g, (id) => {
      if (id === NO_ID) return id;
      if (!this.#names.has(id)) this.#names.set(id, `#${this.#names.size}`);
      return this.#names.get(id)!;
    });
  }

  close(): Promise<void> {
    return Promise.resolve(this.test[Symbol.asyncDispose]());
  }
}

/** Requests and changes by chance. */
class Steps {
  readonly #random: () => number;
  #count = 0;
  #keys = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Changes made in a process other than the one that is asked, unless that one has seen everything. */
  change(): (site: Site) => Promise<unknown> {
    const name = this.#one(Object.keys(TOKENS));
    const admin =
      (method: string, path: (site: Site) => string, body?: Json) => async (site: Site) => {
        const { status, text } = await site.test.admin(method, path(site), body);
        assert(status < 300 || status === 422 || status === 409, `${path(site)}: ${text}`);
      };
    const token = (site: Site) => `/tokens/${site.tokens[`id of ${name}`]}`;
    const field = (site: Site) => `/collections/${site.slugs[0]}/fields`;
    const document = this.#below(6);
    const changes = [
      admin("PATCH", token, { scopes: this.#one([["*"], ["posts:write"], ["pages:write"]]) }),
      admin("PATCH", token, { quotaPerMinute: this.#one([60, 300]) }),
      admin("PATCH", token, { allowedOrigins: this.#one([[], ["https://site.example"]]) }),
      async (site: Site) => {
        await site.test.admin("DELETE", token(site));
        await site.mint(name);
      },
      admin("PATCH", (site) => `${field(site)}/rating`, { options: { max: this.#one([3, 5, 9]) } }),
      admin("PATCH", (site) => `${field(site)}/must`, { required: this.#random() < 0.5 }),
      admin("POST", field, { name: `extra${this.#count++}`, label: "E", type: "text" }),
      admin("PATCH", ({ slugs }) => `/collections/${slugs[0]}`, { exposed: this.#random() < 0.9 }),
      this.#rename(),
      async (site: Site) => {
        const id = site.documents[document];
        if (id === undefined) return;
        const path = `/documents/${id}`;
        await site.test.admin("PATCH", path, { rating: 1, title: `Theirs ${document}` });
      },
      async (site: Site) => {
        const id = site.documents[document];
        if (id !== undefined) await site.test.admin("DELETE", `/documents/${id}`);
      },
    ];
    return this.#one(changes);
  }

  #rename(): (site: Site) => Promise<void> {
    return async (site) => {
      const [from, to] = site.slugs;
      const answer = await site.test.admin("PATCH", `/collections/${from}`, { slug: to });
      assertEquals(answer.status, 200, answer.text);
      site.slugs.reverse();
    };
  }

  step(): Step {
    const method = this.#one([
      "POST",
      "POST",
      "PATCH",
      "PATCH",
      "PATCH",
      "PUT",
      "PUT",
      "DELETE",
      "GET",
    ]);
    const other = this.#random() < 0.8 ? null : this.#one(["posts", "pages", "hidden", "nowhere"]);
    const document = this.#below(8);
    const slug = this.#one(["one", "two", "three", "Not a slug", "title-1"]);
    const idOf = (site: Site) => site.documents[document] ?? this.#oneOf(document, [NO_ID, "x"]);
    const query = this.#random() < 0.8
      ? ""
      : this.#one(["?dryRun=true", "?dryRun=x", "?dryRun=false"]);
    const path = (site: Site) => {
      const end = method === "POST"
        ? ""
        : method === "PUT"
        ? `/by-slug/${encodeURIComponent(slug)}`
        : `/${idOf(site)}`;
      return `/${other ?? site.slugs[0]}${end}${query}`;
    };
    const token = this.#random() < 0.85
      ? this.#one(["full", "full", "full", "small", "writer"])
      : this.#one(["reader", "", "x", `svc_pk_${NO_ID}_${"a".repeat(32)}`]);
    return {
      method,
      path,
      token,
      headers: this.#headers(idOf),
      ...(method !== "GET" && method !== "DELETE" && this.#body()),
    };
  }

  #headers(idOf: (site: Site) => string): Step["headers"] {
    const condition = this.#below(6);
    const key = this.#random();
    const name = key < 0.15
      ? `key ${this.#keys++}`
      : key < 0.3
      ? `key ${this.#below(this.#keys + 1)}`
      : "";
    const origin = this.#random() < 0.3;
    const isNone = this.#random() < 0.1;
    const bad = this.#random();
    return (site) => ({
      ...(condition === 0 && { "if-match": site.tags.get(idOf(site)) ?? '"none"' }),
      ...(condition === 1 && { "if-match": '"stale"' }),
      ...(isNone && { "if-none-match": "*" }),
      ...(name !== "" && { "idempotency-key": name }),
      ...(key > 0.97 && { "idempotency-key": "é".repeat(2) }),
      ...(origin && { origin: "https://site.example" }),
      ...(bad < 0.03 && { "content-type": "text/plain" }),
      ...(bad > 0.97 && { "content-length": "5000001" }),
    });
  }

  #body(): Pick<Step, "body" | "raw"> {
    if (this.#random() < 0.06) return { raw: this.#one(["", "{", "[]", "1", "null"]) };
    const body: Record<string, Json> = {};
    const maybe = (name: string, chance: number, values: Json[]) => {
      if (this.#random() < chance) body[name] = this.#one(values);
    };
    maybe("title", 0.9, ["Title 1", `Title ${this.#count++}`, ...this.#rarely("", 7)]);
    maybe("slug", 0.3, ["one", "two", "three", ...this.#rarely("Bad slug", 1)]);
    maybe("status", 0.3, ["draft", "published", ...this.#rarely("archived", "scheduled", "x", 1)]);
    maybe("rating", 0.5, [1, 2, 4, null, ...this.#rarely(7, 12, "x")]);
    maybe("code", 0.3, ["A", "B", "C", null, ...this.#rarely("far too long")]);
    maybe("must", 0.7, ["here", ...this.#rarely("", null)]);
    maybe("related", 0.15, [NO_ID, "x", null]);
    maybe("unknown", 0.03, [1]);
    maybe("extra0", 0.03, ["e"]);
    return { body };
  }

  /** Most often nothing. */
  #rarely(...values: Json[]): Json[] {
    return this.#random() < 0.12 ? values : [];
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!;
  }

  #oneOf<T>(n: number, all: readonly T[]): T {
    return all[n % all.length]!;
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }
}
