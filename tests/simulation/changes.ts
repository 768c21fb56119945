/**
 * Mirrors of a site through hours of simulated writes: whatever two processes write, schedule, release,
 * restore, import and compact, and whatever happens to the token, the collections and their fields, a consumer
 * that applies the change feed ends with exactly what its token sees, key by key.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { Operation } from "../../kv/store/operation.ts";
import { addAnyJob } from "../support/harness/any_job.ts";
import { ADA, type Answer, callApp, secondApp } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { type Admin, download, importTarball } from "../support/sites/backups.ts";
import { seededContext } from "../support/harness/context.ts";
import { FIELDS, type Headless, headless } from "../support/sites/headless.ts";
import { seededRandom } from "../support/harness/harness.ts";

const STEPS = 250;
/** Between two steps at most, milliseconds: some four hours in all. */
const PAUSE_MS_MAX = 120_000;
const SCOPES: string[][] = [
  ["posts:read"],
  ["*:read"],
  ["posts:read", "posts:read-drafts"],
  ["*:read", "*:read-drafts"],
  ["pages:read", "posts:write"],
];

type Ask = (path: string) => Promise<Answer>;

/** Runs one seed; throws when the mirror differs. Answers how many changes were applied. */
export async function simulateChanges(seed: number): Promise<number> {
  await using test = await headless(FIELDS, seededContext(seed));
  const site = await Site.open(test, seed);
  for (let step = 0; step < STEPS; step++) {
    test.context.advance(Math.floor(site.random() * PAUSE_MS_MAX));
    await site.act(step);
    if (site.random() < 0.1) await test.runner.drain();
  }
  await site.check();
  return site.consumer.applied;
}

/** A consumer's copy: the collection and the text of each document that it has received. */
class Consumer {
  readonly kept = new Map<string, string>();
  applied = 0;
  #since: string | null = null;

  /** `choice` is the collection that it asks for, if not for all. */
  constructor(readonly ask: Ask, readonly choice: string | null = null) {}

  /** Another consumer that has what this one has of a collection, and asks for nothing else from now on. */
  narrowedTo(slug: string): Consumer {
    const narrowed = new Consumer(this.ask, slug);
    for (const [id, text] of this.kept) {
      if (text.startsWith(`${slug} `)) narrowed.kept.set(id, text);
    }
    narrowed.#since = this.#since;
    return narrowed;
  }

  /** Applies up to `pages` pages of the feed. */
  async apply(pages: number, limit: number): Promise<void> {
    const choice = this.choice === null ? "" : `&collection=${this.choice}`;
    for (let page = 0; page < pages; page++) {
      const since = this.#since === null ? "" : `&since=${encodeURIComponent(this.#since)}`;
      const { status, json, text } = await this.ask(
        `/api/v1/_changes?limit=${limit}${since}${choice}`,
      );
      if (status === 410) {
        this.kept.clear();
        this.#since = null;
        continue;
      }
      // What may not be read is refused to a request without cursor.
      if (status === 403 && this.#since === null && this.choice !== null) return;
      assertEquals(status, 200, text);
      for (const { change, collection, id, document } of json.data) {
        assertEquals(collection, this.choice ?? collection, `${change} ${id} was not asked for`);
        if (change === "removed") this.kept.delete(id);
        else this.kept.set(id, `${collection} ${JSON.stringify(document)}`);
      }
      this.applied += json.data.length;
      this.#since = json.meta.cursor;
      if (!json.meta.hasMore) return;
    }
  }
}

/** The two collections; the slug and the fields of the one change. */
type Name = "posts" | "pages";

/** Two processes over one store, and who mirrors what one token sees. */
class Site {
  readonly consumer: Consumer;
  readonly ask: Ask;
  readonly #documents: { name: Name; id: string }[] = [];
  readonly #slugs: Record<Name, string> = { posts: "posts", pages: "pages" };
  /** Follows one collection with the cursor of the other consumer. */
  #narrowed: Consumer;
  #fields: string[] = [];
  #backup: Uint8Array<ArrayBuffer> | null = null;

  private constructor(
    readonly test: Headless,
    readonly random: () => number,
    readonly app: () => Headless["app"],
    readonly mirror: { id: string; token: string },
    readonly cookie: string,
  ) {
    this.ask = (path) => {
      test.context.advance(100);
      return callApp(app(), "GET", path, { token: mirror.token });
    };
    this.consumer = new Consumer(this.ask);
    this.#narrowed = this.consumer.narrowedTo("posts");
  }

  static async open(test: Headless, seed: number): Promise<Site> {
    const { headers } = await test.setUp();
    const cookie = headers.get("set-cookie")!.split(";")[0]!;
    await test.collection({ slug: "pages", name: "Pages", fields: [] });
    const other = secondApp(test.context);
    const random = seededRandom(seed);
    const minted = await test.admin("POST", "/tokens", {
      name: "mirror",
      scopes: SCOPES[0]!,
      quotaPerMinute: 1_000,
    });
    return new Site(test, random, () => random() < 0.5 ? test.app : other.app, minted.json, cookie);
  }

  async act(step: number): Promise<void> {
    const one = this.#documents.length === 0 ? null : this.#one(this.#documents);
    const kind = this.random();
    if (kind < 0.22 || one === null) await this.#create(step);
    else if (kind < 0.36) await this.#write("PATCH", this.#path(one), this.#body(one.name, step));
    else if (kind < 0.42) await this.#write("DELETE", this.#path(one));
    else if (kind < 0.52) {
      const action = this.#one(["publish", "unpublish", "archive", "untrash", "remove"]);
      await this.#admin("POST", `/documents/${one.id}/${action}`, {});
    } else if (kind < 0.57) await this.#schedule(one.id);
    else if (kind < 0.61) {
      const copy = { title: `In work ${step}` };
      await this.#admin("PATCH", `/documents/${one.id}/working-copy`, copy);
    } else if (kind < 0.65) await this.#restore(one.id);
    else if (kind < 0.66) await this.#restoreSite();
    else if (kind < 0.69) await this.#release(step);
    else if (kind < 0.72) await this.#changeCollection(step);
    else if (kind < 0.73) await this.#import();
    else if (kind < 0.77) await this.#changeVisibility();
    else if (kind < 0.79) await this.#compact();
    else if (kind < 0.82) await this.#writeTogether(step);
    else if (kind < 0.86) await this.#narrowed.apply(1 + this.#below(4), 1 + this.#below(7));
    else await this.consumer.apply(1 + this.#below(4), 1 + this.#below(7));
  }

  async #create(step: number): Promise<void> {
    const name = this.#one<Name>(["posts", "pages"]);
    const body = { ...this.#body(name, step), status: this.#one(["draft", "published"]) };
    const { json } = await this.#write("POST", `/${this.#slugs[name]}`, body);
    if (json.id !== undefined) this.#documents.push({ name, id: json.id });
  }

  #body(name: Name, step: number): Record<string, Json> {
    const [field] = name === "pages" ? this.#fields : [];
    return { title: `At ${step}`, ...(field !== undefined && { [field]: `In ${field}` }) };
  }

  #path({ name, id }: { name: Name; id: string }): string {
    return `/${this.#slugs[name]}/${id}`;
  }

  /** Publishes some documents and takes others back, together, and perhaps puts it all back. */
  async #release(step: number): Promise<void> {
    const { json: { id } } = await this.#admin("POST", "/releases", { name: `Release ${step}` });
    for (let n = 1 + this.#below(4); n > 0; n--) {
      const action = this.#one(["publish", "publish", "unpublish"]);
      const path = `/releases/${id}/documents/${this.#one(this.#documents).id}`;
      await this.#admin("PUT", path, { action });
    }
    await this.#admin("POST", `/releases/${id}/publish`, {});
    await this.test.runner.drain();
    if (this.random() < 0.4) return;
    await this.consumer.apply(1, 1 + this.#below(4));
    await this.#admin("POST", `/releases/${id}/revert`, {});
    await this.test.runner.drain();
  }

  /** Another slug of a collection, or other fields. */
  async #changeCollection(step: number): Promise<void> {
    const path = `/collections/${this.#slugs.pages}`;
    const kind = this.random();
    const [first] = this.#fields;
    if (kind < 0.4) await this.#admin("PATCH", path, { slug: `pages-${step}` });
    else if (kind < 0.7 || first === undefined) {
      await this.#admin("POST", `${path}/fields`, { name: `field${step}`, type: "text" });
    } else if (kind < 0.85) {
      await this.#admin("PATCH", `${path}/fields/${first}`, { name: `renamed${step}` });
    } else await this.#admin("DELETE", `${path}/fields/${first}`);
    await this.#lookAtCollections();
    if (this.random() < 0.5) await this.consumer.apply(1, 1 + this.#below(4));
  }

  /** What the one collection is called now, and its fields. */
  async #lookAtCollections(): Promise<void> {
    const { json } = await this.#admin("GET", "/collections");
    const { slug, fields } = json.data.find((one: { name: string }) => one.name === "Pages");
    this.#slugs.pages = slug;
    this.#fields = fields.map(({ name }: { name: string }) => name);
  }

  /** Makes a back-up; another time the site is replaced by it. */
  async #import(): Promise<void> {
    // Hours may have passed since the sign-in.
    await this.test.admin("POST", "/session/prove", { password: ADA.password });
    const admin: Admin = {
      cookie: this.cookie,
      ask: (method, path, body, raw) =>
        this.test.admin(method, path, body, {
          ...(raw !== undefined && { raw, headers: { "content-type": "application/gzip" } }),
        }),
    };
    if (this.#backup === null) {
      this.#backup = await download(this.test, admin);
      return;
    }
    const { state, error } = await importTarball(this.test, admin, this.#backup);
    assertEquals(state, "done", `${error}`);
    this.#backup = null;
    await this.#lookAtCollections();
    await this.consumer.apply(this.#below(3), 1 + this.#below(4));
  }

  /** Writes that come at once share a commit, and the pages of who had come to the end before end within it. */
  async #writeTogether(step: number): Promise<void> {
    await this.consumer.apply(Infinity, 50);
    const app = this.app();
    const { full: token } = this.test;
    const answers = await Promise.all(
      Array.from({ length: 2 + this.#below(7) }, (_, n) => {
        const body = { title: `Together ${step} ${n}`, status: "published" };
        return callApp(app, "POST", "/api/v1/posts", { token, body });
      }),
    );
    this.#documents.push(...answers.map(({ json: { id } }) => ({ name: "posts" as const, id })));
    await this.consumer.apply(1 + this.#below(3), 1 + this.#below(7));
  }

  /** Several times, perhaps, with a page or two in between: before the documents of one snapshot are sent. */
  async #changeVisibility(): Promise<void> {
    do {
      if (this.random() < 0.5) {
        const scopes = this.#one(SCOPES).map((scope) => scope.replace("pages", this.#slugs.pages));
        await this.#admin("PATCH", `/tokens/${this.mirror.id}`, { scopes });
      } else {
        await this.#admin("PATCH", `/collections/${this.#slugs.pages}`, {
          exposed: this.random() < 0.5,
        });
      }
      await this.consumer.apply(this.#below(3), 1 + this.#below(4));
    } while (this.random() < 0.6);
    if (this.random() < 0.5) await this.check();
  }

  /** Applies the rest of the feed, and compares what it has made with what the token sees. */
  async check(): Promise<void> {
    await this.consumer.apply(Infinity, 50);
    assertEquals(
      sorted(this.consumer.kept),
      sorted(await seenBy(this.ask, Object.values(this.#slugs))),
    );
    await this.#narrowed.apply(Infinity, 50);
    assertEquals(sorted(this.#narrowed.kept), sorted(await seenBy(this.ask, ["posts"])));
    this.#narrowed = this.consumer.narrowedTo("posts");
  }

  #below(end: number): number {
    return Math.floor(this.random() * end);
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#below(of.length)]!;
  }

  #write(method: string, path: string, body?: Json): Promise<Answer> {
    const given = body === undefined ? {} : { body };
    const { full: token } = this.test;
    return callApp(this.app(), method, `/api/v1${path}`, { token, ...given });
  }

  async #admin(method: string, path: string, body?: Json): Promise<Answer> {
    let answer = await this.test.admin(method, path, body);
    if (answer.json?.error?.code === "PROOF_REQUIRED") {
      await this.test.admin("POST", "/session/prove", { password: ADA.password });
      answer = await this.test.admin(method, path, body);
    }
    assert(answer.status < 500 && answer.status !== 401, `${method} ${path}: ${answer.text}`);
    return answer;
  }

  /** In some minutes, or not any more. */
  async #schedule(id: string): Promise<void> {
    const now = Math.floor(this.test.context.now() / 1_000);
    const publishAt = this.random() < 0.2 ? null : now + 1 + this.#below(600);
    await this.#admin("POST", `/documents/${id}/schedule`, { publishAt });
  }

  async #restore(id: string): Promise<void> {
    const { json } = await this.#admin("GET", `/versions/document/${id}`);
    // An import leaves none of what has come since its back-up.
    if (json.data === undefined || json.data.length === 0) return;
    const { id: vid } = this.#one(json.data as { id: string }[]);
    await this.#admin("POST", `/versions/${vid}/restore`, {});
  }

  /** To where it was some minutes ago. */
  async #restoreSite(): Promise<void> {
    const now = Math.floor(this.test.context.now() / 1_000);
    await this.#admin("POST", "/restore", { timestamp: now - 1 - this.#below(1_200) });
    await this.test.runner.drain();
    await this.#lookAtCollections();
  }

  async #compact(): Promise<void> {
    const operation = new Operation();
    addAnyJob(operation, this.test.context, { type: "COMPACT_CHANGES", payload: {} });
    await this.test.context.store.commit(operation);
    await this.test.runner.drain();
  }
}

function sorted(documents: Map<string, string>): [string, string][] {
  return [...documents].sort(([a], [b]) => a < b ? -1 : 1);
}

/** What lists show with the token: published documents, and the others where it may see them. */
async function seenBy(ask: Ask, slugs: string[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (const slug of slugs) {
    for (const status of ["published", "draft", "scheduled", "archived"]) {
      for (let cursor: string | null = ""; cursor !== null;) {
        const query = `status=${status}&perPage=100&cursor=${encodeURIComponent(cursor)}`;
        const answer = await ask(`/api/v1/${slug}?${query}`);
        if (answer.status !== 200) break;
        for (const document of answer.json.data) {
          seen.set(document.id, `${slug} ${JSON.stringify(document)}`);
        }
        cursor = answer.json.meta.nextCursor;
      }
    }
  }
  return seen;
}
