/**
 * A client of a remote service: its admin API, with the session of a signed-in user.
 *
 * @module
 */
import { z } from "zod";

/** Interval of polling a running job, milliseconds. */
const POLL_INTERVAL_MS = 1_000;
/** Page size of lists. */
const PER_PAGE = 100;

const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    details: z.array(z.object({ field: z.string(), message: z.string() })).default([]),
  }),
});
const Job = z.object({
  state: z.string(),
  error: z.string().nullable(),
  result: z.record(z.string(), z.json()),
});

/** Sends a request. */
export type Send = (address: string, init: RequestInit) => Promise<Response>;

/** A refused request; `lines` give the reasons. */
export class RemoteRefusal extends Error {
  override name = "RemoteRefusal";
  readonly lines: string[];

  constructor(status: number, lines: string[]) {
    super(`${status}: ${lines.join("; ")}`);
    this.lines = lines;
  }
}

/** Asks a service. */
export class RemoteService {
  readonly #address: string;
  readonly #token: string;
  readonly #send: Send;

  /** `address` is where the site is reached; `token` the secret of an admin session, or empty. */
  constructor(address: string, token: string, send: Send) {
    this.#address = address.replace(/\/+$/, "");
    this.#token = token;
    this.#send = send;
  }

  /** The address of the service, without a path. */
  get origin(): string {
    return new URL(this.#address).origin;
  }

  /** The answer to a request; throws a {@linkcode RemoteRefusal} unless it is a success. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    // Which of the two is read depends on how the service is reached.
    if (/^svc_(?:oa|pk)_/.test(this.#token)) headers.set("authorization", `Bearer ${this.#token}`);
    else if (this.#token !== "") {
      headers.set("cookie", `session=${this.#token}; __Host-session=${this.#token}`);
    }
    const address = `${this.#address}/api/admin${path}`;
    const request = { ...init, method, headers, redirect: "error" } as const;
    const response = await this.#send(address, request).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      throw new RemoteRefusal(0, [`The service at ${this.origin} cannot be reached`]);
    });
    if (response.ok) return response;
    throw await refusalOf(response);
  }

  /** The answer of the authorization server to a form, whatever it is. */
  async authorize(path: string, fields: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams(fields);
    return await this.#send(`${this.#address}/oauth${path}`, {
      method: "POST",
      body,
      redirect: "error",
    });
  }

  /** The same with JSON, both ways. */
  async ask<T>(method: string, path: string, schema: z.ZodType<T>, body?: unknown): Promise<T> {
    const response = await this.send(method, path, {
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    return schema.parse(await response.json());
  }

  /** Iterates over all pages of a list, as far as the caller reads. */
  async *list<T>(
    path: string,
    item: z.ZodType<T>,
    query = new URLSearchParams(),
  ): AsyncGenerator<T> {
    const Page = z.object({ data: z.array(item), meta: z.object({ total: z.number() }) });
    query.set("perPage", String(PER_PAGE));
    for (let page = 1, seen = 0;; page++) {
      query.set("page", String(page));
      const { data, meta } = await this.ask("GET", `${path}?${query}`, Page);
      yield* data;
      seen += data.length;
      if (data.length === 0 || seen >= meta.total) return;
    }
  }

  /** Waits until a job has finished; returns the results of its steps, or throws its error. */
  async finish(jobId: string): Promise<z.infer<typeof Job>["result"]> {
    for (;;) {
      const { state, error, result } = await this.ask("GET", `/jobs/${jobId}`, Job);
      if (state === "done") return result;
      if (state === "failed") throw new RemoteRefusal(200, [error ?? "The job failed"]);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }
}

async function refusalOf(response: Response): Promise<RemoteRefusal> {
  const { status } = response;
  if (status === 401) return new RemoteRefusal(status, ["Not signed in. Run: cms sign-in <email>"]);
  const parsed = ErrorBody.safeParse(await response.json().catch(() => null));
  if (!parsed.success) return new RemoteRefusal(status, [`The service responded with ${status}`]);
  const { message, details } = parsed.data.error;
  return new RemoteRefusal(status, [
    message,
    ...details.map(({ field, message }) => `  ${field}: ${message}`),
  ]);
}
