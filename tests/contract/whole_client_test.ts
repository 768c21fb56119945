/**
 * The served client covers the API: writes by slug, dry runs, keys of one's own, versions, translations and media.
 * It runs on Deno and, without a build, on Node.
 */
import { typesModule } from "../../routes/v1/types/types_module.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { IMAGES } from "../support/sites/images.ts";
import { type DescribedApp, describedApp } from "./described_app.ts";
import { typeCheck } from "./type_check.ts";

/** Prints one line of JSON: what each request has answered. */
const USES = `
import { ApiError, createClient } from "./types.ts";

export async function run(baseUrl: string, token: string, png: Uint8Array<ArrayBuffer>) {
  const client = createClient({ baseUrl, token });
  const posts = client.collection("posts");
  const tried = await posts.create({ title: "Tried" }, { dryRun: true });
  const key = "import-1";
  const first = await posts.create({ title: "River" }, { idempotencyKey: key });
  const again = await posts.create({ title: "River" }, { idempotencyKey: key });
  const put = await posts.putBySlug("sea", { title: "Sea" }, { ifNoneMatch: "*" });
  const refused = await posts.putBySlug("sea", { title: "Sea" }, { ifNoneMatch: "*" })
    .catch((error: unknown) => error instanceof ApiError ? error.status : 0);
  await posts.update(put.id, { body: "Deep" }, { dryRun: true });
  const { document, etag } = await posts.getTagged(put.id);
  const changed = await posts.update(put.id, { body: "Wide" }, { ifMatch: etag });
  const { data: versions } = await posts.versions(put.id);
  const former = await posts.version(put.id, 1);

  await posts.translations.put(put.id, "fr", { title: "Mer", body: "Large" });
  await posts.translations.update(put.id, "fr", { body: "Profonde" });
  const french = await posts.translations.get(put.id, "fr");
  const states = await posts.translations.list(put.id);
  await posts.translations.delete(put.id, "fr");
  const left = (await posts.translations.list(put.id)).filter(({ state }) => state !== "missing");

  const progress: number[] = [];
  const file = new File([png], "lamp.png", { type: "image/png" });
  const medium = await client.media.upload(file, {
    alt: "A lamp",
    private: true,
    onProgress: ({ sent, total }) => progress.push(sent / total),
  });
  const { url } = await client.media.sign(medium.id, { ttl: 60 });
  const bytes = (await (await fetch(baseUrl + url)).arrayBuffer()).byteLength;
  const described = await client.media.update(medium.id, { alt: "A lamp at night", private: false });
  const plain = await client.media.upload(new Blob([png], { type: "image/png" }), { filename: "two.png" });
  const { meta } = await client.media.list({ mime: ["image/png"] });
  await client.media.delete(plain.id);
  const gone = await client.media.get(plain.id).catch((error: unknown) => error instanceof ApiError && error.code);
  const broken = await client.media.upload(new Blob(["x"], { type: "image/png" }), { onProgress: () => {} })
    .catch((error: unknown) => error instanceof ApiError ? error.status : 0);

  return {
    tried: [tried.title, (await posts.list()).meta.total],
    again: first.id === again.id,
    put: [put.slug, refused, document.body, changed.body, versions.length, former.body],
    french: [french.title, french.body, french._language, states.map(({ language }) => language), left.length],
    progress: [progress.length > 0, progress.at(-1)],
    media: [medium.private, bytes === png.length, described.alt, meta.total, gone, broken],
  };
}
`;

const EXPECTED = {
  tried: ["Tried", 2],
  again: true,
  put: ["sea", 412, null, "Wide", 2, null],
  french: ["Mer", "Profonde", "fr", ["en", "fr"], 1],
  progress: [true, 1],
  media: [true, true, "A lamp at night", 2, "NOT_FOUND", 415],
};

/** The modules of a site with two languages in a folder, and the site on a port. */
async function served(test: DescribedApp, folder: string) {
  await test.setUp();
  const languages = [{ code: "en" }, { code: "fr" }];
  assertEquals((await test.admin("PATCH", "/settings", { languages })).status, 200);
  const fields = [{ name: "body", type: "text", localized: true }] as never;
  await test.define({ slug: "posts", localized: true, fields });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request, info) => test.app.fetch(request, info),
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const source = typesModule(await test.deps.content.schema.current(), origin);
  assertEquals(await typeCheck(folder, { "types.ts": source, "uses.ts": USES }), "");
  return { origin, token: await test.token(), [Symbol.asyncDispose]: () => server.shutdown() };
}

async function temporaryFolder() {
  const path = await Deno.makeTempDir({ prefix: "client-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("the client writes, reads versions and translations, and uploads media on Deno", async () => {
  await using test = await describedApp();
  await using folder = await temporaryFolder();
  await using site = await served(test, folder.path);
  const { run } = await import(`file://${folder.path}/uses.ts`);
  assertEquals(await run(site.origin, site.token, IMAGES["image/png"]), EXPECTED);
});

Deno.test("the client does the same on Node", async () => {
  await using test = await describedApp();
  await using folder = await temporaryFolder();
  await using site = await served(test, folder.path);
  const bundle = await bundled(`${folder.path}/uses.ts`);
  const png = JSON.stringify([...IMAGES["image/png"]]);
  const call = `run("${site.origin}", "${site.token}", new Uint8Array(${png}))`;
  const text = `${bundle}\nconsole.log(JSON.stringify(await ${call}));\n`;
  await Deno.writeTextFile(`${folder.path}/uses.mjs`, text);
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [`${folder.path}/uses.mjs`],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), EXPECTED);
});

/** A module with all that it imports, as JavaScript. */
async function bundled(path: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--no-lock", "--no-config", path],
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
