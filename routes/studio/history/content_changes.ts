/**
 * The differences between the content of two states of a document.
 *
 * @module
 */
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { State } from "../../../kv/model/entities/entity.ts";
import { asJson } from "../../../kv/model/entities/entity_kinds.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Visit } from "../serving/studio_env.ts";
import { compareFields, type FieldChange } from "./field_changes.ts";

/** Properties that a comparison of content leaves out. */
const NOT_COMPARED = ["status", "publishAt", "publishedAt", "updatedAt", "review", "workingCopy"];

/** Compares the content of two states, working copies aside; without `before`, everything that `after` holds. */
export async function contentChanges(
  deps: Deps,
  before: DocumentState | null,
  after: DocumentState,
  visit: Visit,
): Promise<FieldChange[]> {
  const contentOf = (state: DocumentState) => {
    const content = { ...asJson(state) };
    for (const key of NOT_COMPARED) delete content[key];
    return content;
  };
  const compare = (was: State, is: State) => compareFields(deps, "document", was, is, visit);
  if (before !== null) return await compare(contentOf(before), contentOf(after));
  // A boolean that was never turned on is not content.
  const written = Object.entries(after.data).filter(([, value]) => value !== false);
  const whole = { ...contentOf(after), data: Object.fromEntries(written) };
  const empty = { ...whole, title: "", slug: "", data: {}, blocks: [] };
  return await compare(empty, whole);
}
