/**
 * Bodies of HTML forms, as browsers encode them by default.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";
import { readBody } from "./body.ts";
import { FORM_BODY_BYTES_MAX } from "./limits.ts";

/** Reads a form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  const bytes = await readBody(request, FORM_BODY_BYTES_MAX);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}
