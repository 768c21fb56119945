import { assert, assertEquals } from "@std/assert";
import { listVersions } from "../../../../kv/versioning/versions.ts";
import { MEDIA_BYTES_MAX } from "../../../../kv/limits/media.ts";
import { MEDIA_MIMES } from "../../../../kv/model/entities/media.ts";
import { joinBytes } from "../../../../kv/objects/object_bytes.ts";
import { NOON, testContext } from "../../../support/harness/context.ts";
import { FaultyObjects } from "../../../support/stores/faulty_objects.ts";
import { IMAGES, paddedPng, SECRET_PLACE, talkativeJpeg } from "../../../support/sites/images.ts";
import { formOf, mediaApp, objectKeys, upload } from "../../../support/sites/media_app.ts";

const DAY = 86_400_000;
const encoder = new TextEncoder();

async function errorOf(response: Response): Promise<{ status: number; code: string }> {
  const { error } = await response.json();
  return { status: response.status, code: error.code };
}

/** A multipart body as raw pieces, for what no client sends. */
function rawBody(file: Uint8Array, options: { head?: string; tail?: string } = {}): Uint8Array {
  const head = options.head ??
    `--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  return joinBytes([encoder.encode(head), file, encoder.encode(options.tail ?? "\r\n--B--\r\n")]);
}

function rawRequest(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/api/admin/media", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=B", ...headers },
    body,
  });
}

Deno.test("GET /api/admin/media/limits answers exactly what the specification names", async () => {
  await using context = await testContext();
  for (const enabled of [false, true]) {
    const app = mediaApp(context, { settings: { "images.transform_enabled": enabled } });

    const response = await app.request("/api/admin/media/limits");

    assertEquals(response.status, 200);
    assertEquals(await response.json(), {
      maxBytes: 25_000_000,
      allowedMimes: ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"],
      transformsEnabled: enabled,
    });
  }
});

Deno.test("POST /api/admin/media stores a picture of each type with its facts", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  for (const mime of MEDIA_MIMES) {
    const body = formOf(IMAGES[mime], "Foto ü.bin", { alt: "A picture" });

    const response = await app.request("/api/admin/media", { method: "POST", body });

    assertEquals(response.status, 201);
    const view = await response.json();
    assertEquals(response.headers.get("location"), `/api/admin/media/${view.id}`);
    assertEquals(view, {
      id: view.id,
      filename: "Foto ü.bin",
      mime,
      bytes: IMAGES[mime].byteLength,
      width: mime === "image/gif" ? 1 : 6,
      height: mime === "image/gif" ? 1 : 4,
      alt: "A picture",
      url: `/media/${view.id}/Foto%20%C3%BC.bin`,
      createdAt: NOON / 1000,
    });
  }
});

Deno.test("POST /api/admin/media takes alt after the file as well as before", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const form = formOf(IMAGES["image/png"]);
  form.append("alt", "behind");

  const response = await app.request("/api/admin/media", { method: "POST", body: form });

  assertEquals((await response.json()).alt, "behind");
});

Deno.test("POST /api/admin/media refuses by Content-Length before a byte is read", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  let pulled = 0;
  const body = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 });

  const response = await app.request(rawRequest(body, { "content-length": "26000000" }));

  assertEquals(await errorOf(response), { status: 413, code: "PAYLOAD_TOO_LARGE" });
  assertEquals(pulled, 0);
});

Deno.test("POST /api/admin/media counts while streaming when the length lies or is missing", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  for (const headers of [{}, { "content-length": "100" }] as Record<string, string>[]) {
    let sent = 0;
    const endless = encoder.encode("\x7f\x7f\x7f\x7fpaDd");
    const png = joinBytes([IMAGES["image/png"].subarray(0, 33), endless]);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = sent === 0 ? rawBody(png, { tail: "" }) : new Uint8Array(65_536);
        sent += piece.byteLength;
        controller.enqueue(piece);
      },
    }, { highWaterMark: 0 });

    const response = await app.request(rawRequest(body, headers));

    assertEquals(await errorOf(response), { status: 413, code: "PAYLOAD_TOO_LARGE" });
    assert(sent < 26_000_000, `read ${sent} bytes`);
    assertEquals(await objectKeys(context, ""), []);
  }
});

Deno.test("POST /api/admin/media takes a file of exactly maxBytes and none of a byte more", async () => {
  await using context = await testContext();
  const app = mediaApp(context);

  const taken = await upload(app, paddedPng(MEDIA_BYTES_MAX));
  const body = formOf(paddedPng(MEDIA_BYTES_MAX + 1));
  const refused = await app.request("/api/admin/media", { method: "POST", body });
  // Too large comes before no image.
  const zeros = formOf(new Uint8Array(MEDIA_BYTES_MAX + 1));
  const alsoRefused = await app.request("/api/admin/media", { method: "POST", body: zeros });

  assertEquals(taken.bytes, MEDIA_BYTES_MAX);
  assertEquals(alsoRefused.status, 413);
  assertEquals(await errorOf(refused), { status: 413, code: "PAYLOAD_TOO_LARGE" });
  assertEquals((await objectKeys(context, "")).length, 1);
});

Deno.test("POST /api/admin/media trusts the bytes, not the name nor the declared type", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const impostors = ["", "<svg/>", "<script>alert(1)</script>", "BM66666", "GIF88a", "\x89PNG\r\n"];
  for (const text of impostors) {
    const form = new FormData();
    form.set("file", new File([text], "a.png", { type: "image/png" }));

    const response = await app.request("/api/admin/media", { method: "POST", body: form });

    assertEquals(await errorOf(response), { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" }, text);
  }
  assertEquals(await objectKeys(context, ""), []);
  assertEquals((await upload(app, IMAGES["image/gif"], "a.png")).mime, "image/gif");
});

Deno.test("POST /api/admin/media refuses a picture whose size cannot be read", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  for (const bytes of [IMAGES["image/png"].slice(0, 20), IMAGES["image/jpeg"].slice(0, 30)]) {
    const body = formOf(bytes);

    const response = await app.request("/api/admin/media", { method: "POST", body });

    assertEquals(await errorOf(response), { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
  }
  assertEquals(await objectKeys(context, ""), []);
});

Deno.test("POST /api/admin/media refuses names of code, whatever the bytes", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  for (const name of ["a.html", "a.SVG", "a.js", "a.png.js", "a.js.png", "a.html.", "x/a.svg "]) {
    const body = formOf(IMAGES["image/png"], name);

    const response = await app.request("/api/admin/media", { method: "POST", body });

    assertEquals(await errorOf(response), { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" }, name);
  }
  assertEquals(await objectKeys(context, ""), []);
});

Deno.test("POST /api/admin/media refuses malformed forms and leaves nothing behind", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const png = IMAGES["image/png"];
  const field = (name: string, value: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--B\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  const after = (text: string) => rawBody(png, { tail: `\r\n${text}--B--\r\n` }) as BodyInit;
  const other = { "content-type": "application/json" };
  const cases: [string, Request, number, string][] = [
    ["no form", rawRequest("{}", other), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["no type", rawRequest("{}", { "content-type": "" }), 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "no boundary",
      rawRequest("x", { "content-type": "multipart/form-data" }),
      400,
      "BODY_INVALID",
    ],
    ["cut in the file", rawRequest(rawBody(png, { tail: "" }) as BodyInit), 400, "BODY_INVALID"],
    [
      "cut after it",
      rawRequest(rawBody(png, { tail: "\r\n--B" }) as BodyInit),
      400,
      "BODY_INVALID",
    ],
    ["nothing", rawRequest("--B--\r\n"), 422, "VALIDATION_FAILED"],
    ["alt alone", rawRequest(field("alt", "a") + "--B--\r\n"), 422, "VALIDATION_FAILED"],
    ["file as text", rawRequest(field("file", "a") + "--B--\r\n"), 422, "VALIDATION_FAILED"],
    ["other part", rawRequest(after(field("evil", "1"))), 422, "VALIDATION_FAILED"],
    ["long alt", rawRequest(after(field("alt", "a".repeat(1_001)))), 422, "VALIDATION_FAILED"],
    ["huge alt", rawRequest(after(field("alt", "a".repeat(10_001)))), 413, "PAYLOAD_TOO_LARGE"],
    ["two alts", rawRequest(after(field("alt", "a") + field("alt", "b"))), 400, "BODY_INVALID"],
    ["two files", rawRequest(after(`${file}x\r\n`)), 400, "BODY_INVALID"],
    ["many parts", rawRequest(after(field("alt", "a").repeat(50))), 400, "BODY_INVALID"],
  ];
  for (const [name, request, status, code] of cases) {
    assertEquals(await errorOf(await app.request(request)), { status, code }, name);
    assertEquals(await objectKeys(context, ""), [], name);
  }
});

Deno.test("POST /api/admin/media strips metadata and stores equal bytes once", async () => {
  await using context = await testContext();
  const app = mediaApp(context);

  const first = await upload(app, talkativeJpeg(1), "a.jpg");
  const second = await upload(app, talkativeJpeg(1), "b.jpg");

  const keys = await objectKeys(context, "");
  assertEquals(keys.length, 1);
  assert(first.id !== second.id);
  const stored = await context.objects.get(keys[0]!);
  assert(!new TextDecoder("latin1").decode(stored!).includes(SECRET_PLACE));
});

Deno.test("POST /api/admin/media stores lost bytes again", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  await upload(app);
  for (const key of await objectKeys(context, "")) await context.objects.delete(key);

  const again = await upload(app);

  assertEquals((await app.request(again.url)).status, 200);
});

Deno.test("POST /api/admin/media answers 503 when the object store is away", async () => {
  await using context = await testContext();
  for (const fault of ["before", "after"] as const) {
    const objects = new FaultyObjects(
      context.objects,
      ({ method }) => method === "putStream" ? fault : "none",
    );
    const app = mediaApp({ ...context, objects });

    const body = formOf(IMAGES["image/png"]);
    const response = await app.request("/api/admin/media", { method: "POST", body });

    assertEquals(await errorOf(response), { status: 503, code: "UNAVAILABLE" });
    assertEquals((await (await app.request("/api/admin/media")).json()).data, []);
  }
});

Deno.test("GET /api/admin/media lists newest first, by name, type and deletion", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const ids: string[] = [];
  for (const [index, mime] of MEDIA_MIMES.entries()) {
    ids.unshift((await upload(app, IMAGES[mime], `${index}.img`, { alt: `Alt ${index}` })).id);
    context.advance(1_000);
  }
  await app.request(`/api/admin/media/${ids[0]}`, { method: "DELETE" });
  const list = async (query: string) => {
    const { data: media, meta } = await (await app.request(`/api/admin/media?${query}`)).json();
    return { ids: media.map(({ id }: { id: string }) => id), ...meta };
  };

  assertEquals(await list("perPage=3"), { ids: ids.slice(1, 4), page: 1, perPage: 3, total: 4 });
  assertEquals(await list("perPage=3&page=2"), {
    ids: ids.slice(4),
    page: 2,
    perPage: 3,
    total: 4,
  });
  assertEquals((await list("q=alt+2")).ids, [ids[2]]);
  assertEquals((await list("mime=image/png")).ids, [ids[4]]);
  assertEquals((await list("deleted=true")).ids, [ids[0]]);
});

Deno.test("PATCH /api/admin/media/{id} changes alt and filename, each as a version", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { id } = await upload(app);
  const patch = async (body: unknown) =>
    await app.request(`/api/admin/media/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const changed = await (await patch({ alt: "New", filename: "dir/new name.png" })).json();
  const same = await patch({ alt: "New" });

  assertEquals(changed.alt, "New");
  assertEquals(changed.url, `/media/${id}/new%20name.png`);
  assertEquals(same.status, 200);
  const { versions } = await listVersions(context, "media_metadata", id, { skip: 0, limit: 10 });
  assertEquals(versions.length, 2);
  assertEquals((await patch({ filename: "a.svg" })).status, 415);
  assertEquals((await patch({ alt: 7 })).status, 422);
  assertEquals((await patch({ mime: "text/html" })).status, 422);
});

Deno.test("DELETE /api/admin/media/{id} can be undone for 30 days, and not a second longer", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const { id, url } = await upload(app);
  const call = (method: string, path = "") =>
    app.request(`/api/admin/media/${id}${path}`, { method });

  assertEquals((await call("DELETE")).status, 204);
  assertEquals((await call("DELETE")).status, 204);
  assertEquals((await call("GET")).status, 404);
  assertEquals((await app.request(url)).status, 404);
  context.advance(30 * DAY);
  const back = await call("POST", "/undelete");
  assertEquals(back.status, 200);
  assertEquals("deletedAt" in await back.json(), false);
  assertEquals((await app.request(url)).status, 200);

  await call("DELETE");
  context.advance(30 * DAY + 1_000);
  assertEquals((await call("POST", "/undelete")).status, 404);
});

Deno.test("/api/admin/media asks for the permission of each method", async () => {
  await using context = await testContext();
  const { id } = await upload(mediaApp(context));
  const none = mediaApp(context, { permissions: [] });
  const reader = mediaApp(context, { permissions: ["media.read"] });
  const status = async (app: typeof none, method: string, path: string) =>
    (await app.request(`/api/admin/media${path}`, { method })).status;

  for (const path of ["", "/limits", `/${id}`]) {
    assertEquals(await status(none, "GET", path), 403);
    assertEquals(await status(reader, "GET", path), 200);
  }
  assertEquals(await status(reader, "POST", ""), 403);
  assertEquals(await status(reader, "PATCH", `/${id}`), 403);
  assertEquals(await status(reader, "DELETE", `/${id}`), 403);
  assertEquals(await status(reader, "POST", `/${id}/undelete`), 403);
});

Deno.test("POST /api/admin/media answers a real client that announces too much", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.fetch);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = [
    "POST /api/admin/media HTTP/1.1",
    "Host: localhost",
    "Content-Type: multipart/form-data; boundary=B",
    "Content-Length: 99000000",
    "",
    "",
  ];

  await connection.write(encoder.encode(head.join("\r\n")));
  const answer = new Uint8Array(1_000);
  const read = await connection.read(answer);

  assert(new TextDecoder().decode(answer.subarray(0, read!)).startsWith("HTTP/1.1 413"));
  connection.close();
  await server.shutdown();
});

Deno.test("POST /api/admin/media leaves nothing when the client hangs up halfway", async () => {
  await using context = await testContext();
  const app = mediaApp(context);
  const answered = Promise.withResolvers<number>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const response = await app.fetch(request);
      answered.resolve(response.status);
      return response;
    },
  );
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = "POST /api/admin/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\n" +
    "Content-Type: multipart/form-data; boundary=B\r\n\r\n";

  await connection.write(encoder.encode(head));
  await connection.write(rawBody(IMAGES["image/png"], { tail: "" }));
  connection.close();

  assertEquals(await answered.promise, 400);
  assertEquals(await objectKeys(context, ""), []);
  await server.shutdown();
});
