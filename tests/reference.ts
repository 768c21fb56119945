/**
 * Writes the reference in `docs/reference/` from the descriptions of both APIs.
 *
 *     deno task reference
 *
 * @module
 */
import { ADMIN_OPERATIONS } from "../routes/admin/meta/admin_operations.ts";
import { openApiDocument } from "../routes/v1/openapi/document.ts";
import { site } from "./contract/sites.ts";
import { referencePage, schemaPage } from "./support/reference_page.ts";
import { testApp } from "./support/sites/app.ts";

const FOLDER = "docs/reference";
const ORIGIN = "https://cms.example.org";

/** The pages of the admin API: file, heading, and the first steps of the paths that are on it. */
const ADMIN_PAGES: [file: string, heading: string, steps: string[]][] = [
  ["documents", "Documents, releases and versions", [
    ...["documents", "translations", "previews", "releases", "versions", "views", "state-at"],
    ...["restore", "search", "notifications"],
  ]],
  ["media", "Media", ["media"]],
  ["structure", "Collections, blocks and the schema", ["collections", "blocks", "schema", "_meta"]],
  ["people", "Users, roles and signing in", [
    ...["setup", "session", "sessions", "password-reset", "address-confirmation", "account"],
    ...["auth", "users", "roles", "tokens", "explorer-token", "audit"],
  ]],
  ["system", "Settings, jobs, packages and transfers", [
    ...["settings", "jobs", "exports", "imports", "themes", "plugins", "webhooks", "redirects"],
    ...["transfers", "example-site"],
  ]],
];

/** The collection that stands for all in the reference of the content API. */
const ARTICLES = site([{
  slug: "articles",
  name: "Articles",
  description: "An example: your collections have routes like these.",
  fields: [
    { name: "summary", type: "text", label: "Summary" },
    { name: "rating", type: "number", label: "Rating", indexed: true, sortable: true },
    { name: "tags", type: "multi_select", label: "Tags", options: { choices: ["a", "b"] } },
    { name: "cover", type: "media", label: "Cover" },
    { name: "body", type: "rich_text", label: "Body" },
  ],
}]);

/** The text of every page by its path. */
export async function referencePages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const admin = await adminDescription();
  const left = new Set([...ADMIN_OPERATIONS.keys()].map((name) => stepOf(name.split(" ")[1]!)));
  for (const [file, heading, steps] of ADMIN_PAGES) {
    for (const step of steps) left.delete(step);
    const isHere = (path: string) => steps.includes(stepOf(path.slice("/api/admin".length)));
    const text = referencePage(admin, { heading, isHere, schemas: "answers.md" });
    pages.set(`${FOLDER}/${file}.md`, text);
  }
  if (left.size > 0) throw new Error(`No page has ${[...left].join(", ")}`);
  pages.set(`${FOLDER}/answers.md`, schemaPage(admin, "What the admin API returns"));
  const content = openApiDocument(ARTICLES, ORIGIN);
  pages.set(
    `${FOLDER}/content.md`,
    referencePage(content, {
      heading: "The content API",
      isHere: () => true,
      schemas: "content_schemas.md",
    }),
  );
  pages.set(`${FOLDER}/content_schemas.md`, schemaPage(content, "Schemas of the content API"));
  const written = await Promise.all(
    [...pages].map(async ([path, text]) => [path, await formatted(text)] as const),
  );
  return new Map(written);
}

function stepOf(path: string): string {
  return path.split("/")[1] ?? "";
}

async function adminDescription() {
  await using test = await testApp();
  await test.setUp();
  return (await test.admin("GET", "/_meta")).json;
}

async function formatted(text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "--line-width", "100", "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stdout, success } = await child.output();
  if (!success) throw new Error("The reference cannot be formatted");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  for (const [path, text] of await referencePages()) await Deno.writeTextFile(path, text);
}
