/**
 * The icon of a collection: the chosen one, or one that matches its name.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { COLLECTION_ICONS } from "../../../kv/model/input/collection_icon.ts";
import { named } from "../components/forms/field.tsx";
import { Icon } from "../components/icon.tsx";
import { collectionIcon } from "../navigation.ts";

/** The icon choice, collapsed by default. */
export function IconChoice({ collection }: { collection: Collection | null }) {
  const chosen = collection?.icon ?? "";
  return (
    <details class="field icon-choice" data-type="text" {...named("icon", true)}>
      <summary>
        <Icon name={collection === null ? "document" : collectionIcon(collection)} />
        <span>Icon</span>
        <span class="optional">optional</span>
      </summary>
      <fieldset>
        <legend class="help">
          Shown next to the name of the collection in the navigation and in lists.
        </legend>
        <label>
          <input type="radio" name="icon" value="" checked={chosen === ""} />
          <span>Automatic</span>
        </label>
        {COLLECTION_ICONS.map((icon) => (
          <label title={wordsOf(icon)}>
            <input
              type="radio"
              name="icon"
              value={icon}
              checked={icon === chosen}
              aria-label={wordsOf(icon)}
            />
            <span>
              <Icon name={icon} />
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function wordsOf(icon: string): string {
  const words = icon.replace("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
