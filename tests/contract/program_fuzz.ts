/**
 * What programs send beyond single JSON requests: lines of `_bulk`, pages and streams of changes, calls of
 * tools, images. Each is right, nearly right or wild; every answer must have its shape, and none may fail.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import type { JsonSchema } from "../../kv/model/fields/field_type.ts";
import type { Answer } from "../support/sites/app.ts";
import type { Headless } from "../support/sites/headless.ts";
import { IMAGES } from "../support/sites/images.ts";
import { formOf } from "../support/sites/media_app.ts";
import { type Random, seeded } from "./random.ts";

import { anyJson, fitting, NOTHING, randomUlid, unfitting } from "./value_maker.ts";

/** What came of it. */
export interface ProgramFuzzReport {
  /** How often each kind of request was answered with each status: `bulk 200`. */
  statuses: Map<string, number>;
  problems: string[];
}

type Body = { [key: string]: Json };

/** A tool as the server lists it. */
interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, JsonSchema>; required?: string[] };
}

/** How long a stream may keep its first event back, milliseconds. */
const FIRST_EVENT_MS = 5_000;

/** Sends `rounds` requests of each kind to a site with the collection `posts`. */
export async function fuzzPrograms(
  test: Headless,
  { seed, rounds }: { seed: number; rounds: number },
): Promise<ProgramFuzzReport> {
  const run = new ProgramFuzz(test, await test.token(), seeded(seed));
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["bulk", "changes", "stream", "tool", "media"] as const) {
      await run.send(kind).catch((error) => run.report.problems.push(`${kind}: ${error}`));
    }
  }
  return run.report;
}

class ProgramFuzz {
  readonly report: ProgramFuzzReport = { statuses: new Map(), problems: [] };
  readonly #test: Headless;
  readonly #token: string;
  readonly #random: Random;
  #ids: string[] = ["nothing"];
  #media: string[] = ["nothing"];
  #cursors: string[] = [];
  #tools: Tool[] = [];

  constructor(test: Headless, token: string, random: Random) {
    this.#test = test;
    this.#token = token;
    this.#random = random;
  }

  async send(kind: "bulk" | "changes" | "stream" | "tool" | "media"): Promise<void> {
    if (kind === "bulk") await this.#bulk();
    else if (kind === "changes") await this.#changes();
    else if (kind === "stream") await this.#stream();
    else if (kind === "tool") await this.#tool();
    else await this.#medium();
  }

  #note(kind: string, status: number): void {
    const name = `${kind} ${status}`;
    this.report.statuses.set(name, (this.report.statuses.get(name) ?? 0) + 1);
  }

  #check(kind: string, sent: string, { status, json, text }: Answer, isRight: boolean): void {
    this.#note(kind, status);
    const isEnvelope = typeof json?.error?.code === "string" &&
      typeof json.error.message === "string";
    if (status < 500 && (status < 400 ? isRight : isEnvelope)) return;
    this.report.problems.push(`${kind} ${sent.slice(0, 500)} -> ${status} ${text.slice(0, 500)}`);
  }

  async #bulk(): Promise<void> {
    const random = this.#random;
    const lines = Array.from({ length: 1 + random.below(12) }, () => this.#line());
    const raw = lines.join("\n") + random.pick(["", "\n", "\r\n"]);
    const headers: Record<string, string> = {
      "content-type": random.chance(0.95) ? "application/x-ndjson" : "application/json",
      ...(random.chance(0.5) &&
        { "idempotency-key": random.pick(["k1", "k2", randomUlid(random)]) }),
    };
    const path = "/posts/_bulk" + random.pick(["", "", "?x=1", "?dryRun=true"]);
    const answer = await this.#test.v1("POST", path, { raw, headers });
    this.#check("bulk", raw, answer, isBulkAnswer(answer, lines.length));
    if (answer.status !== 200) return;
    for (const { id } of answersOf(answer)) if (typeof id === "string") this.#ids.push(id);
    if (headers["idempotency-key"] === undefined) return;
    const again = await this.#test.v1("POST", path, { raw, headers });
    this.#check("bulk again", raw, again, repeats(again, answer));
  }

  #line(): string {
    const random = this.#random;
    const line: Body = {
      op: random.pick(["create", "upsert", "update", "trash", "explode"]),
      body: random.pick<Json>([
        { title: `T ${random.below(20)}` },
        { title: "P", status: "published", rating: random.below(12) },
        { rating: random.below(12) },
        anyJson(random, 2),
      ]),
    };
    if (random.chance(0.6)) line.id = random.pick([...this.#ids, randomUlid(random)]);
    if (random.chance(0.5)) line.slug = random.pick(["t-1", "p", "a b", "", "ü".repeat(100)]);
    if (random.chance(0.2)) line.ifMatch = random.pick<Json>(['"1"', "*", 3, "unquoted"]);
    if (random.chance(0.1)) line[random.pick(["extra", "__proto__"])] = anyJson(random, 1);
    const text = JSON.stringify(line);
    if (random.chance(0.85)) return text;
    return random.pick([text.slice(0, -1), "null", "[]", "\ud800x", '{"op":"create"', "0"]);
  }

  #since(): string | null {
    const random = this.#random;
    const known = this.#cursors.at(-1 - random.below(5));
    if (known === undefined || random.chance(0.2)) return null;
    return random.chance(0.7) ? known : random.pick([
      known.slice(1),
      `${known}x`,
      "",
      "%00",
      "a".repeat(3_000),
      known.toLowerCase(),
    ]);
  }

  #feedQuery(): URLSearchParams {
    const random = this.#random;
    const query = new URLSearchParams();
    const since = this.#since();
    if (since !== null) query.set("since", since);
    if (random.chance(0.3)) {
      query.set("collection", random.pick(["posts", "posts,posts", "no", ""]));
    }
    if (random.chance(0.5)) query.set("limit", random.pick(["1", "3", "1000", "0", "1e9", "x"]));
    if (random.chance(0.2)) query.set("include", random.pick(["none", "all", ""]));
    if (random.chance(0.1)) query.set("wait", random.pick(["0", "31", "-1", "x"]));
    return query;
  }

  async #changes(): Promise<void> {
    const query = this.#feedQuery();
    const answer = await this.#test.v1("GET", `/_changes?${query}`);
    const { data, meta } = answer.json ?? {};
    const isRight = Array.isArray(data) && typeof meta?.cursor === "string" &&
      data.every(({ change, cursor }) =>
        ["upserted", "removed"].includes(change) && typeof cursor === "string"
      );
    this.#check("changes", String(query), answer, isRight);
    if (answer.status === 200) this.#cursors.push(meta.cursor);
  }

  async #stream(): Promise<void> {
    const query = this.#feedQuery();
    query.delete("wait");
    const since = this.#since();
    const headers = new Headers({
      accept: "text/event-stream",
      authorization: `Bearer ${this.#token}`,
      // A header cannot carry every text.
      ...(since !== null && { "last-event-id": encodeURIComponent(since) }),
    });
    const request = new Request(`http://localhost/api/v1/_changes?${query}`, { headers });
    const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
    const response = await this.#test.app.fetch(request, { remoteAddr });
    if (response.status !== 200) {
      const text = await response.text();
      const answer = { ...response, status: response.status, text, json: JSON.parse(text) };
      return this.#check("stream", String(query), answer as unknown as Answer, false);
    }
    this.#note("stream", 200);
    const reader = response.body!.getReader();
    const timer = setTimeout(() => void reader.cancel(), FIRST_EVENT_MS);
    const { value } = await reader.read();
    clearTimeout(timer);
    await reader.cancel();
    const text = new TextDecoder().decode(value);
    if (/^(id: \S+\nevent: change\ndata: \{|:|retry: )/m.test(text)) return;
    this.report.problems.push(`stream ${query} -> ${text.slice(0, 300)}`);
  }

  async #rpc(method: string, params: Json): Promise<Answer> {
    const headers = {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${this.#token}`,
      "mcp-protocol-version": "2025-03-26",
    };
    const body = { jsonrpc: "2.0", id: 1, method, params };
    const answer = await this.#test.call("POST", "/mcp", { headers, body });
    const data = /^data: (.*)$/m.exec(answer.text)?.[1];
    return data === undefined ? answer : { ...answer, json: JSON.parse(data) };
  }

  async #tool(): Promise<void> {
    const random = this.#random;
    if (this.#tools.length === 0) {
      this.#tools = (await this.#rpc("tools/list", {})).json.result.tools;
    }
    const { name, inputSchema } = random.pick(this.#tools);
    const input: Body = {};
    for (const [key, schema] of Object.entries(inputSchema.properties ?? {})) {
      if (!inputSchema.required?.includes(key) && random.chance(0.75)) continue;
      const made = random.chance(0.8) ? fitting(schema, random) : unfitting(schema, random);
      if (made !== NOTHING) input[key] = made;
      if (random.chance(0.05)) input[key] = anyJson(random, 2);
    }
    if (random.chance(0.8)) input.collection = "posts";
    if ("id" in input && random.chance(0.8)) input.id = random.pick([...this.#ids, "", "..", "."]);
    const answer = await this.#rpc("tools/call", { name, arguments: input });
    const { result, error } = answer.json ?? {};
    const told = JSON.stringify(result ?? error ?? null);
    const isRight = (Array.isArray(result?.content) || typeof error?.code === "number") &&
      !told.includes("INTERNAL");
    const kind = `tool ${name} ${
      result?.isError === false || !result?.isError ? "taken" : "refused"
    }`;
    this.#check(kind, JSON.stringify(input), answer, isRight);
    const id = /"id":\s*"(01\w{24})"/.exec(result?.content?.[0]?.text ?? "")?.[1];
    if (id !== undefined) this.#ids.push(id);
  }

  async #medium(): Promise<void> {
    const random = this.#random;
    const id = random.pick(this.#media);
    const method = random.pick(["POST", "POST", "GET", "PATCH", "PATCH", "DELETE"] as const);
    const address = `/media/${encodeURIComponent(id)}`;
    if (method === "POST") {
      const bytes = random.pick([IMAGES["image/png"]!, new Uint8Array(0), new Uint8Array(50)]);
      const form = formOf(bytes as Uint8Array<ArrayBuffer>, random.pick(["a.png", "../x", ""]), {
        [random.pick(["alt", "nothing"])]: "x",
      });
      const url = random.pick(["http://127.0.0.1/a.png", "ftp://a", "https://[::1]/", ""]);
      const call = random.chance(0.7) ? { raw: form } : { body: { url } };
      const answer = await this.#test.v1("POST", "/media", call);
      this.#check("media POST", url, answer, typeof answer.json?.id === "string");
      if (answer.status === 201) this.#media.push(answer.json.id);
      return;
    }
    const body: Json = random.pick<Json>([
      { alt: "A lamp", focus: { x: 0.5, y: random.pick([0, 1, 2, -0.1]) } },
      { filename: random.pick(["b.png", "", "a/b"]) },
      anyJson(random, 2),
    ]);
    const call = method === "PATCH" ? { body } : {};
    const answer = await this.#test.v1(method, address, call);
    const isRight = method === "DELETE" || answer.json?.id === id;
    this.#check(`media ${method}`, JSON.stringify(body), answer, isRight);
  }
}

function answersOf({ text }: Answer): Record<string, Json>[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** What was done is answered as before; what was refused may be tried again. */
function repeats(again: Answer, first: Answer): boolean {
  if (again.status !== 200) return false;
  const answers = answersOf(again);
  return answersOf(first).slice(0, -1).every(({ status, id }, index) =>
    Number(status) >= 400 || (answers[index]!.status === status && answers[index]!.id === id)
  );
}

/** One answer for each line, in order, and then the sums. */
function isBulkAnswer(answer: Answer, lines: number): boolean {
  if (answer.status !== 200) return false;
  const answers = answersOf(answer);
  const { done, ok, failed } = answers.pop() ?? {};
  const isLine = ({ line, status, error }: Record<string, Json>, index: number) =>
    line === index + 1 && Number(status) >= 200 && Number(status) < 500 &&
    (Number(status) >= 400) === (typeof (error as Body | undefined)?.code === "string");
  const failures = answers.filter(({ status }) => Number(status) >= 400).length;
  return done === true && answers.length === lines && answers.every(isLine) &&
    failed === failures && ok === lines - failures;
}
