/**
 * The design of the public site: its theme, and the settings that apply to any theme, beside the site as they
 * make it. The settings use the controls of documents.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { SITE_FONTS } from "../../../../kv/model/entities/setting.ts";
import type { PackageState } from "../../../../kv/model/entities/package.ts";
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import {
  activeThemeId,
  type BuiltInThemeId,
  DEFAULT_THEME_ID,
  isBuiltInTheme,
} from "../../../../kv/packages/built_in_themes.ts";
import { ACTIVE_THEME, getPackage, listPackages } from "../../../../kv/packages/packages.ts";
import { drawDesignPage } from "../../../answers/site_preview.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ColorField } from "../../components/forms/color_field.tsx";
import { SegmentedChoice } from "../../components/navigation/segmented_choice.tsx";
import { SaveBar } from "../../components/forms/save_bar.tsx";
import { drawFields } from "../../controls/control.tsx";
import { findReferenced, type Referenced } from "../../controls/referenced.ts";
import type { Handlers } from "../../screens.ts";
import { page } from "../../serving/page.tsx";
import type { StudioEnv, Visit } from "../../serving/studio_env.ts";
import { PickerDialogs } from "../content/document_dialogs.tsx";
import { Group } from "./settings_group.tsx";
import {
  DESIGN_BASE,
  type OfferedTheme,
  offeredThemes,
  ThemeChoice,
  themeQuery,
} from "./theme_choice.tsx";

/** The settings that hold the id of a medium. */
const DESIGN_MEDIA = ["site.logo", "site.icon", "site.image"] as const;

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
  setting("site.font", "Typeface", "select", "If empty, the theme's default.", {
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

/** `/design` and the pages of the site in a design. */
export function designScreens(deps: Deps): Handlers<"design" | "designPage"> {
  const { settings, content: { context } } = deps;
  return {
    design: async (c) => {
      const visit = c.get("visit");
      const values = await settings.all();
      const media = DESIGN_MEDIA.map((key) => values[key]).filter((id) => typeof id === "string");
      const shown = media.map((id) => ({ kind: "media" as const, id }));
      const [referenced, installed] = await Promise.all([
        findReferenced(deps, shown, visit),
        listPackages(context, "theme"),
      ]);
      const themes = offeredThemes(installed);
      const active = knownTheme(themes, activeThemeId(values[ACTIVE_THEME]), DEFAULT_THEME_ID);
      const previewed = knownTheme(themes, c.req.query("theme"), active);
      return await page(
        c,
        { title: "Design", intro: "How the public site looks.", wide: true },
        <div class="design" data-island="save-bar">
          <div class="stack">
            <ThemeChoice themes={themes} active={active} shown={previewed} visit={visit} />
            <DesignSettings values={values} referenced={referenced} visit={visit} />
            {visit.can("settings.write") && <SaveBar done="Saved. The pages are being rebuilt." />}
          </div>
          <DesignPreview query={themeQuery(previewed, active)} />
        </div>,
      );
    },
    designPage: async (c) => {
      const { path } = c.req.param();
      const given = parseGiven(c.req.query("given") ?? "{}");
      const theme = await previewedTheme(deps, c);
      return await drawDesignPage(deps, c, { given, theme, path: `/${path}`, base: DESIGN_BASE });
    },
  };
}

/** The id of an offered theme, or another one if there is no such theme. */
function knownTheme(themes: OfferedTheme[], id: string | undefined, other: string): string {
  return themes.some((theme) => theme.id === id) && id !== undefined ? id : other;
}

/** The theme that the query of a preview names; null for the active one. */
async function previewedTheme(
  { content: { context } }: Deps,
  c: HttpContext<StudioEnv>,
): Promise<BuiltInThemeId | PackageState | null> {
  const id = c.req.query("theme");
  if (id === undefined || !c.get("visit").can("packages.manage")) return null;
  return isBuiltInTheme(id) ? id : await getPackage(context, "theme", id);
}

/** The values in the query of a preview; none if they are not a JSON object. */
function parseGiven(text: string): Record<string, Json> {
  try {
    const given = JSON.parse(text) as Json;
    return isJsonObject(given) ? given : {};
  } catch {
    return {};
  }
}

/** The form, which the bar of the page saves. */
function DesignSettings(
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
    <>
      <Group
        id="look"
        heading="Appearance"
        text="Themes that support these settings use them."
        island="design"
      >
        {drawFields(LOGO, values, "design", controlContext)}
        <ColorField
          field={ACCENT}
          id={`design-${ACCENT.name}`}
          value={values[ACCENT.name]}
          readOnly={readOnly}
        />
        {drawFields(FIELDS, values, "design", controlContext)}
      </Group>
      {!readOnly && <PickerDialogs visit={visit} />}
    </>
  );
}

const SCREENS = [["desktop", "Desktop"], ["phone", "Phone"]] as const;
const COLORS = [["light", "Light"], ["dark", "Dark"]] as const;

/** The site with what the form says. The style sheet reads the switches above it. */
function DesignPreview({ query }: { query: string }) {
  return (
    <section class="design-stage" aria-label="Preview">
      <div class="row">
        <SegmentedChoice legend="Screen" name="stage-screen" choices={SCREENS} chosen="desktop" />
        <SegmentedChoice legend="Colors" name="stage-colors" choices={COLORS} chosen="light" />
      </div>
      <div class="stage-frame">
        <iframe title="Design preview" src={`${DESIGN_BASE}/${query}`} data-design-preview></iframe>
      </div>
    </section>
  );
}
