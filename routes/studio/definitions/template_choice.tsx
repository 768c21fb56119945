/**
 * The starting point of a new collection: blank, a template, or the fields of another collection.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { EmbeddedJson } from "../components/embedded_json.tsx";
import { Icon } from "../components/icon.tsx";
import type { IconName } from "../components/icon_names.ts";
import { named } from "../components/forms/field.tsx";
import { collectionIcon } from "../navigation.ts";
import { COLLECTION_TEMPLATES } from "./collection_templates.ts";

/** The choice, and the fields that come of it, which the browser's code fills in. */
export function TemplateChoice({ collections }: { collections: Collection[] }) {
  return (
    <fieldset class="field template-choice" data-island="template-choice">
      <legend class="label">Start from</legend>
      <div class="template-cards">
        <Card value="" label="Blank" icon="plus" checked />
        {COLLECTION_TEMPLATES.map(({ slug, label }) => (
          <Card value={slug} label={label} icon={collectionIcon({ slug })} />
        ))}
        {collections.length > 0 && (
          <Card value="copy" label="Copy of another collection" icon="copy" />
        )}
      </div>
      <select data-copied aria-label="Collection to copy fields from" hidden>
        {collections.map(({ slug, name }) => <option value={slug}>{name}</option>)}
      </select>
      <div data-type="json" {...named("fields")}>
        <p class="help" data-preview aria-live="polite"></p>
        <textarea hidden>[]</textarea>
      </div>
      <EmbeddedJson of={COLLECTION_TEMPLATES} />
    </fieldset>
  );
}

function Card(
  { value, label, icon, checked }: {
    value: string;
    label: string;
    icon: IconName;
    checked?: boolean;
  },
) {
  return (
    <label class="template-card">
      <input type="radio" name="template" value={value} checked={checked} />
      <Icon name={icon} />
      <span>{label}</span>
    </label>
  );
}
