/**
 * `/list-layout`: stores the user's column layout of a list.
 *
 * @module
 */
import { parseListLayout, saveListLayout } from "../../../../../kv/documents/lists/list_layouts.ts";
import { Refusal } from "../../../../../kv/refusals.ts";
import { getCollection } from "../../../../../kv/model/entities/collection.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { readJsonObject } from "../../../../input/body.ts";
import type { Handlers } from "../../../screens.ts";

/** `POST /list-layout`. */
export function listLayoutScreens({ content }: Deps): Handlers<"listLayout"> {
  return {
    listLayout: async (c) => {
      const { schema, documents, user } = c.get("visit");
      const input = parseListLayout(await readJsonObject(c.req.raw));
      const id = input.collection === null ? null : getCollection(schema, input.collection).id;
      if (id !== null && !documents.in("read", id)) throw new Refusal("FORBIDDEN");
      await saveListLayout(content.context, user.id, id, input);
      return c.body(null, 204);
    },
  };
}
