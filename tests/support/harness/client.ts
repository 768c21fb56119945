/**
 * A client of a started service: signed in as the first administrator, with a token of full access.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";

/** An answer with its body parsed. */
export interface ClientAnswer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** Talks to a service over HTTP. */
export class Client {
  cookie = "";
  token = "";

  constructor(public origin: string) {}

  async call(
    method: string,
    path: string,
    body?: Json,
    headers: Record<string, string> = {},
  ): Promise<ClientAnswer> {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        ...(path.startsWith("/api/v1")
          ? { authorization: `Bearer ${this.token}` }
          : { cookie: this.cookie }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(text) : text,
    };
  }

  /** Sets the site up, defines a collection, mints a token. */
  async setUp(collection: Json): Promise<void> {
    const setup = await this.#expect(201, "POST", "/api/admin/setup", {
      code: "the tour code",
      email: "ada@example.org",
      displayName: "Ada",
      password: "correct horse battery",
      siteTitle: "Test",
    });
    this.cookie = setup.headers.get("set-cookie")!.split(";")[0]!;
    await this.#expect(201, "POST", "/api/admin/collections", collection);
    const minted = await this.#expect(201, "POST", "/api/admin/tokens", {
      name: "client",
      scopes: ["*"],
      quotaPerMinute: 100_000,
    });
    this.token = minted.json.token;
  }

  /** The body of an answer with a status; fails on any other. */
  // deno-lint-ignore no-explicit-any
  async want(status: number, method: string, path: string, body?: Json): Promise<any> {
    return (await this.#expect(status, method, path, body)).json;
  }

  /** Waits until no job, or none of a type, is left. */
  async drained(timeoutMs: number, type?: string): Promise<void> {
    const startedAt = performance.now();
    const ofType = type === undefined ? "" : `&type=${type}`;
    for (let left = Infinity; left > 0;) {
      if (performance.now() - startedAt > timeoutMs) throw new Error(`${left} jobs are left`);
      await new Promise((done) => setTimeout(done, 250));
      left = 0;
      for (const state of ["queued", "running", "waiting"]) {
        const { json } = await this.call("GET", `/api/admin/jobs?state=${state}${ofType}`);
        left += json.meta.total;
      }
    }
  }

  async #expect(
    status: number,
    method: string,
    path: string,
    body?: Json,
  ): Promise<ClientAnswer> {
    const answer = await this.call(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    }
    return answer;
  }
}
