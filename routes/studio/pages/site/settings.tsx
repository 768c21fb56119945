/**
 * The settings of the site, in groups.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import type { FileKind } from "../../../../kv/model/values/file_type.ts";
import { EMBED_NAMES } from "../../../../kv/model/values/embed.ts";
import { ENTITY_TYPES } from "../../../../kv/model/entities/entity_kinds.ts";
import type { Deps } from "../../../process/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Checkbox, Choices, Field, Select } from "../../components/forms/field.tsx";
import { MailCheck } from "../../components/forms/mail_check.tsx";
import { TimeZone } from "../../components/forms/time_zone.tsx";
import { entityName } from "../../wording/entity_names.ts";
import { page } from "../../serving/page.tsx";
import { Button } from "../../components/button.tsx";
import { findReferenced } from "../../controls/referenced.ts";
import { DESIGN_BASE, DESIGN_MEDIA, DesignSettings } from "./design_settings.tsx";
import type { Handlers } from "../../screens.ts";
import { drawDesignPage } from "../../../answers/site_preview.ts";

type Values = Record<string, Json>;

/** `/settings`. */
export function settingScreens(deps: Deps): Handlers<"settings" | "designPage"> {
  const { settings } = deps;
  return {
    settings: async (c) => {
      const visit = c.get("visit");
      const values = await settings.all();
      const media = DESIGN_MEDIA.map((key) => values[key]).filter((id) => typeof id === "string");
      const shown = media.map((id) => ({ kind: "media" as const, id }));
      const referenced = await findReferenced(deps, shown, visit);
      const readOnly = !visit.can("settings.write");
      return await page(
        c,
        { title: "Settings" },
        <div class="stack settings">
          {readOnly && <p class="alert info">You can look at the settings, but not change them.</p>}
          <SiteSettings values={values} readOnly={readOnly} />
          <DesignSettings values={values} referenced={referenced} visit={visit} />
          {SWITCHES.map((setting) => (
            <SwitchSetting setting={setting} values={values} readOnly={readOnly} />
          ))}
          {!readOnly && (
            <section class="card">
              <h2>Mail</h2>
              <p class="muted">
                Invitations and new passwords go out by mail. The server is set where the service is
                started (SMTP_URL, EMAIL_DOMAIN).
              </p>
              <MailCheck email={visit.user.email} />
            </section>
          )}
          <FileTypes values={values} readOnly={readOnly} />
          <EmbedSettings values={values} readOnly={readOnly} />
          <WebhookSettings values={values} readOnly={readOnly || !visit.administrator} />
          <KeepingSettings values={values} readOnly={readOnly} />
          {visit.can("jobs.manage") && <Maintenance />}
        </div>,
      );
    },
    designPage: async (c) => {
      const { path } = c.req.param();
      const given = parseGiven(c.req.query("given") ?? "{}");
      return await drawDesignPage(deps, c, { given, path: `/${path}`, base: DESIGN_BASE });
    },
  };
}

/** What the address of a preview says; nothing where that is no JSON of an object. */
function parseGiven(text: string): Record<string, Json> {
  try {
    const given = JSON.parse(text) as Json;
    return isJsonObject(given) ? given : {};
  } catch {
    return {};
  }
}

interface GroupProps {
  values: Values;
  readOnly: boolean;
}

function Group(
  { heading, text, readOnly, children }: {
    heading: string;
    text: string;
    readOnly: boolean;
    children: Child;
  },
) {
  return (
    <section class="card">
      <h2>{heading}</h2>
      <p class="muted">{text}</p>
      <ApiForm to="PATCH /api/admin/settings" after="reload" done="Saved" guard>
        {children}
        {!readOnly && <Button type="submit" variant="primary">Save</Button>}
      </ApiForm>
    </section>
  );
}

function SiteSettings({ values, readOnly }: GroupProps) {
  return (
    <Group heading="Site" text="On every page, in feeds and mails." readOnly={readOnly}>
      <Field
        label="Title"
        name="site.title"
        value={String(values["site.title"])}
        required
        disabled={readOnly}
      />
      <Field
        label="Description"
        name="site.description"
        value={String(values["site.description"])}
        multiline
        disabled={readOnly}
      />
      <Field
        label="Address"
        name="site.url"
        type="url"
        value={String(values["site.url"])}
        help="Where the public finds it; links in feeds and mails begin with this."
        disabled={readOnly}
      />
      <Field
        label="Language"
        name="site.language"
        value={String(values["site.language"])}
        help="A tag such as en, de or pt-BR."
        required
        disabled={readOnly}
      />
      <TimeZone
        name="site.timezone"
        value={String(values["site.timezone"])}
        help="Dates on the site and in the lists here."
        disabled={readOnly}
      />
      <Select
        label="Addresses made from titles"
        name="slugs"
        value={String(values.slugs ?? "ascii")}
        choices={[
          ["ascii", "In Latin letters: privet-mir"],
          ["unicode", "In the letters of their language: привет-мир"],
        ]}
        help="Of documents from now on; addresses that there are stay."
        disabled={readOnly}
      />
    </Group>
  );
}

function FileTypes({ values, readOnly }: GroupProps) {
  const chosen = (values["media.file_types"] ?? []) as FileKind[];
  return (
    <Group
      heading="Files"
      text="Images are always taken. What a browser would run (HTML, SVG, scripts) never is."
      readOnly={readOnly}
    >
      <Choices legend="What may be uploaded besides" name="media.file_types">
        {FILE_KINDS_NAMED.map(([kind, label]) => (
          <Checkbox
            name="media.file_types"
            value={kind}
            label={label}
            checked={chosen.includes(kind)}
            disabled={readOnly}
          />
        ))}
      </Choices>
    </Group>
  );
}

const FILE_KINDS_NAMED: readonly (readonly [FileKind, string])[] = [
  ["pdf", "PDF"],
  ["audio", "Audio (MP3, M4A, Ogg, WAV, FLAC, AAC)"],
  ["video", "Video (MP4, WebM, Ogg, QuickTime)"],
  ["office", "Office documents (DOCX, XLSX, PPTX, ODT, ODS, ODP)"],
  ["text", "Text and tables (TXT, CSV)"],
  ["archive", "Archives (ZIP)"],
];

/** Groups of one setting that is on or off. */
const SWITCHES = [
  {
    name: "images.transform_enabled",
    heading: "Images",
    text: "How images are served to the public.",
    label: "Resize and convert on request",
    help: "Addresses of images may then ask for a width and a format.",
  },
  {
    name: "media.keepCredentials",
    heading: "Content Credentials",
    text: "Signed statements of where an image comes from (C2PA).",
    label: "Keep files that carry them as uploaded",
    help: "Such files are then published with all of their metadata, such as location and camera.",
  },
  {
    name: "search.stemming",
    heading: "Search",
    text: "What visitors and programs find.",
    label: "Find other forms of a word",
    help: "“report” then finds “reporting”, less well than itself; in the language of the site.",
  },
] as const;

function SwitchSetting(
  { setting, values, readOnly }: GroupProps & { setting: typeof SWITCHES[number] },
) {
  const { name, heading, text, label, help } = setting;
  return (
    <Group heading={heading} text={text} readOnly={readOnly}>
      <Checkbox
        name={name}
        label={label}
        help={help}
        checked={values[name] === true}
        disabled={readOnly}
      />
    </Group>
  );
}

function EmbedSettings({ values, readOnly }: GroupProps) {
  const hosts = (values["embeds.hosts"] ?? []) as string[];
  const names = new Intl.ListFormat("en").format(EMBED_NAMES);
  return (
    <Group
      heading="Embeds"
      text={`Players of ${names} can be embedded in texts. Pages of other hosts are links, unless they are named here.`}
      readOnly={readOnly}
    >
      <Field
        label="Other hosts, one a line"
        name="embeds.hosts"
        value={hosts.join("\n")}
        help={`As in “player.example.org”. What they show runs their code, in a frame of its own. A host that is taken out leaves a link on every page.`}
        multiline
        lines
        nullable
        mono
        disabled={readOnly}
      />
    </Group>
  );
}

function WebhookSettings({ values, readOnly }: GroupProps) {
  const hosts = (values["webhooks.hosts"] ?? []) as string[];
  return (
    <Group
      heading="Webhooks"
      text="Webhooks call public HTTPS addresses. Receivers in your own network are named here."
      readOnly={readOnly}
    >
      <Field
        label="Private hosts, one per line"
        name="webhooks.hosts"
        value={hosts.join("\n")}
        help="As in “receiver:8080”. They may be called over plain HTTP. For administrators only."
        multiline
        lines
        nullable
        mono
        disabled={readOnly}
      />
    </Group>
  );
}

function KeepingSettings({ values, readOnly }: GroupProps) {
  const number = (name: string, label: string) => (
    <Field
      label={label}
      name={name}
      type="number"
      min={1}
      value={Number(values[name])}
      required
      disabled={readOnly}
    />
  );
  return (
    <Group
      heading="What is kept"
      text="Older versions and back-ups are removed every night. The newest version always stays."
      readOnly={readOnly}
    >
      <div class="pair">
        {number("exports.keep", "Daily back-ups")}
        {number("versions.keep.document", "Versions of a document")}
      </div>
      <details>
        <summary>Versions of everything else</summary>
        <div class="pair padded">
          {ENTITY_TYPES.filter((type) => type !== "document").map((type) =>
            number(`versions.keep.${type}`, entityName(type))
          )}
        </div>
      </details>
    </Group>
  );
}

function Maintenance() {
  return (
    <section class="card">
      <h2>Maintenance</h2>
      <p class="muted">Both run in the background; you can go on working.</p>
      <div class="row">
        <Button
          data-action="POST /api/admin/search/rebuild"
          data-body={JSON.stringify({ force: true })}
          data-then="/admin/jobs/{jobId}"
        >
          Rebuild the search index
        </Button>
        <Button
          data-action="POST /api/admin/example-site/seed"
          data-then="/admin/jobs/{jobId}"
        >
          Add the example site
        </Button>
      </div>
    </section>
  );
}
