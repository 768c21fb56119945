import { assertEquals } from "@std/assert";
import { withoutForbidden } from "../../../../../routes/studio/editor/paste/pasted_html.ts";

Deno.test("withoutForbidden() renames styles, leaves handlers and style sheets out, and touches nothing else", () => {
  const cases = [
    [
      `<p STYLE="a: 'b'" class=x>style="c"</p>`,
      `<p data-pasted-style="a: 'b'" class=x>style="c"</p>`,
    ],
    [`<img onerror='x("<p>")' src=x OnLoad=y()>`, `<img  src=x >`],
    [
      `<a title=" style=1 onclick=2" href='?style=3'>`,
      `<a title=" style=1 onclick=2" href='?style=3'>`,
    ],
    [`<a href="x"style = d onclick>`, `<a href="x"data-pasted-style = d >`],
    [`<svg/onload=x><b style>`, `<svg/><b data-pasted-style>`],
    [`a < b style="1" and <on style`, `a < b style="1" and <on style`],
    [`a<style>p { color: red }</style>b<STYLE media=x>p</Style >c<style>d`, "abc"],
    [`a</style>b`, "ab"],
  ] as const;
  for (const [given, expected] of cases) assertEquals(withoutForbidden(given), expected);
});
