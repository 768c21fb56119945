/**
 * Pages of a reference, made from an OpenAPI description.
 *
 * @module
 */

// deno-lint-ignore no-explicit-any
type Loose = any;

/** Which operations a page has, and which page has the schemas. */
export interface PageOptions {
  heading: string;
  isHere: (path: string) => boolean;
  schemas: string;
}

const METHODS = ["get", "post", "put", "patch", "delete"];
const GENERATED = "_Made from the description of the API by `deno task reference`._";

/** A page with one section an operation. */
export function referencePage(
  description: Loose,
  { heading, isHere, schemas }: PageOptions,
): string {
  const typeOf = typeNames(schemas);
  const sections = Object.entries<Loose>(description.paths).filter(([path]) => isHere(path))
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method] !== undefined).map((method) =>
        operationText(description, `${method.toUpperCase()} ${path}`, item[method], typeOf)
      )
    );
  return [`# ${heading}`, GENERATED, ...sections].join("\n\n");
}

/** A page with one section a schema. */
export function schemaPage(description: Loose, heading: string): string {
  const typeOf = typeNames("");
  const sections = Object.entries<Loose>(description.components.schemas).map(([name, schema]) =>
    [`## ${name}`, ...text(schema.description), propertyTable(description, schema, typeOf)]
      .filter((part) => part !== "").join("\n\n")
  );
  return [`# ${heading}`, GENERATED, ...sections].join("\n\n");
}

type TypeOf = (schema: Loose) => string;

function operationText(description: Loose, name: string, operation: Loose, typeOf: TypeOf): string {
  const permission = operation["x-permission"];
  const needs = permission === undefined || permission === "session"
    ? []
    : permission === "none"
    ? ["Needs no session."]
    : [`Permission: ${[permission].flat().map((one) => `\`${one}\``).join(" or ")}.`];
  const parameters = (operation.parameters ?? [])
    .map((one: Loose) => resolve(description, one))
    .map((one: Loose) =>
      `- \`${one.name}\` (${one.in}${one.required ? ", required" : ""}): ${
        one.description ?? typeOf(one.schema ?? {})
      }`
    );
  return [
    `## ${name}`,
    [sentence(operation.summary), ...text(operation.description), ...needs].join(" "),
    parameters.join("\n"),
    bodyText(description, operation.requestBody, typeOf),
    answersText(description, operation.responses, typeOf),
  ].filter((part) => part !== "").join("\n\n");
}

function bodyText(description: Loose, given: Loose, typeOf: TypeOf): string {
  if (given === undefined) return "";
  const body = resolve(description, given);
  return Object.entries<Loose>(body.content).map(([type, { schema }]) => {
    const optional = body.required ? "" : ", which may be left out";
    const reference = schema.$ref === undefined ? "" : `: ${typeOf(schema)}`;
    const table = schema.$ref === undefined ? propertyTable(description, schema, typeOf) : "";
    return `Body: \`${type}\`${optional}${reference}.${table === "" ? "" : `\n\n${table}`}`;
  }).join("\n\n");
}

function answersText(description: Loose, responses: Loose, typeOf: TypeOf): string {
  const lines = Object.entries<Loose>(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, given]) => {
      const contents = Object.entries<Loose>(resolve(description, given).content ?? {});
      const types = contents.map(([type, { schema }]) =>
        type === "application/json" ? typeOf(schema) : `\`${type}\``
      );
      return `- ${status}${types.length === 0 ? "" : `: ${types.join(" or ")}`}`;
    });
  return lines.length === 0 ? "" : `Returns:\n\n${lines.join("\n")}`;
}

/** The keys of an object: name, type and what is said of it. */
function propertyTable(description: Loose, given: Loose, typeOf: TypeOf): string {
  const schema = resolve(description, given);
  const properties = Object.entries<Loose>(schema.properties ?? {});
  if (properties.length === 0) return `${typeOf({ ...schema, description: undefined })}`;
  const rows = properties.map(([name, property]) => {
    const isRequired = (schema.required ?? []).includes(name);
    const notes = [...isRequired ? ["required"] : [], ...text(property.description)];
    return `| \`${name}\` | ${typeOf(property)} | ${notes.join("; ").replaceAll("|", "\\|")} |`;
  });
  return ["| Key | Type | |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The name of a schema's type; other schemas are links. */
function typeNames(page: string): TypeOf {
  return function typeOf(schema): string {
    if (schema === undefined || schema === true) return "any";
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split("/").at(-1);
      return `[${name}](${page}#${name.toLowerCase()})`;
    }
    if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
    if (schema.enum !== undefined) {
      const shown = schema.enum.slice(0, 8).map((one: unknown) => `\`${one}\``).join(", ");
      return schema.enum.length > 8 ? `${shown}, …` : shown;
    }
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return choices.map(typeOf).join(" or ");
    const types = [schema.type ?? []].flat();
    const names = types.map((type: string): string => {
      if (type === "array") return `list of ${typeOf(schema.items)}`;
      if (type !== "object") return type;
      const { data, meta } = schema.properties ?? {};
      if (data?.items !== undefined) {
        return meta === undefined
          ? `list of ${typeOf(data.items)}`
          : `page of ${typeOf(data.items)}`;
      }
      return "object";
    });
    return names.length === 0 ? "any" : names.join(" or ");
  };
}

function resolve(description: Loose, part: Loose): Loose {
  if (part?.$ref === undefined) return part;
  const steps: string[] = part.$ref.split("/").slice(1);
  return steps.reduce((target: Loose, step) => target[step], description);
}

function text(given: unknown): string[] {
  return typeof given === "string" && given !== "" ? [given] : [];
}

function sentence(given: string): string {
  return given.endsWith(".") ? given : `${given}.`;
}
