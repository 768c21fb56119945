/** Translations that leave as XLIFF 2.1 and come back, read and written by an independent library in between. */
import {
  BlobReader,
  configure,
  TextReader,
  TextWriter,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js";
import { js2xliff, xliff2js } from "xliff";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { ADA } from "../../../support/sites/app.ts";
import {
  type Ask,
  type Multilingual,
  multilingual,
  signedIn,
} from "../../../support/sites/multilingual.ts";

configure({ useWebWorkers: false });

/** A file as the library reads it: units with their texts by file. */
interface Read {
  sourceLanguage: string;
  targetLanguage: string;
  resources: Record<string, Record<string, { source: unknown; target?: unknown }>>;
}

const span = (_key: string, text: string, marks: string[] = []): Json => ({
  _type: "span",
  _key,
  text,
  marks,
});

const BODY: Json = [
  {
    _type: "block",
    _key: "b1",
    style: "normal",
    markDefs: [{ _type: "link", _key: "l1", href: "https://example.org/" }],
    children: [
      span("s1", "Apples & pears are "),
      span("s2", "red", ["strong"]),
      span("s3", ", says "),
      span("s4", "she", ["l1"]),
      span("s5", "."),
    ],
  },
  {
    _type: "block",
    _key: "b2",
    style: "h2",
    markDefs: [],
    children: [span("s1", 'A "second" <block>')],
  },
];

const QUESTION = { name: "question", label: "Q", type: "text", required: false, help: "" };

async function site() {
  const test = await multilingual();
  const faq = {
    name: "faq",
    label: "FAQ",
    type: "repeater",
    localized: true,
    options: { fields: [{ ...QUESTION, options: {} }] },
  };
  answered(await test.admin("POST", "/collections/posts/fields", faq), 201);
  const { id } = await test.post({
    title: "Apple",
    summary: "Red",
    body: BODY,
    faq: [{ question: "Why?" }, { question: "How?" }],
    status: "published",
  });
  return { test, id: id as string };
}

/** The result of a job. */
async function resultOf(test: Multilingual, jobId: string) {
  await test.runner.drain();
  const { state, error, result } = answered(await test.admin("GET", `/jobs/${jobId}`), 200);
  assertEquals([state, error], ["done", null]);
  return result;
}

/** The files of an export, by their paths. */
async function exported(test: Multilingual, body: Json): Promise<Map<string, string>> {
  const started = answered(await test.admin("POST", "/translations/export", body), 202);
  const { url } = await resultOf(test, started.jobId);
  const { email, password } = ADA;
  const session = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const request = new Request(`http://localhost${url}`, { headers: { cookie } });
  const answer = await test.app.fetch(request);
  assertEquals([answer.status, answer.headers.get("content-type")], [200, "application/zip"]);
  const reader = new ZipReader(new BlobReader(await answer.blob()));
  const files = new Map<string, string>();
  for (const entry of await reader.getEntries()) {
    if (!entry.directory) files.set(entry.filename, await entry.getData(new TextWriter()));
  }
  return files;
}

async function imported(test: Multilingual, raw: BodyInit, type: string, query = "") {
  const call = { raw, headers: { "content-type": type } };
  const answer = await test.admin("POST", `/translations/import${query}`, undefined, call);
  return await resultOf(test, answered(answer, 202).jobId);
}

/** A file with targets that are made from its sources. */
async function translated(xml: string, translate: (source: unknown) => unknown): Promise<string> {
  const read = await xliff2js(xml) as Read;
  for (const units of Object.values(read.resources)) {
    for (const unit of Object.values(units)) unit.target = translate(unit.source);
  }
  return await js2xliff(read);
}

/** What the library makes of a text, in upper case. */
function upper(source: unknown): unknown {
  if (typeof source === "string") return source.toUpperCase();
  if (Array.isArray(source)) return source.map(upper);
  const { Span } = source as { Span?: { id: string; contents: unknown } };
  return Span === undefined ? source : { Span: { ...Span, contents: upper(Span.contents) } };
}

const XLIFF = "application/xliff+xml";

async function french(test: Multilingual, id: string) {
  return answered(await test.admin("GET", `/documents/${id}/translations/fr`), 200);
}

Deno.test("texts leave as XLIFF and come back as a draft, with marks and structure kept", async () => {
  const { test, id } = await site();
  await using _test = test;
  const files = await exported(test, { language: "fr" });
  const [path, xml = ""] = [...files][0] ?? [];
  assertEquals([files.size, path], [1, `posts/apple.${id}.fr.xlf`]);
  const read = await xliff2js(xml) as Read;
  assertEquals([read.sourceLanguage, read.targetLanguage], ["en", "fr"]);
  assertEquals(Object.entries(read.resources[id]!).map(([unit, { source }]) => [unit, source]), [
    ["title", "Apple"],
    ["summary", "Red"],
    ["body.b1", [
      "Apples & pears are ",
      { Span: { id: "s2", contents: "red" } },
      ", says ",
      { Span: { id: "s4", contents: "she" } },
      ".",
    ]],
    ["body.b2", 'A "second" <block>'],
    ["faq.0.question", "Why?"],
    ["faq.1.question", "How?"],
  ]);

  const report = await imported(test, await translated(xml, upper), XLIFF);
  assertEquals(report, { documents: 1, units: 6, refused: 0, left: [] });
  const { status, title, body, faq } = await french(test, id);
  assertEquals([status, title, faq], ["draft", "APPLE", [
    { question: "WHY?" },
    { question: "HOW?" },
  ]]);
  const [first, second] = BODY as Record<string, Json>[];
  assertEquals(body, [
    {
      ...first,
      children: [
        span("s1", "APPLES & PEARS ARE "),
        span("s2", "RED", ["strong"]),
        span("s3", ", SAYS "),
        span("s4", "SHE", ["l1"]),
        span("s5", "."),
      ],
    },
    { ...second, children: [span("s1", 'A "SECOND" <BLOCK>')] },
  ]);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).status, 404, "it is a draft");
});

Deno.test("a text whose source has changed is refused, unless it is forced", async () => {
  const { test, id } = await site();
  await using _test = test;
  const [xml = ""] = (await exported(test, { language: "fr" })).values();
  const back = await translated(xml, upper);
  await test.v1("PATCH", `/posts/${id}`, { body: { summary: "Green", title: "An apple" } });
  const report = await imported(test, back, XLIFF);
  assertEquals([report.documents, report.left], [0, [
    { id, unit: "title", reason: "the source has changed" },
    { id, unit: "summary", reason: "the source has changed" },
    { id, reason: "Validation failed; title: Required" },
  ]]);
  const forced = await imported(test, back, XLIFF, "?force=true");
  assertEquals([forced.documents, forced.units, forced.refused], [1, 6, 0]);
  assertEquals((await french(test, id)).summary, "RED");
});

Deno.test("a translation that is public gets a working copy, and states choose documents", async () => {
  const { test, id } = await site();
  await using _test = test;
  const [xml = ""] = (await exported(test, { language: "fr" })).values();
  await imported(test, await translated(xml, upper), XLIFF);
  answered(await test.admin("POST", `/documents/${id}/translations/fr/publish`), 202);
  assertEquals((await exported(test, { language: "fr", states: ["outdated"] })).size, 0);
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "An apple", summary: "Green" } });
  const outdated = await exported(test, { language: "fr", states: ["outdated", "missing"] });
  const [again = ""] = outdated.values();
  assert(again.includes("<note>The source has changed since it was translated.</note>"), again);
  assert(again.includes("<target>APPLES &#38; PEARS ARE <pc id="), again);
  // The title is still right; the summary is new.
  const units = again.replace("<target>RED</target>", "<target>VERT</target>");
  assertEquals((await imported(test, units, XLIFF)).left, []);
  assertEquals((await test.read(`/posts/${id}?language=fr`)).json.summary, "RED");
  const copy = answered(
    await test.admin("GET", `/documents/${id}/translations/fr/working-copy`),
    200,
  );
  assertEquals([copy.title, copy.summary], ["APPLE", "VERT"]);
  const rows = (await test.admin("GET", `/documents/${id}/translations`)).json.data;
  assertEquals([rows[1].state, rows[1].outdated], ["complete", []], "both are confirmed");
});

Deno.test("archives, segments and what does not fit are reported file by file", async () => {
  const { test, id } = await site();
  await using _test = test;
  const xliff = (units: string, head = 'srcLang="en" trgLang="fr"') =>
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" ${head}>${units}</xliff>`;
  const unit = (name: string, segments: string) => `<unit id="${name}">${segments}</unit>`;
  const segment = (source: string, target: string) =>
    `<segment><source>${source}</source><target>${target}</target></segment>`;
  const sentences = "<segment><source>Apple</source><target>La pomme</target></segment>" +
    "<ignorable><source> </source></ignorable>" + segment("", "rouge");
  const files = {
    "a.xlf": xliff(
      `<file id="${id}">${unit("title", sentences)}` +
        unit("summary", "<segment><source>Red</source></segment>") +
        unit("gone", segment("x", "y")) + "</file>",
    ),
    "b.xlf": xliff(
      `<file id="${id}">${unit("title", segment("Apple", "Apfel"))}</file>`,
      'srcLang="de" trgLang="fr"',
    ),
    "c.xlf": xliff(
      `<file id="${id}">${unit("title", segment("Apple", "Mela"))}</file>`,
      'srcLang="en" trgLang="it"',
    ),
    "d.xlf": "<xliff",
    "e.xlf": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
    "f.xlf": xliff('<file id="nothing"></file>'),
  };
  const writer = new ZipWriter(new Uint8ArrayWriter());
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text));
  const zip = await writer.close();
  const report = await imported(test, zip as Uint8Array<ArrayBuffer>, "application/zip");
  assertEquals([report.documents, report.units], [1, 1]);
  assertEquals(report.left.map(({ id, unit }: { id: string; unit?: string }) => unit ?? id), [
    "gone",
    id,
    id,
    "d.xlf",
    "e.xlf",
    "nothing",
  ]);
  assertEquals((await french(test, id)).title, "La pomme rouge");
});

Deno.test("the routes need languages, known ones, a type that is read, and the right to write", async () => {
  const { test } = await site();
  await using _test = test;
  const wrong = await test.admin("POST", "/translations/export", { language: "it" });
  assertEquals([wrong.status, wrong.json.error.details[0].code], [422, "INVALID_LANGUAGE"]);
  const call = { raw: "{}", headers: { "content-type": "text/plain" } };
  assertEquals((await test.admin("POST", "/translations/import", undefined, call)).status, 415);
  const viewer: Ask = await signedIn(test, "viewer", ["viewer"]);
  assertEquals((await viewer("POST", "/translations/export", { language: "fr" })).status, 403);
  await test.admin("PATCH", "/settings", { languages: null });
  assertEquals((await test.admin("POST", "/translations/export", { language: "fr" })).status, 404);
});

Deno.test("an import by a user of some languages writes in no other", async () => {
  const { test, id } = await site();
  await using _test = test;
  const permissions = ["documents.read", "documents.write"];
  const role = { name: "german", permissions, languages: ["de"] };
  answered(await test.admin("POST", "/roles", role), 201);
  const german = await signedIn(test, "german", ["german"]);
  const [xml = ""] = (await exported(test, { language: "fr" })).values();
  const raw = await translated(xml, upper);
  const started = await german("POST", "/translations/import", undefined, {
    raw,
    headers: { "content-type": XLIFF },
  });
  const report = await resultOf(test, answered(started, 202).jobId);
  assertEquals([report.documents, report.refused], [0, 1]);
  assertEquals((await test.admin("GET", `/documents/${id}/translations/fr`)).status, 404);
});
