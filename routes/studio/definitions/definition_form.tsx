/**
 * The controls that define a field: of a collection, of a block, or inside another field. They are read
 * like the controls of a document; `data-for` names the types that an option belongs to.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import {
  FIELD_TYPE_NAMES,
  type FieldOptions,
  type NestedField,
} from "../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { FILE_MIMES, usualExtension } from "../../../kv/model/values/file_type.ts";
import { MEDIA_MIMES } from "../../../kv/model/entities/media.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { NAME_CHARS_MAX } from "../../../kv/limits/content.ts";
import { LanguageTexts } from "../components/forms/language_texts.tsx";
import { Row } from "../controls/nested_control.tsx";
import { FIELD_FACETS, typesWithOption } from "../controls/field_facets.tsx";
import { ChoiceLabels } from "./choice_labels.tsx";
import { Option, Several, Switch, TextOption } from "./option_controls.tsx";
import { PlacementOptions } from "./placement_options.tsx";
import { ValueOptions } from "./value_options.tsx";
import { Button } from "../components/button.tsx";

/** The collections and blocks that definitions can refer to, and the languages that labels can be in. */
export interface DefinitionScope extends Pick<Schema, "languages"> {
  /** Slugs and names of collections. */
  collections: { slug: string; name: string }[];
  blocks: { name: string; label: string }[];
  /** The other fields of the collection; left out inside of other fields. */
  siblings?: { name: string; label: string }[];
}

/** The flags that only a collection's own fields have. */
export interface Flags {
  unique: boolean;
  indexed: boolean;
  sortable: boolean;
  /** Absent if the documents of the collection have no translations. */
  localized?: boolean | undefined;
  /** Labels in other languages. */
  labels?: { [code: string]: string };
}

interface DefinitionProps {
  field: NestedField;
  id: string;
  scope: DefinitionScope;
  flags?: Flags;
  isNew: boolean;
}

/** Everything about one field. */
export function Definition({ field, id, scope, flags, isNew }: DefinitionProps) {
  return (
    <div class="definition" data-definition>
      <div class="pair">
        <TextOption name="label" label="Label" value={field.label} id={`${id}-label`} />
        <TextOption
          name="name"
          label="Name in the API"
          value={field.name}
          id={`${id}-name`}
          mono
          follows={isNew}
        />
      </div>
      {flags && (
        <LanguageTexts
          name="labels"
          legend="Label in other languages"
          texts={flags.labels}
          original={field.label}
          schema={scope}
          id={`${id}-labels`}
          maxlength={NAME_CHARS_MAX}
        />
      )}
      <div class="control" data-name="type" data-type="text">
        <label for={`${id}-type`}>Type</label>
        <select id={`${id}-type`} data-type-choice>
          {FIELD_TYPE_NAMES.map((type) => (
            <option value={type} selected={type === field.type}>{FIELD_FACETS[type].label}</option>
          ))}
        </select>
      </div>
      <TextOption
        name="help"
        label="Help for editors"
        value={field.help}
        id={`${id}-help`}
        multiline
      />
      <OptionGroup>
        <KindOptions options={field.options} id={`${id}-o`} scope={scope} />
      </OptionGroup>
      {flags && <h2 class="definition-heading">Rules</h2>}
      <Switch
        name="required"
        label="Required to publish"
        checked={field.required}
        id={`${id}-required`}
      />
      {flags && <FlagControls flags={flags} id={id} />}
      <OptionGroup>
        <ValueOptions options={field.options} id={`${id}-o`} />
        {flags && (
          <PlacementOptions
            options={field.options}
            id={`${id}-o`}
            siblings={scope.siblings ?? []}
          />
        )}
      </OptionGroup>
    </div>
  );
}

/** A part of the options. They are shown before and after the rules and read as one object. */
function OptionGroup({ children }: { children: Child }) {
  return (
    <div class="control group" data-name="options" data-type="group">
      <div class="definition-options">{children}</div>
    </div>
  );
}

function FlagControls({ flags, id }: { flags: Flags; id: string }) {
  const typesThat = (can: "index" | "sort" | "unique") =>
    FIELD_TYPE_NAMES.filter((type) => fieldType(type).can[can]).join(" ");
  return (
    <>
      {flags.localized !== undefined && (
        <Switch
          name="localized"
          label="Translated: each language has its own value"
          checked={flags.localized}
          id={`${id}-localized`}
        />
      )}
      <Switch
        name="indexed"
        label="Filterable"
        checked={flags.indexed}
        id={`${id}-indexed`}
        types={typesThat("index")}
      />
      <Switch
        name="sortable"
        label="Sortable"
        checked={flags.sortable}
        id={`${id}-sortable`}
        types={typesThat("sort")}
      />
      <Switch
        name="unique"
        label="Unique"
        checked={flags.unique}
        id={`${id}-unique`}
        types={typesThat("unique")}
      />
    </>
  );
}

/** The options that a type requires: the choices of a select, the fields of a group. */
function KindOptions(
  { options, id, scope }: { options: FieldOptions; id: string; scope: DefinitionScope },
) {
  return (
    <>
      <Switch
        name="multiline"
        label="Multiple lines"
        checked={options.multiline === true}
        id={`${id}-multiline`}
        types={typesWithOption("multiline")}
      />
      <ChoiceOptions options={options} id={id} scope={scope} />
      <Option
        name="collection"
        label="From collection"
        type="text"
        id={`${id}-collection`}
        types={typesWithOption("collection")}
      >
        <select id={`${id}-collection`}>
          <option value="">Any</option>
          {scope.collections.map(({ slug, name }) => (
            <option value={slug} selected={slug === options.collection}>{name}</option>
          ))}
        </select>
      </Option>
      <Several
        name="collections"
        label="From several collections (empty = any)"
        types={typesWithOption("collections")}
        choices={scope.collections.map(({ slug, name }) => [slug, name])}
        chosen={options.collections ?? []}
      />
      <Several
        name="mimes"
        label="Allowed types (empty = all)"
        types={typesWithOption("mimes")}
        choices={FILE_TYPES}
        chosen={options.mimes ?? []}
      />
      <Several
        name="allowed"
        label="Allowed blocks (empty = all)"
        types={typesWithOption("allowed")}
        choices={scope.blocks.map(({ name, label }) => [name, label])}
        chosen={options.allowed ?? []}
      />
      <fieldset
        class="control repeater"
        data-name="fields"
        data-type="repeater"
        data-for={typesWithOption("fields")}
      >
        <legend>Fields in each row</legend>
        <NestedDefinitions fields={options.fields ?? []} id={id} scope={scope} />
      </fieldset>
    </>
  );
}

/** The choices, and their labels in other languages. */
function ChoiceOptions(
  { options, id, scope }: { options: FieldOptions; id: string; scope: DefinitionScope },
) {
  return (
    <>
      <Option
        name="choices"
        label="Choices, one per line"
        type="lines"
        id={`${id}-choices`}
        types={typesWithOption("choices")}
      >
        <textarea id={`${id}-choices`} rows={4}>
          {`\n${(options.choices ?? []).join("\n")}`}
        </textarea>
      </Option>
      <ChoiceLabels options={options} schema={scope} />
    </>
  );
}

/** The fields of a repeater, a group or a block. */
export function NestedDefinitions(
  { fields, id, scope }: { fields: NestedField[]; id: string; scope: DefinitionScope },
) {
  return (
    <div class="rows-control" data-rows="Fields">
      <ol class="row-list" data-row-list>
        {fields.map((field, index) => (
          <Row title="Field" readOnly={false}>
            <Definition field={field} id={`${id}-${index}`} scope={scope} isNew={false} />
          </Row>
        ))}
      </ol>
      <div class="row">
        <Button size="small" data-add-definition icon="plus">
          Add field
        </Button>
      </div>
    </div>
  );
}

/** File types by their short names: `png`, `docx`. */
const FILE_TYPES: [mime: string, label: string][] = [
  ...MEDIA_MIMES.map((mime): [string, string] => [mime, mime.replace("image/", "")]),
  ...FILE_MIMES.map((mime): [string, string] => [mime, usualExtension(mime)]),
];

/** The row that {@linkcode NestedDefinitions} adds; once on the page. */
export function DefinitionTemplate({ scope }: { scope: DefinitionScope }) {
  return (
    <template
      data-definition-template
      data-island={scope.languages === undefined ? undefined : "choice-labels"}
    >
      <Row title="Field" readOnly={false}>
        <Definition field={EMPTY_FIELD} id="nested-new" scope={scope} isNew />
      </Row>
    </template>
  );
}

/** A field that is yet to be defined. */
export const EMPTY_FIELD: NestedField = {
  name: "",
  label: "",
  type: "text",
  required: false,
  help: "",
  options: {},
};
