import { assertEquals } from "@std/assert";
import { TOKEN_SCOPES_MAX } from "../../../../kv/limits/people.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import {
  type Action,
  ACTIONS,
  allows,
  isScope,
  isStrictlyReadOnly,
  parseScopes,
  visibleStatuses,
} from "../../../../kv/model/entities/scope.ts";
import type { Detail } from "../../../../kv/refusals.ts";

Deno.test("isScope() accepts what the specification lists and refuses similar texts", () => {
  const accepted = ["*", "posts:read", "posts:write", "posts:read-drafts", "a-1:read"];
  accepted.push("*:read", "*:write", "*:read-drafts", `${"a".repeat(128)}:read`);
  const refused = [
    "*:*",
    "posts:*",
    "posts",
    "posts:",
    ":read",
    "",
    " *",
    "* ",
    "**",
    "posts:delete",
  ];
  refused.push("Posts:read", "posts:READ", "posts :read", "posts:read ", "po--sts:read", "-a:read");
  refused.push("posts:read:write", "*:", "posts:read-draft", `${"a".repeat(129)}:read`, "ünï:read");

  assertEquals(accepted.filter((text) => !isScope(text)), []);
  assertEquals(refused.filter(isScope), []);
});

Deno.test("parseScopes() tells each bad scope by its place", () => {
  const details: Detail[] = [];
  const scopes = parseScopes(["posts:read", "*:*", 5, "posts:*", "posts:read"], details);

  assertEquals(scopes, ["posts:read"]);
  assertEquals(details.map(({ field, code }) => [field, code]), [
    ["scopes.1", "INVALID_SCOPE"],
    ["scopes.2", "INVALID_TYPE"],
    ["scopes.3", "INVALID_SCOPE"],
  ]);
});

Deno.test("parseScopes() refuses values that are not lists, and lists that are too long", () => {
  const codes = (value: Json) => {
    const details: Detail[] = [];
    parseScopes(value, details);
    return details.map(({ field, code }) => `${field} ${code}`);
  };

  for (const value of ["*", null, {}, 1]) assertEquals(codes(value), ["scopes INVALID_TYPE"]);
  assertEquals(codes(new Array(TOKEN_SCOPES_MAX).fill("*")), []);
  assertEquals(codes(new Array(TOKEN_SCOPES_MAX + 1).fill("*")), ["scopes TOO_LONG"]);
  assertEquals(codes([]), []);
});

Deno.test("allows() is true for the exact scope, its `*:` form and `*`, in every combination of scopes", () => {
  const universe = [
    "*",
    ...["*", "posts", "pages"].flatMap((slug) => ACTIONS.map((action) => `${slug}:${action}`)),
  ];
  for (let mask = 0; mask < 2 ** universe.length; mask++) {
    const scopes = universe.filter((_, index) => mask & (1 << index));
    const has = new Set(scopes);
    const expected = (action: Action) =>
      has.has("*") || has.has(`*:${action}`) || has.has(`posts:${action}`);
    assertEquals(ACTIONS.map((action) => allows(scopes, "posts", action)), ACTIONS.map(expected));
    const statuses = visibleStatuses(scopes, "posts");
    assertEquals(statuses.includes("published"), expected("read"));
    for (const status of ["draft", "scheduled", "archived"] as const) {
      assertEquals(statuses.includes(status), expected("read") && expected("read-drafts"));
    }
    assertEquals(statuses.includes("trashed"), false);
    assertEquals(
      isStrictlyReadOnly(scopes),
      scopes.length === 1 && scopes[0] === "*:read",
    );
  }
});

Deno.test("allows() does not take one slug for another that it begins or ends with", () => {
  assertEquals(allows(["post:read"], "posts", "read"), false);
  assertEquals(allows(["posts:read"], "post", "read"), false);
  assertEquals(allows(["posts:read-drafts"], "posts", "read"), false);
});
