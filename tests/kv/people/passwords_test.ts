import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { PASSWORD_COST, Passwords } from "../../../kv/people/passwords.ts";
import { Refusal } from "../../../kv/refusals.ts";

const CHEAP = { logN: 4, r: 8, p: 1 };

Deno.test("Passwords.hash() describes itself and salts", async () => {
  const passwords = new Passwords(CHEAP);
  const hash = await passwords.hash("correct horse battery");

  assertMatch(hash, /^\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/);
  assert(hash !== await passwords.hash("correct horse battery"));
});

Deno.test("Passwords.verify() accepts the password alone, in any Unicode form", async () => {
  const passwords = new Passwords(CHEAP);
  const hash = await passwords.hash("café au lait");

  assertEquals(await passwords.verify("café au lait", hash), { valid: true, stale: false });
  assertEquals((await passwords.verify("cafe\u0301 au lait", hash)).valid, true);
  assertEquals((await passwords.verify("cafe au lait", hash)).valid, false);
  assertEquals((await passwords.verify("", hash)).valid, false);
});

Deno.test("Passwords.verify() finds hashes of another cost stale", async () => {
  const hash = await new Passwords(CHEAP).hash("correct horse battery");
  const dearer = new Passwords({ ...CHEAP, logN: 5 });

  assertEquals(await dearer.verify("correct horse battery", hash), { valid: true, stale: true });
});

Deno.test("Passwords.verify() does the whole work for an unknown user and never accepts", async () => {
  const passwords = new Passwords(CHEAP);

  assertEquals(await passwords.verify("correct horse battery", null), {
    valid: false,
    stale: false,
  });
});

Deno.test("Passwords.verify() throws for a hash of unknown form", async () => {
  const passwords = new Passwords(CHEAP);
  for (const hash of ["", "$argon2id$v=19$x", "$scrypt$ln=4,r=8,p=1$AAAA$AAAA"]) {
    await assertRejects(() => passwords.verify("x", hash), Error, "Cannot read a password hash");
  }
});

Deno.test("Passwords refuses with UNAVAILABLE when too many wait", async () => {
  const passwords = new Passwords(CHEAP);
  const results = await Promise.allSettled(
    Array.from({ length: 110 }, () => passwords.verify("x", null)),
  );
  const refused = results.filter((result) => result.status === "rejected");

  assertEquals(refused.length, 110 - 103);
  assert(refused.every(({ reason }) => reason instanceof Refusal && reason.code === "UNAVAILABLE"));
  assertEquals((await passwords.verify("x", null)).valid, false);
});

Deno.test("PASSWORD_COST works within the memory allowed", async () => {
  assertEquals(PASSWORD_COST, { logN: 15, r: 8, p: 3 });
  assertMatch(await new Passwords().hash("correct horse battery"), /^\$scrypt\$ln=15,r=8,p=3\$/);
});
