/**
 * The facts of the site and of the user's permissions that the controls of a form use.
 *
 * @module
 */
import type { Visit } from "../serving/studio_env.ts";
import { drawFields } from "./control.tsx";
import type { ControlContext } from "./control_props.ts";
import type { Referenced } from "./referenced.ts";

/** Creates the context, with blocks sorted by label. */
export function controlContextOf(
  { schema, can, embedHosts }: Pick<Visit, "schema" | "can" | "embedHosts">,
  referenced: Referenced,
  readOnly: boolean,
): ControlContext {
  const blocks = [...schema.blocks.values()].map(({ name, label }) => ({ name, label }));
  return {
    blocks: blocks.sort((a, b) => a.label < b.label ? -1 : 1),
    blockFields: (name) => schema.blocks.get(name)?.fields,
    referenced,
    readOnly,
    mayUpload: can("media.write"),
    embedHosts,
    draw: drawFields,
  };
}
