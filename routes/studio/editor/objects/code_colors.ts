/**
 * Colors for code. The grammars are large, so they are loaded where code of a known language is on the page.
 *
 * @module
 */
/// <reference lib="dom" />
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

// Those that others are written in come first: HTML holds scripts and styles, PHP and Markdown hold HTML.
const lowlight = createLowlight({
  ...{ css, javascript, json, typescript, xml, bash, c, cpp, csharp, diff, go, graphql, java },
  ...{ kotlin, markdown, php, python, ruby, rust, sql, swift, yaml },
});

/** A part of code: words, or parts that are of one kind. */
type Part = ReturnType<typeof lowlight.highlight>["children"][number];

/** Highlighted code as elements with token classes; null for a language without a highlighter. */
export function coloredCode(code: string, language: string): Node[] | null {
  if (!lowlight.registered(language)) return null;
  return lowlight.highlight(language, code, { prefix: "code-" }).children.map(drawn);
}

function drawn(part: Part): Node {
  if (part.type !== "element") {
    return document.createTextNode(part.type === "text" ? part.value : "");
  }
  const names = part.properties.className;
  const words = document.createElement("span");
  words.className = Array.isArray(names) ? names.join(" ") : "";
  words.append(...part.children.map((one) => drawn(one as Part)));
  return words;
}
