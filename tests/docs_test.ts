/**
 * The documents: links lead somewhere, files that are named exist, and every variable is described.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { sourceFiles } from "./support/harness/source_files.ts";

const README_LINES_MAX = 150;
const ROOT_DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
const FOLDER_DOCUMENTS = ["kv", "jobs", "routes", "tests"].map((folder) => `${folder}/README.md`);
/** A path of the repository in backticks: a file, or a folder with its slash. */
const NAMED_PATH = /`((?:kv|jobs|routes|tests|docs|\.ci)\/[\w./-]*|main\.ts|deno\.json)`/g;

async function documents(folder = "docs"): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await documents(path));
    else if (path.endsWith(".md")) found.push(path);
  }
  return found.sort();
}

const all = [...ROOT_DOCUMENTS, ...FOLDER_DOCUMENTS, ...await documents()];
const texts = new Map(
  await Promise.all(all.map(async (path) => [path, await Deno.readTextFile(path)] as const)),
);

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** The anchors of a document's headings, as Git forges make them. */
function anchors(text: string): Set<string> {
  const headings = withoutCode(text).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "");
}

Deno.test("links between the documents lead to a file and a heading", async () => {
  const broken: string[] = [];
  for (const [path, text] of texts) {
    for (const [, target] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      const url = new URL(target!, `file:///${path}`);
      const file = url.pathname.slice(1);
      const heading = url.hash.slice(1);
      const known = texts.get(file);
      if (!await exists(file)) broken.push(`${path}: ${target}`);
      else if (heading !== "" && known !== undefined && !anchors(known).has(heading)) {
        broken.push(`${path}: ${target} has no such heading`);
      }
    }
  }
  assertEquals(broken, []);
});

Deno.test("every document is reached from the README", () => {
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path) || !texts.has(path)) return;
    reached.add(path);
    for (const [, target] of texts.get(path)!.matchAll(/\]\(([^)\s#]+)/g)) {
      if (!/^[a-z]+:/.test(target!)) visit(new URL(target!, `file:///${path}`).pathname.slice(1));
    }
  };
  visit("README.md");
  assertEquals(all.filter((path) => !reached.has(path)), []);
});

Deno.test("files and folders that the documents name exist", async () => {
  const missing: string[] = [];
  for (const [path, text] of texts) {
    for (const [, named] of text.matchAll(NAMED_PATH)) {
      if (!await exists(named!)) missing.push(`${path}: ${named}`);
    }
  }
  assertEquals(missing, []);
});

Deno.test("files and folders that a layer's README names exist", async () => {
  const missing: string[] = [];
  for (const path of FOLDER_DOCUMENTS) {
    const folder = path.split("/")[0]!;
    for (const [, named] of texts.get(path)!.matchAll(/`([a-z0-9_/]+(?:\/|\.tsx?))`/g)) {
      const there = await exists(`${folder}/${named}`) || await exists(named!);
      if (!there) missing.push(`${path}: ${named}`);
    }
  }
  assertEquals(missing, []);
});

Deno.test("a layer's README names every folder of it", async () => {
  const missing: string[] = [];
  for (const path of FOLDER_DOCUMENTS) {
    const folder = path.split("/")[0]!;
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory && !texts.get(path)!.includes(`\`${name}/`)) {
        missing.push(`${path}: ${name}/`);
      }
    }
  }
  assertEquals(missing, []);
});

Deno.test("docs/dependencies.md names every package of the import map", async () => {
  const { imports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    imports: Record<string, string>;
  };
  const page = texts.get("docs/dependencies.md")!;
  const isNamed = (name: string) =>
    page.includes(`\`${name}\``) ||
    [...page.matchAll(/`([^`]+)\*`/g)].some(([, start]) => name.startsWith(start!));
  const packages = Object.keys(imports).map((name) =>
    name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/")
  );
  assertEquals([...new Set(packages)].filter((name) => !isNamed(name)), []);
});

Deno.test("the README stays a front door", () => {
  const lines = texts.get("README.md")!.split("\n").length;
  assert(lines <= README_LINES_MAX, `${lines} lines`);
});

Deno.test("every variable of the environment is described for operators", async () => {
  const example = await Deno.readTextFile(".env.example");
  const variables = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]!);
  const pages = [...texts].filter(([path]) => path.startsWith("docs/operating/"))
    .map(([, text]) => text).join("\n");
  assert(variables.length > 15);
  assertEquals(variables.filter((name) => !pages.includes(`\`${name}\``)), []);
  const config = await Deno.readTextFile("routes/process/config.ts");
  const read = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+): (?!string)/gm)].map((one) => one[1]!);
  // Set by the platform, or by Deno's own tests.
  const given = ["DENO_DEPLOYMENT_ID", "DENO_KV_DB_MODE"];
  assertEquals(read.filter((name) => !variables.includes(name) && !given.includes(name)), []);
});

/** Words of a dialect that this project once spoke; docs/style.md says what to write instead. */
const FORBIDDEN_WORDS =
  /\b(?:somebody|nobody|whoever|anew|goes on|told|at the most|back-ups?|for want of|lent one)\b/i;

Deno.test("the documents are written in the style of docs/style.md", () => {
  const wrong = [...texts].flatMap(([path, text]) =>
    withoutCode(text).split("\n").flatMap((line) => {
      const found = FORBIDDEN_WORDS.exec(line.replace(/`[^`]*`/g, ""));
      return found === null ? [] : [`${path}: ${found[0]}: ${line.trim()}`];
    })
  );
  assertEquals(wrong, []);
});

/** Identifiers that were renamed to the field's terms. */
const FORBIDDEN_NAMES = [
  ...["LivelyIndexes", "renewIfLively", "NO_SIGHT", "inCompany", "COMPANY_APART_MS", "SparedHeads"],
  ...["isSpare", "isDistant", "sideBySide", "allEnded", "toldOf", "ToldError", "withoutLooseCopy"],
  ...["isUnseen", "mayEnd", "findCarriers", "CARRIERS_MAX", "isMakerField", "findNear"],
  ...["bringsNear", "keptApart", "isOutgrown", "liveKey", "LiveRow", "TurnTaking", "WriteTurns"],
  ...["LOOK_MS", "PATIENCE_MS", "AlignedForm", "toldSittings", "checkSittings", "goesOn"],
  ...["withoutSpare", "DistantDriver", "DistantSite", "DISTANT_WORKS", "NextState"],
  "\\w*[Cc]olour\\w*",
];

Deno.test("identifiers use the field's terms", async () => {
  const pattern = new RegExp(`\\b(?:${FORBIDDEN_NAMES.join("|")})\\b`);
  const wrong: string[] = [];
  for (const folder of ["kv", "jobs", "routes", "tests"]) {
    for await (const path of sourceFiles(folder)) {
      if (path === "tests/docs_test.ts") continue;
      const found = pattern.exec(await Deno.readTextFile(path));
      if (found !== null) wrong.push(`${path}: ${found[0]}`);
    }
  }
  assertEquals(wrong, []);
});
