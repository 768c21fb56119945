/**
 * The controls that define a field: of a collection, of a block, or inside another field. They are read
 * like the controls of a document; `data-for` names the types that an option belongs to.
 *
 * @module
 */
import {
  FIELD_TYPE_NAMES,
  type FieldOptions,
  type NestedField,
} from "../../../kv/model/field_definition.ts";
import type { FieldRole } from "../../../kv/model/field_role.ts";
import { fieldType } from "../../../kv/model/field_types/registry.ts";
import { FILE_MIMES, usualExtension } from "../../../kv/model/file_type.ts";
import { MEDIA_MIMES } from "../../../kv/model/media.ts";
import { Row } from "../controls/nested_control.tsx";
import { FIELD_FACETS, type OptionControl, typesWithOption } from "../controls/field_facets.tsx";
import { Option, Several, Switch, TextOption } from "./option_controls.tsx";
import { PlacementOptions } from "./placement_options.tsx";
import { Button } from "../components/button.tsx";

/** What definitions can refer to. */
export interface DefinitionScope {
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
      {flags && <h2 class="definition-heading">Rules</h2>}
      <Switch
        name="required"
        label="Required to publish"
        checked={field.required}
        id={`${id}-required`}
      />
      {flags && <FlagControls flags={flags} id={id} />}
      <div class="control group" data-name="options" data-type="group">
        <div class="definition-options">
          <Options options={field.options} id={`${id}-o`} scope={scope} />
          {flags && (
            <PlacementOptions
              options={field.options}
              id={`${id}-o`}
              siblings={scope.siblings ?? []}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function FlagControls({ flags, id }: { flags: Flags; id: string }) {
  const typesThat = (can: "index" | "sort" | "unique") =>
    FIELD_TYPE_NAMES.filter((type) => fieldType(type).can[can]).join(" ");
  return (
    <>
      <Switch
        name="indexed"
        label="Lists can be filtered by it"
        checked={flags.indexed}
        id={`${id}-indexed`}
        types={typesThat("index")}
      />
      <Switch
        name="sortable"
        label="Lists can be sorted by it"
        checked={flags.sortable}
        id={`${id}-sortable`}
        types={typesThat("sort")}
      />
      <Switch
        name="unique"
        label="No two documents may have the same value"
        checked={flags.unique}
        id={`${id}-unique`}
        types={typesThat("unique")}
      />
    </>
  );
}

function Options(
  { options, id, scope }: { options: FieldOptions; id: string; scope: DefinitionScope },
) {
  const number = (name: OptionControl & keyof FieldOptions, label: string) => (
    <Option
      name={name}
      label={label}
      type="number"
      id={`${id}-${name}`}
      types={typesWithOption(name)}
    >
      <input id={`${id}-${name}`} type="number" step="any" value={options[name] as number} />
    </Option>
  );
  return (
    <>
      <Switch
        name="multiline"
        label="Several lines"
        checked={options.multiline === true}
        id={`${id}-multiline`}
        types={typesWithOption("multiline")}
      />
      <Option
        name="choices"
        label="Choices, one a line"
        type="lines"
        id={`${id}-choices`}
        types={typesWithOption("choices")}
      >
        <textarea id={`${id}-choices`} rows={4}>
          {`\n${(options.choices ?? []).join("\n")}`}
        </textarea>
      </Option>
      {number("minLength", "Fewest characters")}
      {number("maxLength", "Most characters")}
      <Option
        name="pattern"
        label="Pattern (regular expression)"
        type="text"
        id={`${id}-pattern`}
        types={typesWithOption("pattern")}
      >
        <input id={`${id}-pattern`} type="text" class="mono" value={options.pattern ?? ""} />
      </Option>
      {number("min", "Smallest")}
      {number("max", "Largest")}
      <Switch
        name="integer"
        label="Whole numbers only"
        checked={options.integer === true}
        id={`${id}-integer`}
        types={typesWithOption("integer")}
      />
      {number("minItems", "Fewest rows")}
      {number("maxItems", "Maximum number of entries")}
      <Default options={options} id={id} />
      <RoleChoices options={options} id={id} />
      <ReferenceOptions options={options} id={id} scope={scope} />
    </>
  );
}

/** Where the public site shows the values: one control for all types that have the same choices. */
function RoleChoices({ options, id }: { options: FieldOptions; id: string }) {
  const types = Map.groupBy(FIELD_TYPE_NAMES, (type) => fieldType(type).roles.join(" "));
  return (
    <>
      {[...types].map(([roles, names]) => (
        <Option
          name="role"
          label="On the public site"
          type="text"
          id={`${id}-role-${names[0]}`}
          types={names.join(" ")}
        >
          <select id={`${id}-role-${names[0]}`}>
            <option value="">As its type and name suggest</option>
            {roles.split(" ").map((role) => (
              <option value={role} selected={role === options.role}>
                {ROLE_WORDS[role as FieldRole]}
              </option>
            ))}
          </select>
        </Option>
      ))}
    </>
  );
}

/** How the builder calls the places of a page. */
const ROLE_WORDS: Readonly<Record<FieldRole, string>> = {
  body: "In the text, in order",
  facts: "In the table of facts",
  tags: "As tags",
  byline: "In the byline",
  date: "As its date, in lists too",
  standfirst: "As the standfirst below the title",
  cover: "As the cover, in lists too",
  related: "At the end, to read on",
  hidden: "Nowhere",
};

function ReferenceOptions(
  { options, id, scope }: { options: FieldOptions; id: string; scope: DefinitionScope },
) {
  return (
    <>
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
        name="mimes"
        label="Only these types (none: all images)"
        types={typesWithOption("mimes")}
        choices={FILE_TYPES}
        chosen={options.mimes ?? []}
      />
      <Several
        name="allowed"
        label="Only these blocks (none: all)"
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
        <legend>Its fields</legend>
        <NestedDefinitions fields={options.fields ?? []} id={id} scope={scope} />
      </fieldset>
    </>
  );
}

function Default({ options, id }: { options: FieldOptions; id: string }) {
  const given = options.default;
  return (
    <>
      <Option
        name="default"
        label="Default"
        type="text"
        id={`${id}-default-text`}
        types={typesWithOption("defaultText")}
      >
        <input
          id={`${id}-default-text`}
          type="text"
          value={typeof given === "string" ? given : ""}
        />
      </Option>
      <Option
        name="default"
        label="Default"
        type="number"
        id={`${id}-default-number`}
        types={typesWithOption("defaultNumber")}
      >
        <input
          id={`${id}-default-number`}
          type="number"
          step="any"
          value={typeof given === "number" ? given : undefined}
        />
      </Option>
      <Option
        name="default"
        label="Default"
        type="choice"
        id={`${id}-default-flag`}
        types={typesWithOption("defaultFlag")}
      >
        <select id={`${id}-default-flag`}>
          {[["", "None"], ["true", "Yes"], ["false", "No"]].map(([value, label]) => (
            <option value={value} selected={value === String(given ?? "")}>{label}</option>
          ))}
        </select>
      </Option>
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
          Add a field
        </Button>
      </div>
    </div>
  );
}

/** The types of files, each by what people call it: `png`, `docx`. */
const FILE_TYPES: [mime: string, label: string][] = [
  ...MEDIA_MIMES.map((mime): [string, string] => [mime, mime.replace("image/", "")]),
  ...FILE_MIMES.map((mime): [string, string] => [mime, usualExtension(mime)]),
];

/** The row that {@linkcode NestedDefinitions} adds; once on the page. */
export function DefinitionTemplate({ scope }: { scope: DefinitionScope }) {
  return (
    <template data-definition-template>
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
