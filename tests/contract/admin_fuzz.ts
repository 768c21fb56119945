/**
 * The admin API under hostile hands: every endpoint with bodies that are right, nearly right and wild,
 * with ids that are there and that are not. Nothing may fail, hang, leak a secret, or lock everybody out.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { ADMINISTRATOR } from "../../kv/model/entities/permission.ts";
import { BODIES, type Known, NEEDED, QUERIES } from "./admin_bodies.ts";
import { type Endpoint, endpointsOf } from "../support/sites/admin_endpoints.ts";
import type { Answer, Call, TestApp } from "../support/sites/app.ts";
import { inTime } from "../support/harness/in_time.ts";
import { IMAGES } from "../support/sites/images.ts";
import { type Random, seeded } from "./random.ts";
import { anyJson, randomUlid } from "./value_maker.ts";

/** What came of it. */
export interface AdminFuzzReport {
  sent: number;
  /** Endpoints that answered with success, as `METHOD /path`. */
  reached: Set<string>;
  /** What was wrong, with the request that shows it. */
  problems: string[];
}

/** Problems after which there is no need for more. */
const PROBLEMS_MAX = 10;
/** A request that takes longer hangs; milliseconds. */
const TIMEOUT_MS = 10_000;
/** Requests after which the jobs that they have made are run. */
const JOBS_EVERY = 150;
/** What no answer may hold. */
const SECRETS = ["passwordHash", "previousHash", "hush-hush", "$scrypt", '"hash"'];
/**
 * Left out: they could end the session that all others need; what only a WebSocket opens; and pushes of the
 * schema, which name the tag that an answer has told.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  "DELETE /session",
  "DELETE /sessions/:id",
  "DELETE /users/:id/factors",
  "DELETE /users/:id/sessions",
  "DELETE /users/:id/sessions/:sessionId",
  "GET /documents/:id/live",
  "GET /documents/:id/translations/:language/live",
  "POST /schema/push",
  "POST /schema/pushes/:id/revert",
  "GET /schema/jobs/:id",
]);

const XLIFF: Call = { headers: { "content-type": "application/xliff+xml" } };

/** The beginning of a gzip file. */
const bytesOfNothing = new Uint8Array([0x1f, 0x8b, 8, 0, 1]);
/** What there must be for others to have something to work on; some of it is sent broken. */
const BEGINNING = [
  ...new Array(8).fill("POST /collections"),
  ...new Array(8).fill("POST /documents"),
  ...new Array(24).fill("PATCH /documents/:id"),
];
/**
 * What follows, unbroken and in this order, so that things of things come to be. After it every endpoint has
 * its turn unbroken, those that take things away last.
 */
const SEQUENCE: readonly (readonly [times: number, endpoint: string])[] = [
  [12, "POST /documents/:id/publish"],
  [12, "PATCH /documents/:id/working-copy"],
  [12, "GET /documents/:id/working-copy"],
  [24, "DELETE /documents/:id/working-copy"],
  [4, "POST /documents/:id/unpublish"],
  [6, "POST /documents/:id/comments"],
  [4, "PATCH /documents/:id/comments/:commentId"],
  [3, "DELETE /documents/:id/comments/:commentId"],
  [12, "POST /documents"],
  [24, "POST /documents/:id/review"],
  [12, "POST /documents/:id/review/return"],
  [24, "POST /documents/:id/review"],
  [24, "DELETE /documents/:id/review"],
  [12, "POST /documents/:id/schedule"],
  [4, "POST /documents/:id/preview"],
  [2, "DELETE /previews/:id"],
  [6, "POST /webhooks"],
  [12, "POST /webhooks/:id/test"],
  [8, "PATCH /webhooks/:id"],
  [6, "GET /webhooks/:id/deliveries"],
  [12, "POST /webhooks/:id/deliveries/:deliveryId/resend"],
  [1, "GET /plugins"],
  [1, "GET /themes"],
  [2, "GET /plugins/:id/deliveries"],
  [4, "POST /plugins/:id/deliveries/:deliveryId/resend"],
  [12, "POST /releases"],
  [16, "PUT /releases/:id/documents/:documentId"],
  [48, "POST /releases/:id/publish"],
  [24, "POST /releases/:id/revert"],
  [24, "PUT /releases/:id/documents/:documentId"],
  [6, "DELETE /releases/:id/documents/:documentId"],
  [4, "POST /releases"],
  [12, "POST /releases/:id/preview"],
  [24, "PUT /documents/:id/translations/:language"],
  [24, "GET /documents/:id/translations/:language"],
  [12, "PATCH /documents/:id/translations/:language"],
  [24, "POST /documents/:id/translations/:language/review"],
  [24, "POST /documents/:id/translations/:language/review/return"],
  [24, "POST /documents/:id/translations/:language/review"],
  [24, "DELETE /documents/:id/translations/:language/review"],
  [12, "POST /documents/:id/translations/:language/publish"],
  [24, "PATCH /documents/:id/translations/:language/working-copy"],
  [24, "GET /documents/:id/translations/:language/working-copy"],
  [24, "DELETE /documents/:id/translations/:language/working-copy"],
  [12, "POST /documents/:id/translations/:language/unpublish"],
  [24, "POST /documents/:id/translations/:language/schedule"],
  [12, "POST /documents/:id/translations/:language/accept"],
  [24, "POST /documents/:id/translations/:language/copy"],
  [12, "POST /documents/:id/translations/:language/preview"],
  [12, "DELETE /documents/:id/translations/:language"],
  [6, "POST /documents/:id/original"],
  [6, "DELETE /documents/:id"],
  [24, "POST /documents/:id/untrash"],
  [6, "DELETE /documents/:id"],
  [24, "POST /documents/:id/remove"],
  [6, "POST /blocks"],
  [6, "POST /roles"],
  [12, "POST /collections"],
  [12, "POST /users"],
  [12, "POST /users/:id/invitation"],
];
/** Parameters whose thing is one of another's: both are picked together. */
const PARTS: Readonly<Record<string, string>> = {
  commentId: "id",
  deliveryId: "id",
  documentId: "id",
  name: "slug",
};
const HOSTILE_SEGMENTS = ["x", "%00", "%FF", "..%2f", "__proto__", "constructor", "a".repeat(500)];

/** Sends `rounds` requests to every endpoint, in an order that the seed decides. */
export async function fuzzAdmin(
  test: TestApp,
  { seed, rounds, files = [] }: { seed: number; rounds: number; files?: Uint8Array[] },
): Promise<AdminFuzzReport> {
  const random = seeded(seed);
  const known = new KnownThings();
  const uploads = [IMAGES["image/png"], new Uint8Array(0), bytesOfNothing, ...files];
  const report: AdminFuzzReport = { sent: 0, reached: new Set(), problems: [] };
  const endpoints = endpointsOf(test.app).filter((one) => !LEFT_OUT.has(nameOf(one)));
  const sequence = SEQUENCE.flatMap(([times, name]) => new Array<string>(times).fill(name));
  const begun = [...BEGINNING, ...sequence]
    .map((name) => endpoints.find((one) => nameOf(one) === name)!)
    .concat(endpoints.filter((one) => !takesAway(one)).flatMap((one) => [one, one, one]))
    .concat(
      endpoints.filter(({ method }) => method === "DELETE").flatMap((one) =>
        new Array<Endpoint>(8).fill(one)
      ),
    );
  for (let count = 0; count < rounds * endpoints.length; count++) {
    const endpoint = begun[count] ?? random.pick(endpoints);
    const intact = count >= BEGINNING.length && count < begun.length;
    if (!intact && takesAway(endpoint) && random.chance(0.9)) continue;
    // What one step of the sequence has begun, jobs end before the next.
    if (intact && endpoint !== begun[count - 1]) await test.runner.drain();
    const path = addressOf(endpoint, known, random, intact);
    const call = callOf(endpoint, known, random, uploads, intact);
    const asked = test.admin(endpoint.method, path, undefined, call);
    const answer = await inTime(asked, TIMEOUT_MS, () => null);
    report.sent += 1;
    const problem = faultOf(answer) ?? await lockedOut(test, endpoint);
    if (problem !== null) {
      const body = typeof call.raw === "string" ? call.raw.slice(0, 500) : "";
      const seen = answer === null ? "" : `${answer.status} ${answer.text.slice(0, 300)}`;
      report.problems.push(
        `seed ${seed}, request ${report.sent}: ${endpoint.method} ${path} ${body} -> ${seen}: ${problem}`,
      );
      if (report.problems.length >= PROBLEMS_MAX || answer === null) break;
    }
    if (answer !== null && answer.status < 300) {
      report.reached.add(nameOf(endpoint));
      known.learn(endpoint, path, answer.json);
    }
    if (report.sent % JOBS_EVERY === 0) await test.runner.drain();
  }
  return report;
}

/** Whether an endpoint takes things away; others need them. */
function takesAway({ method, path }: Endpoint): boolean {
  return method === "DELETE" || path === "/restore";
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function faultOf(answer: Answer | null): string | null {
  if (answer === null) return "it hangs";
  const { status, headers, json, text } = answer;
  if (status >= 500) return "the service failed";
  if (headers.get("x-request-id") === null) return "no X-Request-Id";
  const secret = SECRETS.find((one) => text.includes(one));
  if (secret !== undefined) return `it tells ${secret}`;
  if (status < 400) return null;
  const { code, message, details = [] } = json?.error ?? {};
  if (typeof code !== "string" || typeof message !== "string") return "no envelope";
  const isDetail = (one: Record<string, Json>) =>
    ["field", "code", "message"].every((key) => typeof one[key] === "string") &&
    Object.keys(one).length === 3;
  return Array.isArray(details) && details.every(isDetail) ? null : "a detail of another shape";
}

/** Whether nobody is left who may do everything and has a password to sign in with. */
async function lockedOut({ deps }: TestApp, { method }: Endpoint): Promise<string | null> {
  if (method === "GET") return null;
  const access = await deps.people.access.current();
  const isIn = [...access.users.values()].some(({ id, passwordHash }) =>
    passwordHash !== null && access.authorityOf(id)[ADMINISTRATOR]
  );
  return isIn ? null : "no administrator is left";
}

function addressOf(
  { method, path }: Endpoint,
  known: Known,
  random: Random,
  intact: boolean,
): string {
  const part = Object.keys(PARTS).find((name) =>
    `${path}/`.includes(`:${name}/`) && path.includes(`:${PARTS[name]}/`)
  );
  // What is put into a whole is not in it yet.
  const [whole, ofWhole] = part === undefined || method === "PUT"
    ? []
    : known.pick(`${part} of`, random).split("/");
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    if (!intact && random.chance(0.1)) return random.pick(HOSTILE_SEGMENTS);
    if (!intact && random.chance(0.1)) return randomUlid(random);
    if (ofWhole !== undefined && name === part) return encodeURIComponent(ofWhole);
    if (ofWhole !== undefined && name === PARTS[part!]) return encodeURIComponent(whole!);
    return encodeURIComponent(known.pick(kindOf(path, name), random));
  });
  if (intact) return filled;
  const needed = NEEDED[path];
  if (needed !== undefined && random.chance(0.5)) return `${filled}?${needed}`;
  return random.chance(0.3) ? `${filled}?${random.pick(QUERIES)}` : filled;
}

function kindOf(path: string, name: string): string {
  if (path.startsWith("/blocks")) return "block";
  if (path.startsWith("/collections")) return name === "slug" ? "slug" : "field";
  if (name === "documentId") return "documents";
  return name === "id" || name === "entityId" ? path.split("/")[1]! : name;
}

function callOf(
  endpoint: Endpoint,
  known: Known,
  random: Random,
  uploads: Uint8Array[],
  intact: boolean,
): Call {
  const { body } = endpoint;
  if (body === "none") return {};
  const isUpload = body === "multipart" || body === "gzip" || body === "xliff" ||
    (body === "package" && random.chance(0.3));
  if (intact && body === "multipart") {
    const form = new FormData();
    form.append("file", new File([IMAGES["image/png"]!.slice()], "a.png"));
    return { raw: form };
  }
  if (intact && body === "xliff") return { ...XLIFF, raw: "<xliff/>" };
  if (isUpload && !intact && random.chance(0.8)) return upload(body, random, uploads);
  const made = BODIES[nameOf(endpoint)]?.(known, random) ?? {};
  if (intact) return { raw: JSON.stringify(made), headers: { "content-type": "application/json" } };
  const broken = random.chance(0.5)
    ? made
    : random.chance(0.8)
    ? breakOne(made, random)
    : wild(random);
  const type = random.chance(0.95) ? "application/json" : "text/plain";
  let raw = JSON.stringify(broken);
  if (random.chance(0.05)) raw = raw.slice(0, random.below(raw.length));
  return { raw, headers: { "content-type": type } };
}

function upload(kind: string, random: Random, uploads: Uint8Array[]): Call {
  const bytes = random.pick(uploads).slice();
  if (kind === "gzip") return { raw: bytes, headers: { "content-type": "application/gzip" } };
  if (kind === "xliff") return { ...XLIFF, raw: bytes };
  const form = new FormData();
  const part = random.chance(0.9) ? kind === "package" ? "package" : "file" : "x";
  const filename = random.chance(0.7)
    ? "a.png"
    : random.pick(["", "../a.svg", "a.png.js", "\0.png"]);
  form.append(part, new File([bytes], filename));
  if (random.chance(0.3)) form.append(random.pick(["alt", "accept", "file", "x"]), "x");
  return { raw: form };
}

function wild(random: Random): Json {
  return anyJson(random, 4);
}

/** The body with one value somewhere in it taken out, replaced or added. */
function breakOne(body: Json, random: Random): Json {
  if (typeof body !== "object" || body === null || random.chance(0.1)) return anyJson(random, 3);
  if (Array.isArray(body)) {
    if (body.length === 0) return [anyJson(random, 2)];
    const at = random.below(body.length);
    return body.map((one, index) => index === at ? breakOne(one, random) : one);
  }
  const keys = Object.keys(body);
  if (keys.length === 0 || random.chance(0.1)) {
    return { ...body, [random.pick(["extra", "id", "__proto__", ""])]: anyJson(random, 2) };
  }
  const key = random.pick(keys);
  const { [key]: value, ...rest } = body;
  return random.chance(0.2) ? rest : { ...rest, [key]: breakOne(value!, random) };
}

/** What answers have told, by kind. */
class KnownThings implements Known {
  readonly #things = new Map<string, string[]>();

  pick(kind: string, random: Random): string {
    const things = this.#things.get(kind) ?? [];
    return things.length === 0 ? "nothing" : random.pick(things);
  }

  learn({ path }: Endpoint, address: string, json: Answer["json"]): void {
    const [, family = "", , sub] = path.split("/");
    const whole = address.split(/[/?]/)[2] ?? "";
    const shown = Array.isArray(json?.data) ? json.data.slice(0, 20) : [json];
    for (const one of shown) {
      if (typeof one !== "object" || one === null) continue;
      if (family === "collections" && "slug" in one) this.#add("slug", one.slug);
      if (family === "collections") {
        const slug = one.fields === undefined ? whole : one.slug;
        for (const { name } of one.fields ?? [one]) {
          this.#add("field", name);
          if (name !== undefined) this.#add("name of", `${slug}/${name}`);
        }
      }
      for (const { id } of family === "releases" ? one.documents ?? [] : []) {
        this.#add("documentId of", `${one.id}/${id}`);
      }
      if (family === "blocks") this.#add("block", one.name);
      if (family === "versions") this.#add("versionId", one.id);
      else if (sub === "preview") this.#add("previews", one.id);
      else if (sub === "comments") this.#add("commentId of", `${whole}/${one.id}`);
      else if (sub === "deliveries" || sub === "test") {
        this.#add("deliveryId of", `${whole}/${one.id}`);
      } else this.#add(family, one.id);
      if (family === "documents") this.#add("versions", one.id);
      this.#add("jobs", one.jobId);
    }
    this.#add("entityType", "document");
    this.#add("language", "fr");
  }

  #add(kind: string, thing: unknown): void {
    if (typeof thing !== "string" || thing === "") return;
    const things = this.#things.get(kind) ?? [];
    this.#things.set(kind, things);
    if (!things.includes(thing)) things.push(thing);
    if (things.length > 30) things.shift();
  }
}
