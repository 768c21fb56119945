import { ecmaPattern, matchesPattern, patternFault } from "../../../../kv/model/values/pattern.ts";
import { assert, assertEquals, assertStringIncludes } from "../../../support/harness/assert.ts";

function matches(pattern: string, text: string): boolean {
  return matchesPattern({}, pattern, text);
}

Deno.test("matchesPattern() searches anywhere unless the pattern is anchored", () => {
  assert(matches("b", "abc"));
  assert(!matches("^b", "abc"));
  assert(matches("^[A-Z]{3}-\\d{4}$", "ABC-1234"));
  assert(!matches("^[A-Z]{3}-\\d{4}$", "ABC-1234\n"));
});

Deno.test("matchesPattern() reads Unicode classes, code points and ECMA escapes", () => {
  assert(matches("^\\p{L}+$", "éßя"));
  assert(matches("^.$", "😀"));
  assert(matches("^\\u00e9\\u{1F600}$", "é😀"));
  assert(!matches("^\\\\u00e9$", "é"));
  assert(matches("^\\\\u00e9$", "\\u00e9"));
});

Deno.test("matchesPattern() follows a changed pattern of the same owner", () => {
  const owner = {};
  assert(matchesPattern(owner, "a", "a"));
  assert(!matchesPattern(owner, "b", "a"));
});

Deno.test("matchesPattern() takes time in proportion to the text for patterns that make others hang", () => {
  const text = "a".repeat(50_000) + "!";
  for (const pattern of ["^(a+)+$", "^(a|aa)+$", "^(a|a?)+$", "(x+x+)+y"]) {
    assert(!matches(pattern, text), pattern);
  }
});

Deno.test("patternFault() refuses what a linear-time engine cannot express", () => {
  for (const pattern of ["^a+$", "(?<year>\\d{4})", "(?i)x", "[^/]+\\/", "a{0,1000}"]) {
    assertEquals(patternFault(pattern), null, pattern);
  }
  for (
    const pattern of [
      "(?=a)",
      "(?!a)",
      "(?<=a)b",
      "(?<!a)b",
      "(a)\\1",
      "(?<n>a)\\k<n>",
      "[",
      "(",
      "a**",
    ]
  ) {
    assertStringIncludes(patternFault(pattern) ?? "", "not supported", pattern);
  }
});

Deno.test("patternFault() refuses patterns that are too long or grow too large", () => {
  assertEquals(patternFault("a".repeat(1_000)), null);
  assertStringIncludes(patternFault("a".repeat(1_001)) ?? "", "At most 1000");
  assertStringIncludes(patternFault("((a|b|ab){1,30}){1,30}") ?? "", "too complex");
  assertStringIncludes(patternFault("(a{100}){100}") ?? "", "not supported");
  assertStringIncludes(patternFault("(".repeat(900)) ?? "", "not supported");
});

Deno.test("ecmaPattern() leaves out what JavaScript would not read", () => {
  assertEquals(ecmaPattern("^\\p{L}$"), "^\\p{L}$");
  assertEquals(ecmaPattern("\\Aa\\z"), undefined);
});
