/** Transfers of tables: CSV, TSV, JSON and NDJSON, end to end. */
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

const CSV = `id;title;price;active;since;site;mail;code;note\r
7;"Lamp; old";12.5;true;2019-05-01;https://a.example/;a@example.org;007;"say ""hi"""\r
8;Chair;3;false;2020-01-02 10:00:00;https://b.example/;b@example.org;1e5;NULL\r
`;

Deno.test("a CSV becomes a collection with fitting types, and a second run writes nothing", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["products.csv", CSV]]);
  assertEquals([planned.state, planned.kind, planned.counts], ["planned", "csv", { products: 2 }]);
  const { plan } = planned;
  const [products] = plan.collections;
  assertEquals(products.target, { slug: "products", name: "Products" });
  assertEquals([products.title, products.sourceId], ["title", "id"]);
  assertEquals(
    products.fields.map(({ to, type }: { to: string; type: string }) => `${to} ${type}`),
    [
      ...["price number", "active boolean", "since datetime", "site url", "mail email"],
      ...["code text", "note text"],
    ],
  );

  const { data } = answered(
    await site.admin("GET", `/transfers/${planned.id}/sample?collection=products&limit=1`),
    200,
  );
  assertEquals(data.length, 1);
  assertEquals(data[0].document.title, "Lamp; old");
  assertEquals(data[0].source.code, "007");
  assertEquals(data[0].problems, []);

  const dry = await site.run(planned.id, { dryRun: true });
  assertEquals([dry.state, dry.report.created], ["planned", 2]);
  assertEquals((await site.admin("GET", "/collections/products")).status, 404);

  const done = await site.run(planned.id);
  assertEquals([done.state, done.report], ["done", {
    created: 2,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    warnings: 0,
  }]);
  assertEquals(dry.report, done.report);
  const documents = await site.documents("products");
  assertEquals(
    documents.map(({ title, price, active, since, code, note, status }) => {
      return { title, price, active, since, code, note, status };
    }).sort((a, b) => a.price - b.price),
    [
      {
        title: "Chair",
        price: 3,
        active: false,
        since: Date.UTC(2020, 0, 2, 10) / 1000,
        code: "1e5",
        note: null,
        status: "draft",
      },
      {
        title: "Lamp; old",
        price: 12.5,
        active: true,
        since: Date.UTC(2019, 4, 1) / 1000,
        code: "007",
        note: 'say "hi"',
        status: "draft",
      },
    ],
  );

  const again = await site.run(planned.id);
  assertEquals([again.report.unchanged, again.report.created, again.report.updated], [2, 0, 0]);
  const changed = CSV.replace("Chair", "Stool");
  const form = await site.admin("POST", `/transfers/${planned.id}/files`, undefined, {
    raw: (() => {
      const form = new FormData();
      form.append("file", new File([changed], "products.csv"));
      return form;
    })(),
  });
  assertEquals(answered(form, 202).id, planned.id);
  await site.runner.drain();
  const third = await site.transfer(planned.id);
  assertEquals([third.state, third.report.updated, third.report.unchanged], ["done", 1, 1]);
  assertEquals((await site.documents("products")).length, 2);
});

Deno.test("undo trashes what was created, and takes the collection back", async () => {
  await using site = await transferSite();
  const { id } = await site.analysed([["products.csv", CSV]]);
  await site.run(id);
  answered(await site.admin("POST", `/transfers/${id}/undo`), 202);
  await site.runner.drain();

  assertEquals((await site.transfer(id)).state, "undone");
  assertEquals((await site.admin("GET", "/collections/products")).status, 404);
  const again = await site.run(id);
  assertEquals(again.report.created, 2);
});

Deno.test("undo gives a changed document its version before, and leaves what a person changed since", async () => {
  await using site = await transferSite();
  await site.collection({
    slug: "things",
    name: "Things",
    fields: [{ name: "price", type: "number" }],
  });
  const made = [];
  for (const title of ["One", "Two"]) {
    made.push(
      answered(
        await site.admin("POST", "/documents", { collection: "things", title, price: 1 }),
        201,
      ),
    );
  }
  const planned = await site.analysed([[
    "things.json",
    JSON.stringify([
      { slug: "one", title: "One", price: 5 },
      { slug: "two", title: "Two", price: 6 },
      { slug: "three", title: "Three", price: 7 },
    ]),
  ]]);
  const { plan } = planned;
  plan.collections[0].target = "things";
  plan.collections[0].match = "slug";
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  const done = await site.run(planned.id);
  assertEquals([done.report.updated, done.report.created], [2, 1]);
  await site.admin("PATCH", `/documents/${made[1].id}`, { price: 9 });

  const { jobId } = answered(await site.admin("POST", `/transfers/${planned.id}/undo`), 202);
  await site.runner.drain();
  const job = answered(await site.admin("GET", `/jobs/${jobId}`), 200);
  assertEquals(job.result.undo.left, [{ id: made[1].id, title: "Two", reason: "Changed since" }]);
  const undone = await site.transfer(planned.id);
  assertEquals([undone.progress, undone.report], [
    { phase: "undo", done: 3, total: 0 },
    done.report,
  ]);
  const price = async (id: string) =>
    answered(await site.admin("GET", `/documents/${id}`), 200).price;
  assertEquals([await price(made[0].id), await price(made[1].id)], [1, 9]);
  const list = await site.documents("things");
  assertEquals(list.map(({ title, status }) => `${title} ${status}`).sort(), [
    "One draft",
    "Two draft",
  ]);
  const trash = "/documents?collection=things&status=trashed";
  const [third] = answered(await site.admin("GET", trash), 200).data;
  assertEquals(third.title, "Three");
});

Deno.test("a row that cannot be read fails alone, with its place, and is sent again", async () => {
  await using site = await transferSite();
  const rows = [
    { id: "a", title: "A", n: 1 },
    { id: "b", title: "", n: 2 },
    { id: "c", title: "C", n: 3 },
  ];
  const text = rows.map((row) => JSON.stringify(row)).join("\n") + "\nnot json\n";
  const planned = await site.analysed([["rows.ndjson", text]]);
  const { plan } = planned;
  plan.collections[0].fields[0].options = { max: 2 };
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  const done = await site.run(planned.id);
  assertEquals([done.report.created, done.report.failed, done.report.warnings], [2, 2, 1]);
  const failed = await site.report(planned.id, "?level=failed");
  assertEquals(
    failed.map((
      { sourceId, status, problems },
    ) => [sourceId, status, problems[0].path, problems[0].code]),
    [["c", "failed", "n", "TOO_LARGE"], ["4", "failed", "", "BODY_INVALID"]],
  );
  assertEquals((await site.report(planned.id, "?level=warning")).length, 3);
  assertEquals((await site.report(planned.id)).length, 4);

  plan.collections[0].fields[0].options = {};
  answered(await site.admin("PATCH", `/transfers/${planned.id}`, { plan }), 200);
  // The field has its bound already: the plan does not change what exists.
  await site.admin("PATCH", "/collections/rows/fields/n", { options: {} });
  answered(await site.admin("POST", `/transfers/${planned.id}/retry`, { failed: true }), 202);
  await site.runner.drain();
  const retried = await site.transfer(planned.id);
  assertEquals([retried.report.created, retried.report.failed], [1, 1]);
});

Deno.test("a plan is checked with the places of its faults", async () => {
  await using site = await transferSite();
  const planned = await site.analysed([["products.csv", CSV]]);
  const { plan, id } = planned;
  const [one] = plan.collections;
  one.fields[1].type = "nonsense";
  assertRefusal(await site.admin("PATCH", `/transfers/${id}`, { plan }), 422, "VALIDATION_FAILED", [
    "plan.collections.0.fields.1.type INVALID_CHOICE",
  ]);
  one.fields[1].type = "boolean";
  one.fields[0].to = "Bad Name";
  one.fields[2].to = "active";
  one.fields[3].convert = "magic";
  one.target = "missing";
  assertRefusal(await site.admin("PATCH", `/transfers/${id}`, { plan }), 422, "VALIDATION_FAILED", [
    "plan.collections.0.fields.3.convert PATTERN_MISMATCH",
  ]);
  delete one.fields[3].convert;
  assertRefusal(await site.admin("PATCH", `/transfers/${id}`, { plan }), 422, "VALIDATION_FAILED", [
    "plan.collections.0.fields.0.to PATTERN_MISMATCH",
    "plan.collections.0.fields.2.to NOT_UNIQUE",
    "plan.collections.0.target INVALID_CHOICE",
  ]);
  assertRefusal(
    await site.admin("PATCH", `/transfers/${id}`, { plan: {} }),
    422,
    "VALIDATION_FAILED",
  );
});

Deno.test("transfers are for administrators, and refuse uploads that they cannot take", async () => {
  await using site = await transferSite();
  assertRefusal(await site.upload([]), 422, "VALIDATION_FAILED", ["file REQUIRED"]);
  assertRefusal(await site.upload([["a.csv", "a\n1\n"]], "?kind=word"), 422, "VALIDATION_FAILED", [
    "kind INVALID_CHOICE",
  ]);
  const files = Array.from({ length: 21 }, (_, n): [string, string] => [`${n}.csv`, "a\n1\n"]);
  assertRefusal(await site.upload(files), 422, "VALIDATION_FAILED", ["file TOO_LONG"]);
  assertRefusal(
    await site.admin("POST", "/transfers", { url: "file:///etc/passwd" }),
    422,
    "VALIDATION_FAILED",
  );
  assertEquals((await site.admin("GET", "/transfers/nothing")).status, 404);
  const unknown = await site.analysed([["a.bin", "\x00\x01"]]);
  assertEquals(unknown.state, "failed");
  assert(unknown.error.includes("kind"), unknown.error);
  const role = (permissions: string[]) =>
    site.admin("POST", "/roles", { name: "mover", permissions });
  assertRefusal(await role(["transfers.manage"]), 422, "VALIDATION_FAILED", [
    "permissions INVALID_CHOICE",
  ]);
});

Deno.test("rows that refer to those of the part before are written once", async () => {
  await using site = await transferSite();
  // The last 400 rows of the first part are still being written when the next one is read.
  const line = (n: number) => `r${n},Note ${n},${n < 500 ? "" : `r${n - 100}`}`;
  const rows = Array.from({ length: 600 }, (_, n) => line(n)).join("\n");
  const { id, plan } = await site.analysed([["notes.csv", `id,title,parent\n${rows}\n`]]);
  Object.assign(plan.collections[0].fields[0], {
    type: "reference",
    options: { collection: "notes" },
  });
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);
  const done = await site.run(id);
  assertEquals([done.state, done.report.created, done.report.warnings], ["done", 600, 0]);
  const { data } = answered(
    await site.admin("GET", "/documents?collection=notes&perPage=100&sort=-createdAt"),
    200,
  );
  const children = data.filter(({ title }: { title: string }) => Number(title.slice(5)) >= 500);
  assertEquals(children.length, 100);
  for (const { id, parent } of children) {
    assert(parent !== null);
    const versions = answered(await site.admin("GET", `/versions/document/${id}`), 200);
    assertEquals(versions.data.length, 1);
  }
});
