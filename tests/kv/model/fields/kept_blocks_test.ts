import { assertEquals } from "@std/assert";
import { holdsBlock } from "../../../../kv/model/fields/kept_blocks.ts";

Deno.test("holdsBlock() finds blocks in fields, inside of one another and in rich text, and no other words", () => {
  const quote = { type: "quote", id: "a", data: { text: "Words" } };

  assertEquals(holdsBlock({ data: { f1: [quote] } }, "quote"), true);
  assertEquals(holdsBlock([{ type: "columns", id: "b", data: { left: [quote] } }], "quote"), true);
  assertEquals(holdsBlock({ data: { f2: [{ _type: "quote", _key: "k" }] } }, "quote"), true);
  assertEquals(
    holdsBlock({ title: "quote", data: { quote: "quote", f3: ["quote"] } }, "quote"),
    false,
  );
  assertEquals(holdsBlock(null, "quote"), false);
});
