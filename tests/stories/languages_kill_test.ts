/**
 * Documents whose languages are published together by processes that are killed.
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

const NOTES = { slug: "notes", name: "Notes", fields: [{ name: "lead", type: "text" }] };
const CODES = ["en", "fr", "de"];
const DOCUMENTS = 12;
/** A lease of the killed process runs out after ten seconds; the rest is work. */
const TIMEOUT_MS = 40_000;

Deno.test("languages that are published together are public all or none, whenever the process is killed", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-languages-" });
  const client = new Client("");
  /** The languages of a document that are published. */
  const publicIn = async (id: string): Promise<string[]> => {
    const { data } = await client.want(200, "GET", `/api/admin/documents/${id}/translations`);
    return data.filter((one: { status: string }) => one.status === "published")
      .map((one: { language: string }) => one.language);
  };
  const ids: string[] = [];
  let acknowledged = new Set<string>();
  try {
    for (const round of [0, 1, 2]) {
      {
        await using service = await startService({}, dataDir);
        client.origin = service.origin;
        if (round === 0) await setUp(client, ids);
        else await unpublish(client, ids);
        const asked = ids.map(async (id) => {
          const path = `/api/admin/documents/${id}/publish`;
          // A request that the kill cuts off is not acknowledged, but may be carried out.
          const answer = await client.call("POST", path, { languages: "*" }).catch(() => null);
          return answer?.status === 202 ? [id] : [];
        });
        await new Promise((done) => setTimeout(done, 25 + 12 * round));
        service.kill("SIGKILL");
        acknowledged = new Set((await Promise.all(asked)).flat());
      }

      await using service = await startService({}, dataDir);
      client.origin = service.origin;
      await client.drained(TIMEOUT_MS);
      const { data: failed } = await client.want(200, "GET", "/api/admin/jobs?state=failed");
      assertEquals(failed, []);
      for (const id of ids) {
        const codes = await publicIn(id);
        assert(codes.length === 0 || codes.length === CODES.length, `${id} is public in ${codes}`);
        if (acknowledged.has(id)) assertEquals(codes.toSorted(), CODES.toSorted());
        const pages = [`/notes/note-${id}`, `/fr/notes/fr-${id}`, `/de/notes/de-${id}`];
        for (const page of pages) {
          const { status } = await client.call("GET", page.toLowerCase());
          assertEquals([page, status], [page, codes.length === 0 ? 404 : 200]);
        }
      }
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

/** Drafts in three languages. */
async function setUp(client: Client, ids: string[]): Promise<void> {
  await client.setUp(NOTES);
  const languages = CODES.map((code) => ({ code }));
  await client.want(200, "PATCH", "/api/admin/settings", { languages });
  await client.want(200, "PATCH", "/api/admin/collections/notes", { localized: true });
  await client.want(200, "PATCH", "/api/admin/collections/notes/fields/lead", { localized: true });
  for (let n = 0; n < DOCUMENTS; n++) {
    const post = { collection: "notes", title: `Note ${n}`, lead: "one", status: "draft" };
    const { id } = await client.want(201, "POST", "/api/admin/documents", post);
    await client.want(200, "PATCH", `/api/admin/documents/${id}`, {
      slug: `note-${id.toLowerCase()}`,
    });
    for (const code of CODES.slice(1)) {
      const body = { title: `${code} ${n}`, slug: `${code}-${id.toLowerCase()}`, lead: code };
      await client.want(201, "PUT", `/api/admin/documents/${id}/translations/${code}`, body);
    }
    ids.push(id);
  }
}

async function unpublish(client: Client, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const path = `/api/admin/documents/${id}`;
    const { data } = await client.want(200, "GET", `${path}/translations`);
    for (const { language, status } of data) {
      if (status !== "published") continue;
      const below = language === "en" ? path : `${path}/translations/${language}`;
      await client.want(202, "POST", `${below}/unpublish`);
    }
  }
}
