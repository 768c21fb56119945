import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulidSource } from "../../../../kv/context.ts";
import {
  KnownSecrets,
  mintToken,
  randomBase62,
  secretHash,
  secretMatches,
  tokenIdOf,
} from "../../../../kv/model/values/token_text.ts";

const ID = ulidSource()(1_790_000_000_000);

Deno.test("mintToken() gives `svc_pk_`, the id and 32 characters, each time others", () => {
  const token = mintToken(ID);

  assertMatch(token, /^svc_pk_[0-9A-HJKMNP-TV-Z]{26}_[0-9A-Za-z]{32}$/);
  assert(token.startsWith(`svc_pk_${ID}_`));
  assert(mintToken(ID) !== token);
});

Deno.test("tokenIdOf() gives the id of a minted token", () => {
  for (let n = 0; n < 200; n++) assertEquals(tokenIdOf(mintToken(ID)), ID);
});

Deno.test("tokenIdOf() refuses any single changed character and any other length", () => {
  const token = mintToken(ID);
  for (let index = 0; index < token.length; index++) {
    for (const other of ["0", "z", "_", "é"]) {
      if (token[index] === other) continue;
      assertEquals(tokenIdOf(token.slice(0, index) + other + token.slice(index + 1)), null);
    }
  }
  for (const text of ["", "svc_pk_", token + "0", token.slice(0, -1), ` ${token}`, `${token}\n`]) {
    assertEquals(tokenIdOf(text), null);
  }
});

Deno.test("randomBase62() leaves no character out and prefers none", () => {
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = randomBase62(256, () => everyByte);
  const counts = new Map<string, number>();
  for (const character of text.slice(0, 248)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }

  assertEquals(counts.size, 62);
  assertEquals(new Set(counts.values()), new Set([4]));
});

Deno.test("secretMatches() knows the text by its hash alone", () => {
  const token = mintToken(ID);

  assertEquals(secretHash("abc").slice(0, 8), "ba7816bf");
  assertEquals(secretMatches(token, secretHash(token)), true);
  assertEquals(secretMatches(mintToken(ID), secretHash(token)), false);
  assertEquals(secretMatches(token, ""), false);
  assertEquals(secretMatches(token, secretHash(token) + "0"), false);
});

Deno.test("KnownSecrets.matches() answers as secretMatches() does, whatever was given before", () => {
  const known = new KnownSecrets(2);
  const [a, b, c] = [mintToken(ID), mintToken(ID), mintToken(ID)];
  const texts = [a, b, c, a, c, b, a, a];

  for (const text of texts) {
    for (const hash of [secretHash(a), secretHash(b), secretHash(c), "", secretHash(text) + "0"]) {
      assertEquals(known.matches(text, hash), secretMatches(text, hash));
      assertEquals(known.matches(`${text}0`, hash), false);
    }
  }
});
