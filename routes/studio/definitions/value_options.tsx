/**
 * The options of a field about its values: validation, default, and role on the public site.
 *
 * @module
 */
import { FIELD_TYPE_NAMES, type FieldOptions } from "../../../kv/model/fields/field_definition.ts";
import type { FieldRole } from "../../../kv/model/fields/field_role.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { type OptionControl, typesWithOption } from "../controls/field_facets.tsx";
import { Option, Switch } from "./option_controls.tsx";

/** Validation, default and role on the public site. */
export function ValueOptions({ options, id }: { options: FieldOptions; id: string }) {
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
      {number("minLength", "Min length")}
      {number("maxLength", "Max length")}
      <Option
        name="pattern"
        label="Pattern (regular expression)"
        type="text"
        id={`${id}-pattern`}
        types={typesWithOption("pattern")}
      >
        <input id={`${id}-pattern`} type="text" class="mono" value={options.pattern ?? ""} />
      </Option>
      {number("min", "Min value")}
      {number("max", "Max value")}
      <Switch
        name="integer"
        label="Whole numbers only"
        checked={options.integer === true}
        id={`${id}-integer`}
        types={typesWithOption("integer")}
      />
      {number("minItems", "Min rows")}
      {number("maxItems", "Max rows")}
      <Default options={options} id={id} />
      <RoleChoices options={options} id={id} />
    </>
  );
}

/** The role on the public site: one control for all types with the same choices. */
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
            <option value="">Automatic</option>
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
  date: "As the date, also in lists",
  standfirst: "As the standfirst below the title",
  cover: "As the cover, also in lists",
  related: "Related, at the end",
  hidden: "Hidden",
  searchTitle: "As the title for search engines",
  searchDescription: "As the description for search engines",
  canonical: "As the canonical URL",
  noindex: "Hides the page from search engines",
  shareImage: "As the image for social networks",
};

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
