/**
 * `/pins`: pins a collection in the user's navigation, and draws the navigation as it is then.
 *
 * @module
 */
import { z } from "zod";
import { ADDRESS_CHARS_MAX } from "../../../../kv/limits/packages.ts";
import { NAME_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { getCollection } from "../../../../kv/model/entities/collection.ts";
import { parseBody } from "../../../../kv/model/input/zod_details.ts";
import { savePin } from "../../../../kv/people/pins.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import type { Deps } from "../../../deps/deps.ts";
import { readJsonObject } from "../../../input/body.ts";
import { NavigationList } from "../../components/navigation/navigation_list.tsx";
import { navigationOf } from "../../navigation.ts";
import type { Handlers } from "../../screens.ts";

const PinInput = z.strictObject({
  /** The slug of a collection. */
  collection: z.string().max(NAME_CHARS_MAX),
  pinned: z.boolean(),
  /** The address of the link that the page marks as the current one. */
  current: z.string().max(ADDRESS_CHARS_MAX).nullable(),
});

/** `POST /pins`. */
export function pinScreens({ content }: Deps): Handlers<"pins"> {
  return {
    pins: async (c) => {
      const visit = c.get("visit");
      const { collection, pinned, current } = parseBody(PinInput, await readJsonObject(c.req.raw));
      const { id } = getCollection(visit.schema, collection);
      if (!visit.documents.in("read", id)) throw new Refusal("FORBIDDEN");
      const existing = new Set(visit.schema.collections.map(({ id }) => id));
      const pins = await savePin(content.context, visit.user.id, { id, pinned, existing });
      return c.html(
        <NavigationList
          sections={navigationOf(visit, pins)}
          current={current ?? undefined}
          closed={visit.sidebar.closed}
        />,
      );
    },
  };
}
