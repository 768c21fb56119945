/**
 * The settings that decide how the public site looks, whatever its theme: drawn with the controls of documents.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { SITE_FONTS } from "../../../../kv/model/entities/setting.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { ColourField } from "../../components/forms/colour_field.tsx";
import { drawFields } from "../../controls/control.tsx";
import type { Referenced } from "../../controls/referenced.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { PickerDialogs } from "../content/document_dialogs.tsx";

/** Path below which the pages of the site are in a design that need not be saved. */
export const DESIGN_BASE = "/admin/settings/design";

/** The settings that hold the id of a medium. */
export const DESIGN_MEDIA = ["site.logo", "site.icon", "site.image"] as const;

function setting(
  name: string,
  label: string,
  type: FieldTypeName,
  help = "",
  options: NestedField["options"] = {},
): NestedField {
  return { name, label, type, required: false, help, options };
}

const LOGO = [
  setting("site.logo", "Logo", "media", "In place of the title, at the top of every page."),
  setting(
    "site.icon",
    "Icon",
    "media",
    "In tabs, bookmarks and on home screens, as a square. None: the initial of the title in the accent colour.",
  ),
];
const ACCENT = setting(
  "site.accent",
  "Accent colour",
  "text",
  "Links are drawn in it, lighter or darker where it could not be read.",
);

/** What stands below the colour. */
const FIELDS: readonly NestedField[] = [
  setting("site.font", "Typeface", "select", "None: the one of the theme.", {
    choices: [...SITE_FONTS],
  }),
  setting("site.menu", "Menu", "repeater", "Without entries it lists the collections.", {
    fields: [
      setting("label", "Label", "text"),
      setting("url", "Address", "text", "A path such as /about, or an address elsewhere."),
    ],
  }),
  setting(
    "media.crops",
    "Shapes of images",
    "repeater",
    "Besides square 1:1, portrait 3:4, landscape 4:3, photo 3:2 and wide 16:9. Crops are drawn for each.",
    {
      fields: [
        setting("name", "Name", "text", "As themes name it: portrait."),
        setting("ratio", "Width to height", "text", "Such as 4:5."),
      ],
    },
  ),
  setting("site.image", "Picture for sharing", "media", "For pages that have none of their own."),
];

/** The card of the settings page. */
export function DesignSettings(
  { values, referenced, visit }: {
    values: Record<string, Json>;
    referenced: Referenced;
    visit: Visit;
  },
) {
  const readOnly = !visit.can("settings.write");
  const surroundings = {
    blocks: [],
    blockFields: () => undefined,
    referenced,
    readOnly,
    mayUpload: false,
    embedHosts: [],
    draw: drawFields,
  };
  return (
    <section class="card design">
      <div>
        <h2>Design</h2>
        <p class="muted">How the public site looks, with any theme that follows it.</p>
        <ApiForm
          to="PATCH /api/admin/settings"
          after="reload"
          done="Saved. The pages are drawn anew."
          island="design"
          guard
        >
          {drawFields(LOGO, values, "design", surroundings)}
          <ColourField
            field={ACCENT}
            id={`design-${ACCENT.name}`}
            value={values[ACCENT.name]}
            readOnly={readOnly}
          />
          {drawFields(FIELDS, values, "design", surroundings)}
          {!readOnly && <Button type="submit" variant="primary">Save</Button>}
        </ApiForm>
        {!readOnly && <PickerDialogs visit={visit} />}
      </div>
      <iframe
        class="design-preview"
        title="The site in this design"
        src={`${DESIGN_BASE}/`}
        data-design-preview
      >
      </iframe>
    </section>
  );
}
