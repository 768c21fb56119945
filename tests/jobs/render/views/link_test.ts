import { assertEquals } from "@std/assert";
import { safeLink } from "../../../../jobs/render/views/link.ts";

Deno.test("safeLink() keeps web, mail and telephone links and links on the site", () => {
  const links = [
    "https://example.org/a?b=c#d",
    "http://example.org/",
    "mailto:a@example.org",
    "tel:+431234",
    "/posts/hello?x=1",
  ];

  assertEquals(links.map(safeLink), links);
  assertEquals(safeLink("posts/hello"), "/posts/hello");
  assertEquals(safeLink("  https://example.org "), "https://example.org/");
});

Deno.test("safeLink() refuses whatever could run code, however it is spelled", () => {
  const links = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.org/x",
    "https://user:password@example.org/",
    "https://",
    "",
    null,
    7,
    { href: "https://example.org" },
    `https://example.org/${"x".repeat(3_000)}`,
  ];

  assertEquals(links.map(safeLink), links.map(() => null));
});
