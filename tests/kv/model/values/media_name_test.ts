import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { FILENAME_CHARS_MAX } from "../../../../kv/limits/media.ts";
import { mediaFilename } from "../../../../kv/model/values/media_name.ts";
import { Refusal } from "../../../../kv/refusals.ts";

Deno.test("mediaFilename() refuses code under any disguise", () => {
  const hostile = [
    "a.html",
    "a.svg",
    "a.js",
    "A.HTML",
    "a.SvG",
    "a.mjs",
    "a.htm",
    "a.svgz",
    ".html",
    "a.html.png",
    "a.png.html",
    "a.png.js.",
    "a.svg...",
    "a.svg . .",
    "a.svg\u0000.png",
    "a.html;.png",
    "a.html::$DATA",
    "a.js ",
    "a.js\t",
    "a.js%00.png",
    "a%2ehtml",
    "a%252ehtml",
    "a.%68tml",
    "a.ｈｔｍｌ",
    "a．html",
    "a。svg",
    "a.s\u200bvg",
    "a.\u202ejs",
    "dir/a.html",
    "dir\\a.svg",
    "a.html/",
  ];
  for (const name of hostile) {
    const refusal = assertThrows(() => mediaFilename(name), Refusal);
    assertEquals(refusal.code, "UNSUPPORTED_MEDIA_TYPE", name);
  }
});

Deno.test("mediaFilename() keeps ordinary names", () => {
  const names = [
    "photo.png",
    "js.png",
    "html",
    "my html notes.jpg",
    "Übersicht 2026 (final).webp",
    "日本.avif",
    "a.b.c.gif",
    "tsjs.png",
    "100% sure.png",
  ];
  for (const name of names) assertEquals(mediaFilename(name), name);
});

Deno.test("mediaFilename() keeps the last part, without invisible or reserved characters", () => {
  const cases: [string, string][] = [
    ["C:\\fakepath\\photo.png", "photo.png"],
    ["../../etc/passwd.png", "passwd.png"],
    ["/", "image"],
    ["", "image"],
    ["..", "image"],
    ["...png", "png"],
    ["a\u202egnp.exe.png", "agnp.exe.png"],
    ['a"b<c>|?*.png', "abc.png"],
    ["  spaced   out .png. ", "spaced out .png"],
    ["a\nb.png", "ab.png"],
    ["\ud800.png", "png"],
    ["Cafe\u0301.png", "Café.png"],
  ];
  for (const [given, kept] of cases) assertEquals(mediaFilename(given), kept, given);
});

Deno.test("mediaFilename() shortens before the extension", () => {
  const kept = mediaFilename(`${"🙂".repeat(500)}.png`);

  assertEquals([...kept].length, FILENAME_CHARS_MAX);
  assert(kept.endsWith("🙂.png"));
});

Deno.test("mediaFilename() never keeps a name that it would refuse or change", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (given) => {
    try {
      const kept = mediaFilename(given);
      assertEquals(mediaFilename(kept), kept);
      assert(!/[/\\\u0000-\u001f]/.test(kept) && kept !== "" && !kept.startsWith("."));
    } catch (error) {
      assert(error instanceof Refusal, String(error));
    }
  }));
});
