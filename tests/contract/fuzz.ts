/**
 * Requests made from the description: valid, nearly valid and wild ones. Every answer must be one that
 * the description has for its operation; what is described as valid must be accepted, what breaks a
 * described rule must be refused, and nothing may be answered with 500.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { answerCheck, type DescribedOperation, operationsOf, resolve } from "./answer_check.ts";
import { type Random, seeded } from "./random.ts";
import { anyJson, fitting, NOTHING, randomUlid, unfitting } from "./value_maker.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

/** What to fuzz, and how much. */
export interface FuzzOptions {
  fetch: (request: Request) => Promise<Response>;
  /** The OpenAPI document of what `fetch` reaches. */
  description: Loose;
  /** A token that may do everything, with a quota that is not used up. */
  token: string;
  /** Tokens that may do less, or are no tokens at all. */
  lesserTokens: string[];
  seed: number;
  /** Requests per operation. */
  rounds: number;
  /** Operations to leave out, by id. */
  skip?: string[];
  base?: string;
}

/** What came of it. */
export interface FuzzReport {
  sent: number;
  /** How often each operation answered with each status: `listPosts 200`. */
  statuses: Map<string, number>;
  /** What was wrong, with the request that shows it. */
  problems: string[];
}

type Intent = "valid" | "broken" | "wild";

interface Made {
  intent: Intent;
  address: string;
  init: RequestInit & { headers: Headers };
  body: string;
}

/** Ids and slugs that exist, by operation path's collection. */
type Known = Map<string, { id: string; slug: string; etag: string }[]>;

/** Longest query string. */
const QUERY_CHARS_MAX = 8_000;
/** Operations whose valid requests make the service call addresses of others. */
const OUTSIDE = ["uploadMedium"];
/** Problems after which there is no need for more. */
const PROBLEMS_MAX = 20;

/** Sends `rounds` requests to every operation, in an order that the seed decides. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { description, rounds, seed, skip = [] } = options;
  const random = seeded(seed);
  const check = answerCheck(description);
  const known: Known = new Map();
  const report: FuzzReport = { sent: 0, statuses: new Map(), problems: [] };
  const operations = operationsOf(description)
    .filter(({ operation }) => ![...OUTSIDE, ...skip].includes(operation.operationId));
  for (let count = 0; count < rounds * operations.length; count += 1) {
    const described = random.pick(operations);
    const made = makeRequest(options, described, known, random);
    const request = new Request(made.address, made.init);
    const response = await options.fetch(request);
    const text = await response.text();
    report.sent += 1;
    const name = `${described.operation.operationId} ${response.status}`;
    report.statuses.set(name, (report.statuses.get(name) ?? 0) + 1);
    const wrong = check(request.method, made.address, response, text);
    if (response.status >= 500) wrong.push("the service failed");
    wrong.push(...intentProblems(options, described, made, response, text));
    if (wrong.length > 0) {
      report.problems.push(
        `seed ${seed}, request ${report.sent}: ${made.intent} ${request.method} ` +
          `${made.address} ${made.body.slice(0, 300)} -> ${response.status} ` +
          `${text.slice(0, 300)}: ${wrong.join("; ")}`,
      );
      if (report.problems.length >= PROBLEMS_MAX) break;
    }
    remember(known, described, response, text);
  }
  return report;
}

function collectionOf({ path }: DescribedOperation): string {
  return path.split("/")[3]!;
}

/** Keeps what was created, so that other requests find it. */
function remember(
  known: Known,
  described: DescribedOperation,
  response: Response,
  text: string,
): void {
  const collection = collectionOf(described);
  const kept = known.get(collection) ?? [];
  known.set(collection, kept);
  if (response.status !== 201) return;
  const { id, slug } = JSON.parse(text);
  kept.push({ id, slug, etag: response.headers.get("etag") ?? "" });
  if (kept.length > 50) kept.shift();
}

function makeRequest(
  options: FuzzOptions,
  described: DescribedOperation,
  known: Known,
  random: Random,
): Made {
  const intent = random.pick<Intent>(["valid", "valid", "broken", "wild"]);
  const headers = new Headers({ accept: "application/json" });
  const full = intent !== "wild" || random.chance(0.7);
  const token = full ? options.token : random.pick(options.lesserTokens);
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  const body = described.operation.requestBody === undefined
    ? ""
    : makeBody(options.description, described, intent, headers, random);
  const address = makeAddress(options, described, known, intent, headers, random);
  const method = described.method === "GET" && random.chance(0.1) ? "HEAD" : described.method;
  return {
    intent,
    address,
    body,
    init: { method, headers, ...(body === "" ? {} : { body }) },
  };
}

function makeAddress(
  options: FuzzOptions,
  { path, parameters, ...rest }: DescribedOperation,
  known: Known,
  intent: Intent,
  headers: Headers,
  random: Random,
): string {
  const existing = random.pick(known.get(collectionOf({ path, parameters, ...rest })) ?? [null]);
  const query = new URLSearchParams();
  let url = path;
  const queried = parameters.filter((parameter) => parameter.in === "query");
  // Filters by name are many, and only one kind of parameter.
  const breakable = random.chance(0.5)
    ? queried
    : queried.filter(({ name }) => !name.startsWith("field."));
  const broken = intent === "broken" && rest.operation.requestBody === undefined
    ? random.pick([...breakable, null])
    : null;
  // A list has a parameter for each operator of each field; a query has room for a few.
  const chance = Math.min(0.25, OPTIONAL_PARAMETERS / parameters.length);
  for (const parameter of parameters) {
    if (parameter.in === "path") {
      const real = { id: existing?.id, slug: existing?.slug, n: "1" }[parameter.name as string];
      const value = real !== undefined && random.chance(0.8) ? real : strayStep(random);
      url = url.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
    } else if (parameter.in === "header") {
      if (random.chance(0.2)) headers.set(parameter.name, strayTag(existing?.etag, random));
    } else if (["wait", "since"].includes(parameter.name) && parameter !== broken) {
      // A valid wait takes seconds, and a cursor is made by the service alone.
      continue;
    } else if (parameter === broken) {
      for (const value of brokenTexts(parameter, random)) query.append(parameter.name, value);
    } else if (parameter.required === true || random.chance(chance)) {
      addParameter(options.description, query, parameter, random);
    }
  }
  if (intent === "wild" && random.chance(0.3)) {
    query.append(random.pick(["field.nothing", "field.", "sort", "x", "page"]), "%\u0000é");
  }
  // What is valid alone need not be valid together.
  if (query.has("cursor")) query.delete("page");
  if (query.has("at")) query.delete("q");
  if (/(^|,)random/.test(query.get("sort") ?? "")) {
    query.set("sort", "random");
    query.set("seed", "a");
  }
  if (query.get("draft") !== "true" || query.has("at")) query.delete("release");
  if (query.has("release")) query.delete("q");
  while (query.toString().length > QUERY_CHARS_MAX) query.delete([...query.keys()].at(-1)!);
  const text = query.toString();
  return (options.base ?? "http://localhost") + url + (text === "" ? "" : `?${text}`);
}

function strayStep(random: Random): string {
  return random.pick([randomUlid(random), "nowhere", "%", "a b", "é", "'", "0", "x".repeat(300)]);
}

function strayTag(etag: string | undefined, random: Random): string {
  return random.pick([etag ?? '"1"', '"nothing"', "*", 'W/"1"', "unquoted", '"a", "b"']);
}

/** Optional parameters of a request, on average. */
const OPTIONAL_PARAMETERS = 6;
/** Texts whose form no schema tells. */
const MADE_PARAMETERS: Record<string, string[]> = {
  cursor: [""],
  filter: [
    "{}",
    '{"or":[{"title":{"contains":"a"}},{"not":{"id":null}}]}',
    '{"createdAt":{"gt":1},"slug":["a","b"]}',
    '{"and":[{"status":{"ne":"draft"}},{"publishedAt":{"exists":true}}]}',
  ],
};

function addParameter(
  description: Loose,
  query: URLSearchParams,
  parameter: Loose,
  random: Random,
): void {
  const made = MADE_PARAMETERS[parameter.name];
  if (made !== undefined) return query.append(parameter.name, random.pick(made));
  const schema = resolve(description, parameter.schema);
  const value = fitting(schema, random);
  if (value === NOTHING) return;
  const values = (Array.isArray(value) ? value : [value]).map(String);
  if (values.length === 0) return;
  if (parameter.explode === false) query.append(parameter.name, values.join(","));
  else for (const single of values) query.append(parameter.name, single);
}

/** Texts that no reading of the parameter's schema admits. */
function brokenTexts(parameter: Loose, random: Random): string[] {
  const schema = parameter.schema.items ?? parameter.schema;
  if (schema.type === "integer" || schema.type === "number") {
    return [random.pick(["abc", "", "1,5", "0x1", "NaN", "--1"])];
  }
  if (schema.type === "boolean") return [random.pick(["yes", "", "TRUE!"])];
  if (schema.enum !== undefined) return ["no such choice"];
  if (schema.pattern !== undefined && schema.minLength === undefined) return ["no such form"];
  if (schema.minLength !== undefined) return [""];
  return ["x"];
}

function makeBody(
  description: Loose,
  { operation, method }: DescribedOperation,
  intent: Intent,
  headers: Headers,
  random: Random,
): string {
  const [type] = Object.keys(operation.requestBody.content) as [string];
  headers.set("content-type", type);
  const schema = resolve(description, operation.requestBody.content[type].schema);
  if (intent === "wild") return wildBody(headers, random);
  const body: { [name: string]: Json } = {};
  const properties = Object.entries<Loose>(schema.properties);
  for (const [name, property] of properties) {
    const demanded = schema.required?.includes(name) === true;
    if (!demanded && random.chance(0.6)) continue;
    const value = fitting(resolve(description, property), random);
    if (value !== NOTHING) body[name] = value;
  }
  // What a document needs to be published is another rule than those of single values.
  if (body.status !== undefined) body.status = "draft";
  // The slug of the address and that of the body are one.
  if (method === "PUT") delete body.slug;
  if (intent === "broken") breakBody(description, body, schema, random);
  return JSON.stringify(body);
}

function breakBody(
  description: Loose,
  body: { [name: string]: Json },
  schema: Loose,
  random: Random,
): void {
  if (schema.required !== undefined && random.chance(0.1)) delete body[schema.required[0]];
  else if (random.chance(0.2)) body.noSuchKey = 1;
  else {
    for (let tries = 0; tries < 20; tries += 1) {
      const [name, property] = random.pick(Object.entries<Loose>(schema.properties));
      const value = unfitting(resolve(description, property), random);
      if (value === NOTHING) continue;
      body[name] = value;
      return;
    }
    body.noSuchKey = 1;
  }
}

function wildBody(headers: Headers, random: Random): string {
  const type = random.pick(["application/json", "text/plain", "application/xml", "", "a/b; c=d"]);
  if (type === "") headers.delete("content-type");
  else headers.set("content-type", type);
  const text = JSON.stringify(anyJson(random, 4));
  return random.pick([
    text,
    text.slice(0, -1) || "{",
    JSON.stringify({ title: "T", [random.pick(["__proto__", "constructor", "length"])]: 1 }),
    `{"title":"\\ud800","slug":"${"a".repeat(200)}"}`,
    '{"title":1e999}',
    "[".repeat(70) + "]".repeat(70),
    '{"title":"\u0000"}',
    "null",
  ]);
}

/** Whether the service and the description agree on what is valid. */
function intentProblems(
  { description }: FuzzOptions,
  { operation, method }: DescribedOperation,
  { intent, body }: Made,
  { status }: Response,
  text: string,
): string[] {
  // A bulk request is answered line by line.
  const isBulk = operation.requestBody?.content["application/x-ndjson"] !== undefined;
  if (intent === "broken" && status < 300 && body !== "" && !isBulk) {
    return ["a broken body was accepted"];
  }
  if (intent !== "valid" || (status !== 422 && status !== 400)) return [];
  // The same key for two requests is a matter of chance.
  if (text.includes('"IDEMPOTENCY_KEY_REUSED"')) return [];
  if (body === "") return ["a valid query was refused"];
  const answer = JSON.parse(text);
  if (method !== "POST" && answer.error.code === "STATUS_TRANSITION_NOT_SUPPORTED") return [];
  const [content] = Object.values<Loose>(operation.requestBody.content);
  const schema = resolve(description, content.schema);
  const wrong = (answer.error.details ?? []).filter(({ field, code }: Loose) => {
    // Wild addresses are sent with valid bodies too.
    if (method === "PUT" && field === "slug" && code === "PATTERN_MISMATCH") return false;
    if (["INVALID_REFERENCE", "NOT_UNIQUE", "REQUIRED"].includes(code)) return false;
    return !isOpaque(schema.properties[String(field).split(".")[0]!]);
  });
  const told = answer.error.details !== undefined && wrong.length === 0;
  return told ? [] : ["a valid body was refused"];
}

/** Rules for what is inside are not described. */
function isOpaque(property: Loose): boolean {
  if (property === undefined) return false;
  const types = [property.type ?? []].flat();
  return types.length === 0 || types.includes("object") ||
    (types.includes("array") && property.items?.type === undefined);
}
