/**
 * Runs in the browser. A new document is created at the first keystroke, with a working title until it has its
 * own, so that its text is saved like any other.
 *
 * @module
 */
import { call, type Reply } from "../page/call.ts";
import { get } from "../page/elements.ts";
import { ControlFault, type Value } from "./control_values.ts";
import type { Unsent } from "./live/editing_session.ts";
import { WORKING_TITLE } from "./live/field_states.ts";
import { FormFields } from "./live/form_fields.ts";
import type { DocumentBody } from "./document_body.ts";

/** Creates the document of a form. */
export async function createDocument(
  form: HTMLElement,
  collection: string,
): Promise<Reply<DocumentBody>> {
  const title = get<HTMLTextAreaElement>(form, "#c-title").value.trim() || WORKING_TITLE;
  return await call("POST", "/api/admin/documents", { body: { collection, title } });
}

/** The values of a form that the document created from it does not have. */
export function unsentAfter(form: HTMLElement, created: Record<string, Value>): Unsent {
  const fields = new FormFields(form);
  const entries = fields.names().map((name) => {
    const base = fields.shape(name, created[name] ?? null);
    const value = shown(fields, name);
    // The server created a slug because the form had none.
    const isUnset = value === undefined || (name === "slug" && value === null);
    return [name, { base, mine: isUnset ? base : value }] as const;
  });
  return { sent: null, fields: Object.fromEntries(entries) };
}

/** The value of a control; undefined while its text is not valid. */
function shown(fields: FormFields, name: string): Value {
  try {
    return fields.read(name);
  } catch (error) {
    if (error instanceof ControlFault) return undefined;
    throw error;
  }
}
