import { assert, assertEquals, assertRejects } from "@std/assert";
import { BODY_BYTES_MAX } from "../../../kv/limits/requests.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { readJsonObject } from "../../../routes/input/body.ts";

const JSON_TYPE = { "content-type": "application/json" };

function request(body: BodyInit | null, headers: Record<string, string> = JSON_TYPE): Request {
  return new Request("http://x/", { method: "POST", body, headers });
}

async function codeOf(refused: Request): Promise<string> {
  return (await assertRejects(() => readJsonObject(refused), Refusal)).code;
}

/** A body in pieces of 64 KiB that counts how many were taken. */
function stream(pieces: number) {
  const taken = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.pieces === pieces) return controller.close();
      taken.pieces += 1;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  }, { highWaterMark: 0 });
  return { body, taken };
}

Deno.test("readJsonObject() reads an object, keys as sent", async () => {
  const body = await readJsonObject(request('{"a":[1,"é",null],"__proto__":{"b":2}}'));

  assertEquals(Object.keys(body), ["a", "__proto__"]);
  assertEquals(body.a, [1, "é", null]);
  assertEquals(Object.getPrototypeOf(body), Object.prototype);
});

Deno.test("readJsonObject() accepts JSON content types and refuses others", async () => {
  const accepted = ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'];
  accepted.push("application/merge-patch+json", "application/json;profile=x");
  const refused = [
    "text/plain",
    "application/jsonp",
    "text/json",
    "application/json; charset=latin1",
  ];
  refused.push("multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "json", "");

  for (const type of accepted) {
    assertEquals(await readJsonObject(request('{"a":1}', { "content-type": type })), { a: 1 });
  }
  for (const type of refused) {
    assertEquals(await codeOf(request("{}", { "content-type": type })), "UNSUPPORTED_MEDIA_TYPE");
  }
  assertEquals(await codeOf(request(new TextEncoder().encode("{}"), {})), "UNSUPPORTED_MEDIA_TYPE");
  assertEquals(
    await codeOf(request("{}", { ...JSON_TYPE, "content-encoding": "gzip" })),
    "UNSUPPORTED_MEDIA_TYPE",
  );
});

Deno.test("readJsonObject() refuses bodies that are missing, not JSON, not an object or not UTF-8", async () => {
  for (const body of ["", "{", "nul", "[]", '"x"', "1", "null", "{a:1}", '{"a":1}x', "{'a':1}"]) {
    assertEquals(await codeOf(request(body)), "BODY_INVALID", body);
  }
  assertEquals(await codeOf(request(null)), "BODY_INVALID");
  assertEquals(await codeOf(request(null, {})), "BODY_INVALID");
  const latin1 = Uint8Array.from('{"a":"\xe9"}', (character) => character.charCodeAt(0));
  assertEquals(await codeOf(request(latin1)), "BODY_INVALID");
});

Deno.test("readJsonObject() refuses numbers beyond their range, wherever they are", async () => {
  for (const body of ['{"a":1e999}', '{"a":[{"b":-1e309}]}', `{"a":1${"0".repeat(309)}}`]) {
    assertEquals(await codeOf(request(body)), "BODY_INVALID", body);
  }
  assertEquals(await readJsonObject(request('{"a":1e308,"b":1e-999}')), { a: 1e308, b: 0 });
});

Deno.test("readJsonObject() accepts 64 levels and refuses 65", async () => {
  const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

  await readJsonObject(request(nested(64)));
  assertEquals(await codeOf(request(nested(65))), "BODY_INVALID");
  assertEquals(await codeOf(request(`{"a":${"[".repeat(2_000_000)}`)), "BODY_INVALID");
  const quoted = JSON.stringify({ a: `\\"${"[{".repeat(100)}\\` });
  assertEquals(await readJsonObject(request(quoted)), JSON.parse(quoted));
});

Deno.test("readJsonObject() refuses an announced length before it reads", async () => {
  const { body, taken } = stream(100);
  const announced = String(BODY_BYTES_MAX + 1);
  const refused = request(body, { ...JSON_TYPE, "content-length": announced });

  assertEquals(await codeOf(refused), "PAYLOAD_TOO_LARGE");
  assertEquals(taken.pieces, 0);
});

Deno.test("readJsonObject() stops reading when an unannounced body is too long", async () => {
  const { body, taken } = stream(1_000);

  assertEquals(await codeOf(request(body)), "PAYLOAD_TOO_LARGE");
  assertEquals(taken.pieces, Math.floor(BODY_BYTES_MAX / 65_536) + 1);
});

Deno.test("readJsonObject() accepts exactly the largest body, in pieces", async () => {
  const text = JSON.stringify({ a: "" });
  const full = `{"a":"${"x".repeat(BODY_BYTES_MAX - text.length)}"}`;
  const bytes = new TextEncoder().encode(full);

  const body = await readJsonObject(request(new Blob([bytes]).stream()));

  assertEquals((body.a as string).length, BODY_BYTES_MAX - text.length);
  assertEquals(await codeOf(request(`${full} `)), "PAYLOAD_TOO_LARGE");
});

Deno.test("readJsonObject() refuses a body that breaks off", async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error("connection reset")),
  });

  assertEquals(await codeOf(request(body)), "BODY_INVALID");
});

Deno.test("readJsonObject() refuses numbers that no double holds", async () => {
  const kept = [
    "9007199254740992",
    "-9007199254740991",
    "1152921504606847000",
    "1152921504606846976",
    "6039970041521250304",
    "-5237607578568066645098496",
    "1000000000000000000000",
    "1e20",
    "6.02e23",
    "0.1",
    "0.30000000000000004",
    "0.1000000000000000000000",
    "123456789123456.12",
    "1.7976931348623157e308",
    "5e-324",
    "0e-400",
    `1${"0".repeat(308)}`,
    '"9007199254740993"',
  ];
  const refused = [
    "123456789123456.12345",
    "-123456789123456.12345",
    "0.12345678901234567890",
    "3.141592653589793238",
    "9007199254740993.0",
    "9007199254740993e0",
    "9007199254740993",
    "-9007199254740993",
    "1152921504606846977",
    "1000000000000000000001",
    `1${"0".repeat(3_000_000)}1`,
  ];

  for (const text of kept) {
    assertEquals(await readJsonObject(request(`{"a":[${text}]}`)), { a: [JSON.parse(text)] });
  }
  for (const text of refused) {
    assertEquals(await codeOf(request(`{"a":[{"b":${text}}]}`)), "BODY_INVALID");
  }
});

/** Serves what a body is read as, or the code that refuses it. */
function serveBodies(): AsyncDisposable & { port: number; answers: string[] } {
  const answers: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const read = readJsonObject(request).then(JSON.stringify);
    const answer = await read.catch((error) => error instanceof Refusal ? error.code : `${error}`);
    answers.push(answer);
    return new Response(answer);
  });
  const { port } = server.addr;
  return { port, answers, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("readJsonObject() reads over a connection what belongs to the request", async () => {
  await using server = serveBodies();
  const cases: [rest: string, expected: string][] = [
    ['content-length: 7\r\n\r\n{"a":1}', '{"a":1}'],
    ['transfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n', '{"a":1}'],
    ["content-length: 0\r\n\r\n", "BODY_INVALID"],
    ["\r\n", "BODY_INVALID"],
    // The sender goes away in the middle.
    ['content-length: 100\r\n\r\n{"a":1}', "BODY_INVALID"],
  ];
  for (const [rest, expected] of cases) {
    const connection = await Deno.connect({ port: server.port, hostname: "127.0.0.1" });
    const head =
      "POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json";
    await connection.write(new TextEncoder().encode(`${head}\r\n${rest}`));
    if (rest.includes(": 100")) await connection.closeWrite();
    while (await connection.read(new Uint8Array(4_096)) !== null);
    connection.close();
    while (server.answers.length === 0) await new Promise((done) => setTimeout(done, 1));
    assertEquals(server.answers.pop(), expected, rest);
  }
});

Deno.test("readJsonObject() makes no buffers for pieces of a short body", async () => {
  await using server = serveBodies();
  const requests = 200;
  let made = 0;
  let before = Deno.memoryUsage().external;
  for (let n = 0; n < requests; n++) {
    const headers = { "content-type": "application/json" };
    await (await fetch(`http://127.0.0.1:${server.port}`, { method: "POST", headers, body: "{}" }))
      .text();
    const now = Deno.memoryUsage().external;
    made += Math.max(0, now - before);
    before = now;
  }
  assert(made / requests < 16_384, `${Math.round(made / requests)} bytes a request`);
});
