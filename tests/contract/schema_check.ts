/**
 * JSON Schema checks inside an OpenAPI document.
 *
 * @module
 */
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";

/** Checks a value against the schema at a path of the document; answers what is wrong. */
export type SchemaCheck = (path: string[], value: unknown) => string[];

/** Compiles schemas of an OpenAPI document as they are asked for. */
export function compileIn(description: object): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...description, $id: "https://description.test/" });
  const compiled = new Map<string, ValidateFunction>();
  return function check(path, value) {
    const pointer = path.map(escapeStep).join("/");
    let validate = compiled.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `https://description.test/#/${pointer}` });
      compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
