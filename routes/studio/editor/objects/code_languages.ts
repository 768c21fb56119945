/**
 * Languages of code blocks and their aliases.
 *
 * @module
 */
import { ownValue } from "../../../../kv/model/primitives/own_value.ts";

/** The offered languages by their highlighter names; others are preserved. */
export const CODE_LANGUAGES: readonly (readonly [name: string, label: string])[] = [
  ["", "Plain text"],
  ["bash", "Bash"],
  ["c", "C"],
  ["cpp", "C++"],
  ["csharp", "C#"],
  ["css", "CSS"],
  ["diff", "Diff"],
  ["go", "Go"],
  ["graphql", "GraphQL"],
  ["html", "HTML"],
  ["java", "Java"],
  ["javascript", "JavaScript"],
  ["json", "JSON"],
  ["kotlin", "Kotlin"],
  ["markdown", "Markdown"],
  ["php", "PHP"],
  ["python", "Python"],
  ["ruby", "Ruby"],
  ["rust", "Rust"],
  ["sql", "SQL"],
  ["swift", "Swift"],
  ["tsx", "TSX"],
  ["typescript", "TypeScript"],
  ["xml", "XML"],
  ["yaml", "YAML"],
];

/** Aliases of languages. */
const SHORT: Readonly<Record<string, string>> = {
  js: "javascript",
  ts: "typescript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  md: "markdown",
  yml: "yaml",
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  text: "",
  txt: "",
  plain: "",
};

/** The name of a language from one of its aliases. */
export function languageOf(words: string): string {
  const name = words.trim().toLowerCase();
  return ownValue(SHORT, name) ?? name;
}
