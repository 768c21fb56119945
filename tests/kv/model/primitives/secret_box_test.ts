/** Sealed secrets: opened by their key alone, and by none once they were altered. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { SecretBox } from "../../../../kv/model/primitives/secret_box.ts";

const OLD = "an old key with enough characters";
const NEW = "a new key with enough characters!";

Deno.test("a sealed secret is opened by its key, also once another key seals", () => {
  const box = new SecretBox([OLD]);
  const sealed = box.seal("JBSWY3DPEHPK3PXP");
  assert(!sealed.includes("JBSWY3DPEHPK3PXP"));
  assertNotEquals(box.seal("JBSWY3DPEHPK3PXP"), sealed);
  assertEquals(box.open(sealed), "JBSWY3DPEHPK3PXP");
  const rotated = new SecretBox([NEW, OLD]);
  assertEquals(rotated.open(sealed), "JBSWY3DPEHPK3PXP");
  assertEquals(box.open(rotated.seal("x")), null);
});

Deno.test("no other key opens a sealed secret, and none opens an altered one", () => {
  const sealed = new SecretBox([OLD]).seal("secret");
  assertEquals(new SecretBox([NEW]).open(sealed), null);
  assertEquals(new SecretBox([]).open(sealed), null);
  for (let at = "sealed:1:00000000:".length; at < sealed.length; at += 7) {
    const other = sealed[at] === "A" ? "B" : "A";
    const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
    assertEquals(new SecretBox([OLD]).open(altered), null, `character ${at}`);
  }
});

Deno.test("without a key secrets are stored as they are, and stay readable once there is one", () => {
  assertEquals(new SecretBox([]).seal("secret"), "secret");
  assertEquals(new SecretBox([OLD]).open("secret"), "secret");
});
