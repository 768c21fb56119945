/**
 * The design settings of the public site, which apply to any theme. They use the controls of documents.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { SITE_FONTS } from "../../../../kv/model/entities/setting.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { ColorField } from "../../components/forms/color_field.tsx";
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
  setting("site.logo", "Logo", "media", "Shown instead of the title at the top of every page."),
  setting(
    "site.icon",
    "Icon",
    "media",
    "A square image for tabs, bookmarks and home screens. If empty, the initial of the title in the accent color.",
  ),
];
const ACCENT = setting(
  "site.accent",
  "Accent color",
  "text",
  "Used for links; made lighter or darker where the contrast would be too low.",
);

/** The contrast samples below the color. */
const FIELDS: readonly NestedField[] = [
  setting("site.font", "Typeface", "select", "If empty, the theme's own.", {
    choices: [...SITE_FONTS],
  }),
  setting("site.menu", "Menu", "repeater", "If empty, the menu lists the collections.", {
    fields: [
      setting("label", "Label", "text"),
      setting("url", "URL", "text", "A path such as /about, or a full URL."),
    ],
  }),
  setting(
    "media.crops",
    "Image shapes",
    "repeater",
    "In addition to square 1:1, portrait 3:4, landscape 4:3, photo 3:2 and wide 16:9. Editors can crop images to each shape.",
    {
      fields: [
        setting("name", "Name", "text", "The name that themes use, such as portrait."),
        setting("ratio", "Aspect ratio", "text", "For example 4:5."),
      ],
    },
  ),
  setting("site.image", "Sharing image", "media", "For pages without an image of their own."),
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
  const controlContext = {
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
        <p class="muted">The look of the public site, in themes that support it.</p>
        <ApiForm
          to="PATCH /api/admin/settings"
          after="reload"
          done="Saved. The pages are being rebuilt."
          island="design"
          guard
        >
          {drawFields(LOGO, values, "design", controlContext)}
          <ColorField
            field={ACCENT}
            id={`design-${ACCENT.name}`}
            value={values[ACCENT.name]}
            readOnly={readOnly}
          />
          {drawFields(FIELDS, values, "design", controlContext)}
          {!readOnly && <Button type="submit" variant="primary">Save</Button>}
        </ApiForm>
        {!readOnly && <PickerDialogs visit={visit} />}
      </div>
      <iframe
        class="design-preview"
        title="Design preview"
        src={`${DESIGN_BASE}/`}
        data-design-preview
      >
      </iframe>
    </section>
  );
}
