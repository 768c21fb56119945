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

  async #expect(status: number, method: string, path: string, body: Json): Promise<ClientAnswer> {
    const answer = await this.call(method, path, body);
    if (answer.status !== status) throw new Error(`${path}: ${JSON.stringify(answer.json)}`);
    return answer;
  }
}
