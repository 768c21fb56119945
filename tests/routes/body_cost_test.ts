/** What a hostile body costs: next to nothing on a route that is open, little more than parsing it elsewhere. */
import process from "node:process";
import { BODY_BYTES_MAX } from "../../kv/limits/requests.ts";
import { CREDENTIAL_BODY_BYTES_MAX, OBJECT_KEYS_MAX } from "../../routes/input/limits.ts";
import { endpointsOf, pathOf } from "../support/sites/admin_endpoints.ts";
import { answered, assertRefusal } from "../support/sites/admin_answers.ts";
import { callApp, type TestApp, testApp } from "../support/sites/app.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { FIELDS } from "../support/sites/headless.ts";
import { isWholeRun } from "../support/harness/whole_run.ts";

const JSON_TYPE = { "content-type": "application/json" };
const encoder = new TextEncoder();
/** Times the cost of parsing the same body. */
const RATIO_MAX = 5;
/** And times the cost of parsing a fixed body, for the work of a request itself: 45 ms on a quiet machine. */
const FIXED_RATIO_MAX = 4;
/** Bytes of a body on a route that needs a session or token. */
const HOSTILE_BYTES = 2_000_000;

/** A body in pieces that counts how many were taken. */
function counted(bytes: number) {
  const taken = { bytes: 0 };
  const piece = new Uint8Array(65_536).fill(0x20);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.bytes >= bytes) return controller.close();
      taken.bytes += piece.byteLength;
      controller.enqueue(piece);
    },
  }, { highWaterMark: 0 });
  return { body, taken };
}

Deno.test("routes that anyone may ask read no more of a body than credentials take", async () => {
  await using test = await testApp();
  const open = endpointsOf(test.app).filter(({ least, body }) =>
    least === "open" && body === "json"
  );
  assertEquals(open.length, 8);
  for (const [index, endpoint] of open.entries()) {
    const { body, taken } = counted(BODY_BYTES_MAX);
    const address = `203.0.113.${index}`;
    const path = `/api/admin${pathOf(endpoint)}`;
    const answer = await callApp(test.app, endpoint.method, path, {
      raw: body,
      headers: JSON_TYPE,
      address,
    });
    assertRefusal(answer, 413, "PAYLOAD_TOO_LARGE");
    assert(taken.bytes <= CREDENTIAL_BODY_BYTES_MAX + 65_536, `${path} took ${taken.bytes} bytes`);
    const headers = { ...JSON_TYPE, "content-length": `${CREDENTIAL_BODY_BYTES_MAX + 1}` };
    const announced = await callApp(test.app, "POST", path, { raw: "{}", headers, address });
    assertRefusal(announced, 413, "PAYLOAD_TOO_LARGE");
  }
});

Deno.test("routes that anyone may ask count a request before they read its body", async () => {
  await using test = await testApp();
  const open = endpointsOf(test.app).filter(({ least, body }) =>
    least === "open" && body === "json"
  );
  for (const [index, endpoint] of open.entries()) {
    const path = `/api/admin${pathOf(endpoint)}`;
    const ask = (raw: BodyInit) =>
      callApp(test.app, "POST", path, { raw, headers: JSON_TYPE, address: `203.0.113.${index}` });
    for (let tried = 0; tried < 10; tried++) assertEquals((await ask("{")).status, 400, path);
    const { body, taken } = counted(BODY_BYTES_MAX);
    const { status } = await ask(body);
    // A reset never tells that it was one too many.
    assertEquals(status, endpoint.path === "/password-reset" ? 202 : 429, path);
    assertEquals(taken.bytes, 0, path);
  }
});

/** Values that cost far more to build or to check than to read. */
const HOSTILE: Record<string, string> = {
  "keys": `{${repeated((n) => `"k${n}":1`)}}`,
  "keys and a long number": `{${repeated((n) => `"k${n}":1`)},"n":1234567890123456}`,
  "objects of many keys": `[${
    repeated(() => `{${manyKeys()}}`, HOSTILE_BYTES / manyKeys().length)
  }]`,
  "numbers and a long one": `[${repeated(() => "1")},1234567890123456]`,
  "long numbers": `[${repeated(() => "1234567890123456")}]`,
  "large exponents": `[${repeated(() => "1e100")}]`,
  "empty objects": `[${repeated(() => "{}")}]`,
  "texts": `[${repeated(() => '"a"')}]`,
  "levels": `[${repeated(() => "[[[[[[]]]]]]")}]`,
};

function manyKeys(): string {
  return Array.from({ length: OBJECT_KEYS_MAX }, (_, n) => `"k${n}":1`).join();
}

function repeated(
  one: (n: number) => string,
  times = HOSTILE_BYTES / (one(100_000).length + 1),
): string {
  return Array.from({ length: Math.floor(times) }, (_, n) => one(n)).join();
}

/** The keys of a route's body whose values may be lists or objects. */
const KEYS: Record<string, string[]> = {
  "/roles": ["permissions", "collections"],
  "/users": ["roles"],
  "/tokens": ["scopes", "allowedOrigins"],
  "/webhooks": ["events", "collections", "filter"],
  "/collections": ["fields"],
  "/collections/:slug/fields": ["options"],
  "/blocks": ["fields"],
  "/settings": ["site.menu", "packages.publishers", "embeds.hosts", "media.crops"],
  "/media/organize": ["ids", "tags"],
};

/** The fields of a document whose values may be lists or objects. */
const DOCUMENT_KEYS = ["body", "tags", "extra", "gallery", "seo", "sections", "unknown"];

/** In whole runs every third kind of value goes to a key. */
const KINDS_APART = 3;

interface Target {
  name: string;
  ask: (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;
  keys: string[];
}

async function targetsOf(test: TestApp): Promise<Target[]> {
  await test.collection({ slug: "posts", name: "Posts", fields: FIELDS });
  const token = await test.token();
  const admin = endpointsOf(test.app)
    .filter(({ least, body }) => least !== "open" && ["json", "any"].includes(body))
    .map((endpoint): Target => ({
      name: `${endpoint.method} ${endpoint.path}`,
      keys: KEYS[endpoint.path] ?? ["unknown"],
      ask: (raw) =>
        test.admin(endpoint.method, pathOf(endpoint).replace("nothing", "posts"), undefined, {
          raw,
          headers: JSON_TYPE,
        }),
    }));
  const { json: { id } } = answeredOnce(
    await test.call("POST", "/api/v1/posts", { token, body: { title: "T" } }),
  );
  const v1 = [["POST", "/api/v1/posts"], ["PATCH", `/api/v1/posts/${id}`], ["POST", "/mcp"]]
    .map(([method, path]): Target => ({
      name: `${method} ${path}`,
      keys: DOCUMENT_KEYS,
      ask: (raw) => test.call(method!, path!, { token, raw, headers: JSON_TYPE }),
    }));
  return [...admin, ...v1];
}

function answeredOnce<T extends { status: number }>(answer: T): T {
  assertEquals(answer.status, 201);
  return answer;
}

/** Processor time of this process so far, milliseconds: other processes do not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function fastest(work: () => unknown): number {
  let best = Infinity;
  for (let run = 0; run < 2; run++) {
    const from = processorMs();
    work();
    best = Math.min(best, processorMs() - from);
  }
  return best;
}

Deno.test("no write costs much more than parsing its body", async () => {
  await using test = await testApp();
  answered(await test.setUp(), 201);
  const slow: string[] = [];
  const targets = await targetsOf(test);
  assert(targets.length > 30);
  const kinds = Object.entries(HOSTILE);
  for (const [kindIndex, [kind, value]] of kinds.entries()) {
    const bound = () =>
      RATIO_MAX * fastest(() => JSON.parse(`{"unknown":${value}}`)) +
      FIXED_RATIO_MAX * fastest(() => JSON.parse(HOSTILE["empty objects"]!));
    let most = bound();
    let pair = 0;
    for (const { name, keys, ask } of targets) {
      for (const key of keys) {
        // Each key gets one kind of value, in whole runs three, and each kind goes to many routes.
        const isChosen = isWholeRun
          ? pair++ % KINDS_APART === kindIndex % KINDS_APART
          : pair++ % kinds.length === kindIndex;
        if (!isChosen) continue;
        const bytes = encoder.encode(`{"title":"T","${key}":${value}}`);
        let took = 0;
        // Only a cost that comes again is one of the body.
        for (let tried = 0; tried < 3; tried++) {
          const from = processorMs();
          await ask(bytes);
          took = processorMs() - from;
          if (took <= most) break;
          // The speed of the machine changes: compare with parsing at about the same time.
          most = bound();
          if (took <= most) break;
        }
        if (took > most) slow.push(`${name} ${key}, ${kind}: ${took | 0} of ${most | 0} ms`);
      }
    }
  }
  assertEquals(slow, []);
});
