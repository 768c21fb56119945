/** Many bodies that stall: they are answered and let go, and the service continues. */
import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { UPLOAD_GRACE_MS } from "../../kv/limits/requests.ts";
import { Client } from "../support/harness/client.ts";
import { IMAGES } from "../support/sites/images.ts";
import { startService } from "../tour.ts";

const encoder = new TextEncoder();

/** A request that stalls after a part of its body. */
interface Stalled {
  name: string;
  line: string;
  type: string;
  part: Uint8Array;
}

const JSON_PART = encoder.encode("{");
const FORM = "multipart/form-data; boundary=B";
const IMAGE_HEAD = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n';
const IMAGE = `${IMAGE_HEAD}Content-Type: image/png\r\n\r\n`;
/** Where a form may stall: before its first part, in the headers of a part, in its file, and in a field. */
const FORM_PARTS: Record<string, Uint8Array> = {
  "a boundary": encoder.encode("--"),
  "the headers of a part": encoder.encode(IMAGE_HEAD),
  "a file": joined(encoder.encode(IMAGE), IMAGES["image/png"].subarray(0, 60)),
  "a field after the file": joined(
    encoder.encode(IMAGE),
    IMAGES["image/png"],
    encoder.encode('\r\n--B\r\nContent-Disposition: form-data; name="alt"\r\n\r\nA la'),
  ),
};
/** The start of an archive. */
const GZIP_PART = gzipSync(new Uint8Array(20_000).map((_, n) => n * n >> 3)).subarray(0, 500);

/** The routes that anyone may ask. */
const OPEN = [
  ...["setup", "setup/code", "session", "password-reset", "password-reset/confirm"],
  "address-confirmation",
].map((path) => `POST /api/admin/${path}`);
const JSON_ROUTES = [...OPEN, "POST /api/v1/notes", "PATCH /api/v1/notes/x", "POST /mcp"];
const FORM_ROUTES = [
  ...["POST /api/v1/media", "POST /api/admin/media", "POST /api/admin/media/missing"],
  ...["POST /api/admin/plugins", "POST /api/admin/themes"],
];
const GZIP_ROUTES = ["POST /api/admin/imports", "POST /api/admin/media/missing/archive"];
/** Routes that want no body, or none of this type. */
const OTHERS = [
  "POST /nowhere",
  "POST /api/v1/nothing",
  "POST /",
  "DELETE /api/v1/notes/x",
  ...OPEN,
];

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function allStalled(): Stalled[] {
  const json = JSON_ROUTES.map((line) => ({
    name: line,
    line,
    type: "application/json",
    part: JSON_PART,
  }));
  const forms = FORM_ROUTES.flatMap((line) =>
    Object.entries(FORM_PARTS).map(([place, part]) => ({
      name: `${line}, in ${place}`,
      line,
      type: FORM,
      part,
    }))
  );
  const archives = GZIP_ROUTES.map((line) => ({
    name: line,
    line,
    type: "application/gzip",
    part: GZIP_PART,
  }));
  const others = OTHERS.map((line) => ({
    name: `${line}, with a form`,
    line,
    type: FORM,
    part: FORM_PARTS["a file"]!,
  }));
  return [...json, ...forms, ...archives, ...others];
}

/** Sends the request and stalls; answers everything that came until the connection was closed. */
async function stall(
  { hostname, port }: URL,
  { token, cookie }: Client,
  { line, type, part }: Stalled,
  isChunked: boolean,
): Promise<string> {
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const length = isChunked ? "transfer-encoding: chunked" : "content-length: 100000";
  const head = `${line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n` +
    `cookie: ${cookie}\r\norigin: http://a\r\ncontent-type: ${type}\r\n${length}\r\n\r\n`;
  const size = encoder.encode(`${part.byteLength.toString(16)}\r\n`);
  const body = isChunked ? joined(size, part, encoder.encode("\r\n")) : part;
  await connection.write(joined(encoder.encode(head), body));
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of connection.readable) text += decoder.decode(piece);
  } catch (error) {
    // Reset, as it was closed before everything that was sent had been read.
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  return text;
}

Deno.test("bodies that stall are refused in time, and their connections are closed", async () => {
  await using service = await startService();
  const client = new Client(service.origin);
  await client.setUp({ slug: "notes", name: "Notes", fields: [] });
  const requests = allStalled().flatMap((one) =>
    [true, false].map((chunked) => ({ one, chunked }))
  );
  assert(requests.length >= 80);
  const url = new URL(service.origin);
  const begun = performance.now();
  const open = new Set<string>();
  const all = Promise.all(requests.map(async ({ one, chunked }) => {
    const name = `${one.name}${chunked ? ", chunked" : ""}`;
    open.add(name);
    const text = await stall(url, client, one, chunked);
    open.delete(name);
    return { name, text };
  }));
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), UPLOAD_GRACE_MS + 15_000);
  const ended = await Promise.race([all, late.promise]);
  clearTimeout(timer);
  assertEquals([...open], [], `open after ${performance.now() - begun} ms`);
  const wrong = ended!.filter(({ text }) => !/^HTTP\/1.1 [2-4]\d\d /.test(text));
  assertEquals(wrong.map(({ name, text }) => [name, text.slice(0, 40)]), []);
  // For a moment between two servers nothing listens.
  await new Promise((done) => setTimeout(done, 200));
  assertEquals((await client.call("GET", "/api/v1/notes")).status, 200);
  // Nothing of what was begun is left.
  const { json } = await client.call("GET", "/api/admin/media");
  assertEquals(json.meta.total, 0);
});
