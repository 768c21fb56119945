/**
 * Makes the store that a release leaves behind, for the releases after it to be tried on. Run once for each
 * release that is published, and never again for that one:
 *
 *     deno run --allow-all tests/stores/make.ts 0.1.0
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

/** What is asked of a kept store, and must be answered as it was. */
const PATHS = (ids: Record<string, string>): string[] => [
  "/api/v1/notes?sort=-rating,title",
  "/api/v1/notes?field.rating=3",
  `/api/v1/notes/${ids.published}`,
  `/api/v1/notes/${ids.large}`,
  "/api/v1/notes/by-slug/first",
  "/api/v1/search?q=lighthouse",
  `/api/admin/documents/${ids.edited}/working-copy`,
  `/api/admin/versions/document/${ids.edited}`,
  "/api/admin/collections",
  "/api/admin/users",
  "/notes/first",
  `/api/admin/media/${ids.picture}/uses`,
  `/api/v1/notes?field.cover=${ids.picture}&sort=title`,
];

/** What `answers` of a kept store says. */
export interface KeptAnswers {
  token: string;
  cookie: string;
  answers: Record<string, unknown>;
}

/** Asks all that is kept, with what a later release may say beside it left to the comparison. */
export async function askAll(client: Client, paths: string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, json } = await client.call("GET", path);
    answers[path] = { status, ...(path.startsWith("/api/") && { json: shortened(json) }) };
  }
  return answers;
}

/** What a release may answer otherwise than the one before it: how long a search took, and how it weighs. */
const PASSING = new Set(["took_ms", "rank"]);

/** JSON without what passes, and with long texts as what tells them from others. */
function shortened(json: Json): Json {
  if (typeof json === "string" && json.length > 500) return `${json.length} ${sha256(json)}`;
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(shortened);
  return Object.fromEntries(
    Object.entries(json).filter(([name]) => !PASSING.has(name))
      .map(([name, part]) => [name, shortened(part)]),
  );
}

/** Documents that use the picture: more than a list of uses that was never written down would show. */
const USES = 12;

/** A PNG of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5E" +
  "rkJggg==";

async function upload(client: Client): Promise<string> {
  const body = new FormData();
  const bytes = Uint8Array.from(atob(PIXEL), (char) => char.charCodeAt(0));
  body.set("file", new File([bytes], "pixel.png", { type: "image/png" }));
  const headers = { cookie: client.cookie };
  const answer = await fetch(`${client.origin}/api/admin/media`, { method: "POST", headers, body });
  if (answer.status !== 201) throw new Error(`media: ${await answer.text()}`);
  return (await answer.json()).id;
}

async function fill(client: Client): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const create = async (name: string, body: Record<string, string | number>) => {
    const { status, json } = await client.call("POST", "/api/v1/notes", body);
    if (status !== 201) throw new Error(`${name}: ${JSON.stringify(json)}`);
    ids[name] = json.id;
  };
  await create("published", {
    title: "First",
    rating: 3,
    status: "published",
    text: "The lighthouse at the end of the world.",
  });
  await create("draft", { title: "A draft", rating: 5, code: "c-1" });
  await create("large", { title: "Large", rating: 1, text: "many words ".repeat(30_000) });
  await create("edited", { title: "Edited", rating: 2, status: "published" });
  await create("gone", { title: "Gone", code: "c-2" });
  ids.picture = await upload(client);
  for (let n = 1; n <= USES; n++) {
    await create(`use ${n}`, {
      title: `Use ${String(n).padStart(2, "0")}`,
      cover: ids.picture,
      related: ids.published!,
      status: n % 2 === 0 ? "published" : "draft",
    });
  }
  await client.call("PATCH", `/api/v1/notes/${ids.draft}`, { rating: 4 });
  await client.call("DELETE", `/api/v1/notes/${ids.gone}`);
  await client.call("PATCH", `/api/admin/documents/${ids.edited}/working-copy`, {
    title: "Edited again",
  });
  return ids;
}

async function make(release: string): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-store-" });
  const client = new Client("");
  let answers: Record<string, unknown>;
  {
    await using service = await startService({ BASE_URL: "http://kept.example" }, dataDir);
    client.origin = service.origin;
    await client.setUp({
      slug: "notes",
      name: "Notes",
      fields: [
        { name: "rating", type: "number", indexed: true, sortable: true },
        { name: "text", type: "text" },
        { name: "code", type: "text", unique: true },
        { name: "cover", type: "media", indexed: true },
        { name: "related", type: "reference" },
      ],
    });
    const ids = await fill(client);
    // Until everything is rendered and found.
    await new Promise((done) => setTimeout(done, 20_000));
    answers = await askAll(client, PATHS(ids));
  }
  const folder = new URL(".", import.meta.url).pathname;
  const kept: KeptAnswers = { token: client.token, cookie: client.cookie, answers };
  await Deno.writeTextFile(`${folder}${release}.json`, JSON.stringify(kept, null, 2) + "\n");
  const args = ["-czf", `${folder}${release}.tar.gz`, "-C", dataDir, "."];
  const { success } = await new Deno.Command("tar", { args }).output();
  if (!success) throw new Error("tar failed");
  await Deno.remove(dataDir, { recursive: true });
}

if (import.meta.main) await make(Deno.args[0]!);
