/**
 * The settings of the site, in groups.
 *
 * @module
 */
import type { FileKind } from "../../../../kv/model/values/file_type.ts";
import { EMBED_NAMES } from "../../../../kv/model/values/embed.ts";
import type { GlossaryTerm } from "../../../../kv/model/entities/setting.ts";
import { ENTITY_TYPES } from "../../../../kv/model/entities/entity_kinds.ts";
import { providersOf } from "../../../../jobs/oidc/providers.ts";
import { listRoles } from "../../../../kv/people/roles.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Checkbox, Choices, Field, Select } from "../../components/forms/field.tsx";
import { MailCheck } from "../../components/forms/mail_check.tsx";
import { TimeZone } from "../../components/forms/time_zone.tsx";
import { entityName } from "../../wording/entity_names.ts";
import { page } from "../../serving/page.tsx";
import { Button } from "../../components/button.tsx";
import { SaveBar } from "../../components/forms/save_bar.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Group, type GroupProps, type SectionLink, SectionLinks } from "./settings_group.tsx";
import { ProviderSettings } from "./provider_settings.tsx";
import { SignInSettings } from "./sign_in_settings.tsx";
import { LanguageSettings } from "./language_settings.tsx";
import type { Handlers } from "../../screens.ts";

/** `/settings`. */
export function settingScreens(deps: Deps): Handlers<"settings"> {
  const { settings } = deps;
  return {
    settings: async (c) => {
      const visit = c.get("visit");
      const [values, glossary, current, access] = await Promise.all([
        settings.all(),
        settings.get<GlossaryTerm[] | null>("translation.glossary"),
        settings.values(),
        deps.people.access.current(),
      ]);
      const readOnly = !visit.can("settings.write");
      const languages = visit.schema.languages?.all ?? [];
      return await page(
        c,
        { title: "Settings" },
        <div class="settings sectioned" data-island="save-bar">
          <SectionLinks sections={sectionsOf(visit, languages.length > 0)} />
          <div class="stack">
            {readOnly && <p class="alert info">You can view the settings but not change them.</p>}
            <SiteSettings values={values} readOnly={readOnly} />
            <LanguageSettings
              values={values}
              languages={languages}
              glossary={glossary ?? []}
              readOnly={readOnly}
            />
            {SWITCHES.map((setting) => (
              <SwitchSetting setting={setting} values={values} readOnly={readOnly} />
            ))}
            <FileTypes values={values} readOnly={readOnly} />
            <EmbedSettings values={values} readOnly={readOnly} />
            {!readOnly && <Mail email={visit.user.email} />}
            {visit.administrator && (
              <>
                <SignInSettings values={current} readOnly={readOnly} />
                <ProviderSettings
                  providers={providersOf(current, deps.oidcEnv)}
                  roles={listRoles(access).map(({ name }) => name)}
                  readOnly={readOnly}
                />
              </>
            )}
            <WebhookSettings values={values} readOnly={readOnly || !visit.administrator} />
            <KeepingSettings values={values} readOnly={readOnly} />
            {visit.can("jobs.manage") && <Maintenance />}
            {!readOnly && <SaveBar done="Saved" />}
          </div>
        </div>,
      );
    },
  };
}

/** The cards that the user sees, in the order of the page. */
function sectionsOf(visit: Visit, hasLanguages: boolean): SectionLink[] {
  const sections: [shown: boolean, ...SectionLink][] = [
    [true, "site", "Site"],
    [true, "languages", "Languages"],
    [hasLanguages, "site-texts", "Site in other languages"],
    [hasLanguages, "translation", "Translation"],
    ...SWITCHES.map(({ id, heading }) => [true, id, heading] as [boolean, string, string]),
    [true, "files", "Files"],
    [true, "embeds", "Embeds"],
    [visit.can("settings.write"), "mail", "Mail"],
    [visit.administrator, "sign-in", "Signing in"],
    [visit.administrator, "programs", "Programs and directories"],
    [visit.administrator, "single-sign-on", "Single sign-on"],
    [true, "webhooks", "Webhooks"],
    [true, "retention", "Retention"],
    [visit.can("jobs.manage"), "maintenance", "Maintenance"],
  ];
  return sections.flatMap(([shown, id, label]) => shown ? [[id, label] as const] : []);
}

function Mail({ email }: { email: string }) {
  return (
    <section class="card" id="mail">
      <h2>Mail</h2>
      <p class="muted">
        Invitations and password resets are sent by email. Set the mail server with the environment
        variables SMTP_URL and EMAIL_DOMAIN.
      </p>
      <MailCheck email={email} />
    </section>
  );
}

function SiteSettings({ values, readOnly }: GroupProps) {
  return (
    <Group id="site" heading="Site" text="Shown on every page, in feeds and in emails.">
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
        label="Site URL"
        name="site.url"
        type="url"
        value={String(values["site.url"])}
        help="The public URL of the site. Links in feeds and emails start with it."
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
        help="For dates on the site and in the studio."
        disabled={readOnly}
      />
      <Select
        label="URLs from titles"
        name="slugs"
        value={String(values.slugs ?? "ascii")}
        choices={[
          ["ascii", "In Latin letters: privet-mir"],
          ["unicode", "In the original script: привет-мир"],
        ]}
        help="For new documents. Existing URLs do not change."
        disabled={readOnly}
      />
    </Group>
  );
}

function FileTypes({ values, readOnly }: GroupProps) {
  const chosen = (values["media.file_types"] ?? []) as FileKind[];
  return (
    <Group
      id="files"
      heading="Files"
      text="Images are always allowed. Files that a browser would run (HTML, SVG, scripts) never are."
    >
      <Choices legend="Other file types" name="media.file_types">
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
    id: "images",
    name: "images.transform_enabled",
    heading: "Images",
    text: "How the public site serves images.",
    label: "Resize and convert on request",
    help: "Image URLs can then request a width and a format.",
  },
  {
    id: "credentials",
    name: "media.keepCredentials",
    heading: "Content Credentials",
    text: "Signed records of where an image comes from (C2PA).",
    label: "Keep files that carry them as uploaded",
    help: "These files are published with all their metadata, including location and camera.",
  },
  {
    id: "search",
    name: "search.stemming",
    heading: "Search",
    text: "How search works for visitors and the API.",
    label: "Match word forms (stemming)",
    help: "“report” also finds “reporting”, ranked lower. Uses the language of the site.",
  },
] as const;

function SwitchSetting(
  { setting, values, readOnly }: GroupProps & { setting: typeof SWITCHES[number] },
) {
  const { id, name, heading, text, label, help } = setting;
  return (
    <Group id={id} heading={heading} text={text}>
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
      id="embeds"
      heading="Embeds"
      text={`Players from ${names} can be embedded. URLs of other hosts become links unless you add the host here.`}
    >
      <Field
        label="Other hosts, one per line"
        name="embeds.hosts"
        value={hosts.join("\n")}
        help={`For example “player.example.org”. Embeds run the host's code in their own frame. If you remove a host, its embeds become links.`}
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
      id="webhooks"
      heading="Webhooks"
      text="Webhooks call public HTTPS URLs. List receivers on your private network here."
    >
      <Field
        label="Private hosts, one per line"
        name="webhooks.hosts"
        value={hosts.join("\n")}
        help="For example “receiver:8080”. Plain HTTP is allowed for these hosts. Administrators only."
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
      id="retention"
      heading="Retention"
      text="Older versions and backups are removed every night. The newest version always stays."
    >
      <div class="pair">
        {number("exports.keep", "Daily backups")}
        {number("versions.keep.document", "Versions per document")}
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
    <section class="card" id="maintenance">
      <h2>Maintenance</h2>
      <p class="muted">Both run in the background; you can keep working.</p>
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
