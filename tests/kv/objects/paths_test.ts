import { assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import {
  documentPartPath,
  escapePart,
  mediaPath,
  snapshotPath,
  unescapePart,
} from "../../../kv/objects/paths.ts";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

Deno.test("documentPartPath() is spelled as the specification has it", () => {
  assertEquals(documentPartPath(ID, "data"), `documents/${ID}/data.json`);
  assertEquals(documentPartPath(ID, "blocks"), `documents/${ID}/blocks.json`);
});

Deno.test("snapshotPath() is independent of the live copy's path", () => {
  assertEquals(snapshotPath("document", ID, "V1"), `versions/document/${ID}/V1.json`);
  assertNotEquals(snapshotPath("document", ID, "V1"), snapshotPath("document", ID, "V2"));
  assertEquals(mediaPath(ID), `media/${ID}`);
});

Deno.test("escapePart() gives every part its own harmless file name", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1 }), (part) => {
    if (!part.isWellFormed()) return;
    const name = escapePart(part);
    assertEquals(/^[A-Za-z0-9_%.-]+$/.test(name), true);
    assertEquals(name.startsWith(".") || name.endsWith("."), false);
    assertEquals(unescapePart(name), part);
  }));
});

Deno.test("unescapePart() knows no second spelling of a part", () => {
  for (const name of ["%61", "%2f", "a b", ".a", "a.", "%FF", "%", ""]) {
    assertEquals(unescapePart(name), name === "" ? "" : null, name);
  }
});
