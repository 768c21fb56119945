import { assert, assertEquals } from "@std/assert";
import { CHUNK_BYTES } from "../../../kv/limits/store.ts";
import type { Page } from "../../../kv/model/entities/page.ts";
import { currentKey } from "../../../kv/keys.ts";
import {
  findPage,
  isOrphanedPage,
  putPage,
  readPageBody,
  removePage,
} from "../../../kv/pages/pages.ts";
import { listPages, listReferrers } from "../../support/sites/pages.ts";
import {
  putDocumentPage,
  readDocumentPage,
  registerReferences,
  removeDocumentPage,
} from "../../../kv/pages/document_pages.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

function pageOf(path: string, text: string): Page {
  return {
    path,
    contentType: "text/html",
    body: new TextEncoder().encode(text),
    tags: ["site"],
  };
}

async function put(context: TestContext, page: Page): Promise<boolean> {
  const operation = new Operation();
  const changed = await putPage(context, operation, page);
  assertEquals((await context.store.commit(operation)).ok, true);
  return changed;
}

async function textAt(context: TestContext, path: string): Promise<string | null> {
  const row = await findPage(context.store, path);
  return row === null ? null : new TextDecoder().decode((await readPageBody(context, row))!);
}

/** Puts the page of a document as it was read now. */
async function putOwn(
  context: TestContext,
  id: string,
  path: string,
  text = path,
  references: string[] = [],
) {
  const entries = await readDocumentPage(context.store, id, { path, collectionId: "C" });
  const operation = new Operation();
  const page = { ...pageOf(path, text), documentId: id, references };
  const changed = await putDocumentPage(context, operation, page, entries);
  return { changed, operation };
}

Deno.test("putPage() stores a page that findPage() reads back with one read", async () => {
  await using context = await testContext();
  await put(context, pageOf("/posts/a", "A"));
  const before = context.store.counts.reads;

  const row = await findPage(context.store, "/posts/a");

  assertEquals(context.store.counts.reads, before + 1);
  assertEquals([row!.contentType, row!.tags, row!.bytes], ["text/html", ["site"], 1]);
  assertEquals(await textAt(context, "/posts/a"), "A");
  assertEquals(await findPage(context.store, "/posts/b"), null);
});

Deno.test("putPage() writes nothing when the same page is stored already", async () => {
  await using context = await testContext();
  assertEquals(await put(context, pageOf("/a", "A")), true);
  const operation = new Operation();

  assertEquals(await putPage(context, operation, pageOf("/a", "A")), false);
  assertEquals(operation.mutations, 0);
  assertEquals(await putPage(context, operation, { ...pageOf("/a", "A"), tags: ["x"] }), true);
  assertEquals(await putPage(context, operation, pageOf("/a", "B")), true);
});

/** A page of a type that is not compressed. */
const plain = (text: string) => ({ ...pageOf("/a", text), contentType: "text/plain" });

Deno.test("putPage() keeps large bodies in the object store under a key of their own", async () => {
  await using context = await testContext();
  const large = "x".repeat(CHUNK_BYTES + 1);
  await put(context, plain(large));
  const first = (await findPage(context.store, "/a"))!;

  await put(context, plain(`${large}y`));

  const second = (await findPage(context.store, "/a"))!;
  assertEquals(second.body, undefined);
  assert(first.object !== second.object);
  assertEquals(await textAt(context, "/a"), `${large}y`);
  await put(context, plain("x".repeat(CHUNK_BYTES)));
  assertEquals((await findPage(context.store, "/a"))!.object, undefined);
});

Deno.test("isOrphanedPage() tells bodies that were replaced from those in use", async () => {
  await using context = await testContext();
  const large = "x".repeat(CHUNK_BYTES + 1);
  await put(context, plain(large));
  const first = (await findPage(context.store, "/a"))!.object!;
  assertEquals(await isOrphanedPage(context, first), false);

  await put(context, plain(`${large}y`));

  const second = (await findPage(context.store, "/a"))!.object!;
  assertEquals(await isOrphanedPage(context, first), true);
  assertEquals(await isOrphanedPage(context, first), true);
  assertEquals(await isOrphanedPage(context, second), false);
  assertEquals(await isOrphanedPage(context, "pages/never"), true);
});

Deno.test("removePage() leaves nothing to find", async () => {
  await using context = await testContext();
  await put(context, pageOf("/a", "A"));
  const operation = new Operation();

  removePage(operation, "/a");
  await context.store.commit(operation);

  assertEquals(await findPage(context.store, "/a"), null);
  assertEquals(await Array.fromAsync(listPages(context.store)), []);
});

Deno.test("putDocumentPage() moves a document's page with its path", async () => {
  await using context = await testContext();
  const first = await putOwn(context, "D", "/posts/old");
  await context.store.commit(first.operation);

  const second = await putOwn(context, "D", "/posts/new");
  await context.store.commit(second.operation);
  const third = await putOwn(context, "D", "/posts/new");

  assertEquals([first.changed, second.changed, third.changed], [true, true, false]);
  assertEquals(await findPage(context.store, "/posts/old"), null);
  assertEquals(await textAt(context, "/posts/new"), "/posts/new");
});

Deno.test("putDocumentPage() spares the page of the document that took over the old path", async () => {
  await using context = await testContext();
  await context.store.commit((await putOwn(context, "A", "/posts/x")).operation);
  await context.store.commit((await putOwn(context, "B", "/posts/x", "B's")).operation);

  await context.store.commit((await putOwn(context, "A", "/posts/y")).operation);

  assertEquals(await textAt(context, "/posts/x"), "B's");
  assertEquals(await textAt(context, "/posts/y"), "/posts/y");
});

Deno.test("putDocumentPage() of an outdated state is not committed", async () => {
  await using context = await testContext();
  const late = await putOwn(context, "D", "/posts/x", "old");
  await context.store.commit(new Operation().set(currentKey("document", "D"), { n: 2 }));

  assertEquals((await context.store.commit(late.operation)).ok, false);
  assertEquals(await findPage(context.store, "/posts/x"), null);
});

Deno.test("removeDocumentPage() removes a document's page wherever it is, once", async () => {
  await using context = await testContext();
  await context.store.commit((await putOwn(context, "D", "/posts/x")).operation);
  const read = () => readDocumentPage(context.store, "D");
  const operation = new Operation();

  assertEquals(await removeDocumentPage(context.store, operation, await read()), true);
  await context.store.commit(operation);

  assertEquals(await findPage(context.store, "/posts/x"), null);
  assertEquals(await removeDocumentPage(context.store, new Operation(), await read()), false);
});

Deno.test("listReferrers() names the documents whose present pages show something of another", async () => {
  await using context = await testContext();
  const referrers = (target: string) => Array.fromAsync(listReferrers(context.store, target));
  const put = async (id: string, path: string, references: string[]) => {
    const { operation } = await putOwn(context, id, path, path, references);
    assertEquals((await context.store.commit(operation)).ok, true);
  };

  await put("A", "/posts/a", ["X", "Y"]);
  await put("B", "/posts/b", ["X"]);
  assertEquals([await referrers("X"), await referrers("Y")], [["A", "B"], ["A"]]);

  await put("A", "/posts/moved", ["X", "Z"]);
  assertEquals(await referrers("X"), ["A", "B"]);
  assertEquals([await referrers("Y"), await referrers("Z")], [[], ["A"]]);

  const operation = new Operation();
  await removeDocumentPage(context.store, operation, await readDocumentPage(context.store, "A"));
  await context.store.commit(operation);
  assertEquals([await referrers("X"), await referrers("Z")], [["B"], []]);
});

Deno.test("registerReferences() makes a page found by what it will show, before it is there", async () => {
  await using context = await testContext();
  const { store } = context;
  const referrers = (target: string) => Array.fromAsync(listReferrers(store, target));
  const entries = await readDocumentPage(store, "A", { path: "/posts/a", collectionId: "C" });

  const registered = await registerReferences(store, entries, ["X"]);

  assertEquals([await referrers("X"), await findPage(store, "/posts/a")], [["A"], null]);
  assertEquals(await registerReferences(store, registered, ["X"]), registered);
  // A rendering that began before the registration has read too early.
  const late = new Operation();
  const page = { ...pageOf("/posts/a", "A"), documentId: "A", references: [] };
  await putDocumentPage(context, late, page, entries);
  assertEquals((await store.commit(late)).ok, false);
  const operation = new Operation();
  await putDocumentPage(context, operation, { ...page, references: ["Y"] }, registered);
  assertEquals((await store.commit(operation)).ok, true);
  assertEquals([await referrers("X"), await referrers("Y")], [[], ["A"]]);
});

Deno.test("putPage() compresses long pages, feeds and style sheets, and readPageBody() answers them whole", async () => {
  await using context = await testContext();
  const long = { ...pageOf("/feed.xml", "<item/>".repeat(2_000)), contentType: "application/xml" };

  await put(context, long);

  const row = (await findPage(context.store, "/feed.xml"))!;
  assertEquals([row.gzip, row.bytes], [true, 14_000]);
  assert(row.body!.byteLength < 1_000);
  assertEquals(await textAt(context, "/feed.xml"), "<item/>".repeat(2_000));
  assertEquals(await put(context, long), false);
  const style = { ...long, path: "/assets/1/site.css", contentType: "text/css; charset=utf-8" };
  await put(context, style);
  assertEquals((await findPage(context.store, style.path))!.gzip, true);
  await put(context, { ...long, contentType: "text/html; charset=utf-8" });
  assertEquals((await findPage(context.store, "/feed.xml"))!.gzip, true);
  await put(context, { ...long, contentType: "text/plain" });
  assertEquals((await findPage(context.store, "/feed.xml"))!.gzip, undefined);
});
