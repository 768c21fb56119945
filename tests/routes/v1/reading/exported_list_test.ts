/** `format=csv` and `format=ndjson` of lists. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless } from "../../../support/sites/headless.ts";
import { unguardFormula } from "../../../../kv/model/primitives/csv_text.ts";

const FIELDS = [
  { name: "rating", type: "number", indexed: true, sortable: true },
  { name: "note", type: "text", indexed: true },
  { name: "extra", type: "json" },
];

Deno.test("format=ndjson streams all selected documents as the list shows them, whatever the page", async () => {
  await using test = await headless(FIELDS);
  for (let n = 0; n < 230; n++) await test.post({ title: `T${n}`, rating: n % 10 });
  const { full: token } = test;
  const query = "field.rating=3&sort=-title&fields=title,rating";

  const answer = await test.v1("GET", `/posts?format=ndjson&${query}&page=x&perPage=2&cursor=y`, {
    token,
  });

  assertEquals(answer.headers.get("content-type"), "application/x-ndjson");
  const lines = answer.text.split("\n");
  assertEquals(lines.pop(), "");
  const pages = await test.v1("GET", `/posts?${query}&perPage=100`, { token });
  assertEquals(lines.map((line) => JSON.parse(line)), pages.json.data);
  const all = await test.v1("GET", "/posts?format=ndjson", { token });
  assertEquals(all.text.split("\n").length, 231);
  assertEquals(new Set(all.text.split("\n")).size, 231);
});

Deno.test("format=csv is a file that spreadsheets open: BOM, CRLF, no formulas, nested values as JSON", async () => {
  await using test = await headless(FIELDS);
  const { full: token } = test;
  const notes = [
    "=1+1",
    "+x",
    "-x",
    "@x",
    "\tx",
    'say "hi", you',
    "two\nlines",
    "'=x",
    "plain",
    "",
  ];
  for (const [n, note] of notes.entries()) {
    await test.post({ title: `T${n}`, rating: -n, note, extra: n === 0 ? { a: [1, "x"] } : null });
  }

  const fields = "title,rating,note,extra";
  const { text, headers } = await test.v1(
    "GET",
    `/posts?format=csv&fields=${fields}&sort=title`,
    { token },
  );

  assertEquals(headers.get("content-type"), "text/csv; charset=utf-8");
  assertEquals(headers.get("content-disposition"), 'attachment; filename="posts.csv"');
  const rows = text.replace(/[0-9A-Z]{26},/g, "").split("\r\n");
  assertEquals(rows, [
    "id,title,rating,note,extra",
    `T0,0,'=1+1,"{""a"":[1,""x""]}"`,
    "T1,-1,'+x,",
    "T2,-2,'-x,",
    "T3,-3,'@x,",
    "T4,-4,'\tx,",
    'T5,-5,"say ""hi"", you",',
    'T6,-6,"two\nlines",',
    "T7,-7,''=x,",
    "T8,-8,plain,",
    'T9,-9,"",',
    "",
  ]);
  assertEquals(["'=1+1", "''=x", "'plain", "=x"].map(unguardFormula), [
    "=1+1",
    "'=x",
    "'plain",
    "=x",
  ]);
  const raw = await test.app.request("/api/v1/posts?format=csv", {
    headers: { authorization: `Bearer ${token}` },
  });
  assertEquals([...new Uint8Array(await raw.arrayBuffer())].slice(0, 3), [0xef, 0xbb, 0xbf]);
  const whole = await test.v1("GET", "/posts?format=csv", { token });
  const [head] = whole.text.split("\r\n");
  const framing = "id,slug,title,status,createdAt,updatedAt,publishedAt";
  assertEquals(head, `${framing},rating,note,extra,blocks`);
});

Deno.test("format refuses other values, obeys scopes and strict handling, and an empty list has its header", async () => {
  await using test = await headless(FIELDS);
  await test.post({ title: "Draft", status: "draft" });
  const { full: token } = test;
  for (const format of ["xml", "", "CSV", "csv&format=csv"]) {
    assertRefused(
      await test.v1("GET", `/posts?format=${format}`, { token }),
      400,
      "PARAMETER_INVALID",
    );
  }
  assertRefused(await test.v1("GET", "/posts?FORMAT=csv", { token }), 400, "PARAMETER_INVALID");
  const reader = await test.token({ name: "reader", scopes: ["posts:read"] });
  const seen = await test.v1("GET", "/posts?format=csv&fields=title", { token: reader });
  assertEquals([seen.status, seen.text], [200, "id,title\r\n"]);
  const head = await test.v1("HEAD", "/posts?format=csv", { token });
  assertEquals([head.status, head.text], [200, ""]);
  const strict = await test.v1("GET", "/posts?format=ndjson", {
    token,
    headers: { prefer: "handling=strict" },
  });
  assertEquals(strict.status, 200);
});
