/**
 * Variables that a template asks for and that there are none of: it would print nothing in their places,
 * on every page, without a word. Templates that others render know what these give them, wherever that comes from.
 *
 * @module
 */
// @ts-types="liquidjs/types"
import { Liquid } from "liquidjs";
import { TemplateReading } from "./template_reading.ts";
import { givenTo } from "./template_shapes.ts";

/**
 * Each unknown variable of the templates, as a reason to refuse the theme; `fallback` are those that others render
 * where the theme has none of the name. Partials that no template renders are not checked.
 */
export function unknownVariables(
  templates: Readonly<Record<string, string>>,
  fallback: Readonly<Record<string, string>> = {},
): string[] {
  const reading = new TemplateReading(new Liquid(), { ...fallback, ...templates });
  const names = new Set([...Object.keys(fallback), ...Object.keys(templates)]);
  for (const name of names) {
    const given = givenTo(name);
    if (given !== null) reading.read(name, given);
  }
  if (reading.isCutOff) return ["its templates render one another in too many ways to be checked"];
  return Object.keys(templates).flatMap((name) => {
    const { unknown, given } = reading.found(name);
    const partial = givenTo(name) === null ? `, it is given ${given.join(", ") || "nothing"}` : "";
    return unknown.map((variable) =>
      `templates/${name}.liquid uses the unknown variable ${variable}${partial}`
    );
  });
}
