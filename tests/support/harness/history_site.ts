/**
 * A set-up site whose administrator is signed in, for tests of history: asks as a client does, moves the
 * clock, runs the jobs.
 *
 * @module
 */
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { addAnyJob } from "./any_job.ts";
import { currentPrefix } from "../../../kv/keys.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { ADA, type Answer, callApp, type TestApp, testApp } from "../sites/app.ts";

/** A site with an administrator. */
export class HistorySite implements AsyncDisposable {
  cookie = "";
  userId = "";

  private constructor(readonly app: TestApp) {}

  /** Sets up a fresh site; its clock then moves on by a minute. */
  static async open(): Promise<HistorySite> {
    const site = new HistorySite(await testApp());
    const { headers, json } = await site.ask("POST", "/setup", {
      code: "setup-code",
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "The Lantern",
    });
    site.cookie = headers.get("set-cookie")!.split(";")[0]!;
    site.userId = json.user.id;
    site.pass(60);
    return site;
  }

  /** Epoch seconds. */
  get now(): number {
    return Math.floor(this.app.context.now() / 1000);
  }

  /** Lets seconds pass; answers the instant before. */
  pass(seconds = 10): number {
    const before = this.now;
    this.app.context.advance(seconds * 1000);
    return before;
  }

  /** Asks `/api/admin` + path as the administrator. */
  async ask(method: string, path: string, body?: Json): Promise<Answer> {
    return await callApp(this.app.app, method, `/api/admin${path}`, {
      headers: { cookie: this.cookie },
      ...(body !== undefined && { body }),
    });
  }

  /** The same, and throws unless the status is the expected one; answers the body. */
  // deno-lint-ignore no-explicit-any
  async want(status: number, method: string, path: string, body?: Json): Promise<any> {
    const answer = await this.ask(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.json;
  }

  /** Status and code of a refusal. */
  async refusal(method: string, path: string, body?: Json): Promise<[number, string]> {
    const { status, json } = await this.ask(method, path, body);
    return [status, json?.error?.code];
  }

  /** The versions of an entity by their numbers, newest first. */
  // deno-lint-ignore no-explicit-any
  async versions(type: EntityType, id: string): Promise<any[]> {
    return (await this.want(200, "GET", `/versions/${type}/${id}?perPage=100`)).data;
  }

  /** Restores an entity to its version `n`. */
  async restore(type: EntityType, id: string, n: number): Promise<Answer> {
    const versions = await this.versions(type, id);
    const { id: versionId } = versions.find(({ version_number }) => version_number === n);
    return await this.ask("POST", `/versions/${versionId}/restore`);
  }

  /** The ids of a type, tombstones too. */
  async ids(type: EntityType): Promise<string[]> {
    const rows = await this.app.context.store.listAll<CurrentRow>({ prefix: currentPrefix(type) });
    return rows.map(({ key }) => key.at(-1) as string);
  }

  /** Runs a job to its end; answers it. */
  // deno-lint-ignore no-explicit-any
  async run(type: JobType): Promise<any> {
    const { context, runner } = this.app;
    const operation = new Operation();
    const id = addAnyJob(operation, context, { type, payload: {} });
    await context.store.commit(operation);
    await runner.drain();
    return await this.want(200, "GET", `/jobs/${id}`);
  }

  /** Restores the whole site and waits for it; answers the job. */
  // deno-lint-ignore no-explicit-any
  async travel(timestamp: number): Promise<any> {
    await this.prove();
    const { jobId } = await this.want(202, "POST", "/restore", { timestamp });
    await this.app.runner.drain();
    return await this.want(200, "GET", `/jobs/${jobId}`);
  }

  /** Shows again who asks: the clock may have passed the sign-in by far. */
  async prove(): Promise<void> {
    await this.ask("POST", "/session/prove", { password: ADA.password });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
  }
}

/** A collection of posts. */
export const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [
    { name: "body", label: "Body", type: "text" },
    { name: "sku", label: "Number", type: "text", unique: true },
  ],
};

/** Defines the collection; answers it, and how posts are written. */
export async function withPosts(site: HistorySite) {
  const collection = await site.want(201, "POST", "/collections", POSTS);
  const post = (title: string, rest: Record<string, Json> = {}) =>
    site.want(201, "POST", "/documents", { collection: "posts", title, ...rest });
  return { collection, post };
}
