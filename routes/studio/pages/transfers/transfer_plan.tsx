/**
 * The plan of a transfer as a form, each collection beside samples of its rows.
 *
 * @module
 */
import { FIELD_TYPE_NAMES } from "../../../../kv/model/fields/field_definition.ts";
import {
  type Plan,
  type PlanCollection,
  type PlanField,
  targetSlug,
} from "../../../../kv/model/transfers/plan.ts";
import type { TransferRecord } from "../../../../kv/transfers/transfers.ts";
import { SAMPLE_ROWS_SHOWN } from "../../../input/limits.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmbeddedJson } from "../../components/embedded_json.tsx";
import { Row } from "../../controls/nested_control.tsx";
import { FIELD_FACETS } from "../../controls/field_facets.tsx";
import { Switch, TextOption } from "../../definitions/option_controls.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { Choice, Group } from "./plan_controls.tsx";
import { AuthorsPlan, BlocksPlan, type PlanChoices, SettingsPlan } from "./plan_mappings.tsx";

const MODES: readonly Choice[] = [
  ["upsert", "Create and update"],
  ["create", "Create only"],
  ["skip", "Skip"],
];
const STATUSES: readonly Choice[] = [
  ["keep", "As in the source"],
  ["draft", "All as drafts"],
];
/** The columns that become the framing of a document. */
const FRAMING = [
  ["title", "Title"],
  ["slug", "URL"],
  ["publishedAt", "Published on"],
  ["createdAt", "Created on"],
] as const;

/** The form. */
export function TransferPlan(
  { record, plan, choices, visit }: {
    record: TransferRecord;
    plan: Plan;
    choices: PlanChoices;
    visit: Visit;
  },
) {
  const isEditable = ["planned", "done", "failed"].includes(record.state);
  return (
    <form
      class="plan"
      data-island="transfer-plan"
      data-transfer={record.id}
      data-row
      novalidate
    >
      <EmbeddedJson name="plan" of={plan} />
      <datalist id="collection-slugs">
        {visit.schema.collections.map(({ slug, name }) => <option value={slug}>{name}</option>)}
      </datalist>
      <div class="alert bad" data-failure role="alert" tabindex={-1} hidden></div>
      <fieldset class="stack" disabled={!isEditable}>
        <legend class="sr">Plan</legend>
        <div class="stack control" data-name="collections" data-type="repeater">
          {plan.collections.map((collection, index) => (
            <CollectionPlan collection={collection} id={`p-${index}`} visit={visit} />
          ))}
        </div>
        {plan.blocks.length > 0 && <BlocksPlan blocks={plan.blocks} choices={choices} />}
        {plan.settings.length > 0 && <SettingsPlan settings={plan.settings} />}
        <Others plan={plan} choices={choices} visit={visit} />
      </fieldset>
      <div class="row">
        {isEditable && <Button type="submit" variant="primary">Save plan</Button>}
        <ButtonLink href="?step=try">Continue to the dry run</ButtonLink>
        <Button variant="quiet" data-download-plan icon="download">Download plan</Button>
      </div>
    </form>
  );
}

function CollectionPlan(
  { collection, id, visit }: { collection: PlanCollection; id: string; visit: Visit },
) {
  const { source, target, match, fields } = collection;
  const slug = targetSlug(collection);
  const heading = visit.schema.bySlug.get(slug)?.name ??
    (typeof target === "string" ? slug : target.name);
  return (
    <section class="card plan-collection" data-row>
      <div class="plan-mapping">
        <h2>
          {source}
          <span class="muted">{` → ${heading}`}</span>
        </h2>
        <Target collection={collection} id={id} />
        <details>
          <summary>Columns of the document, and how rows are matched</summary>
          <div class="pair padded">
            {FRAMING.map(([name, label]) => (
              <TextOption
                name={name}
                label={label}
                value={collection[name] ?? ""}
                id={`${id}-${name}`}
                placeholder="None"
                mono
              />
            ))}
            <TextOption
              name="match"
              label="Existing documents are found by"
              value={match}
              id={`${id}-match`}
              placeholder="source, slug or field:name"
              mono
            />
          </div>
        </details>
        <fieldset class="control repeater" data-name="fields" data-type="repeater" data-sparse>
          <legend>Fields</legend>
          <div class="rows-control" data-rows={`Fields of ${source}`}>
            <ol class="row-list" data-row-list>
              {fields.map((field, index) => <FieldRow field={field} id={`${id}-f${index}`} />)}
            </ol>
          </div>
        </fieldset>
      </div>
      <div class="plan-sample" data-sample={slug} data-limit={SAMPLE_ROWS_SHOWN} aria-live="polite">
        <h3>Samples</h3>
        <p class="muted">Loading …</p>
      </div>
    </section>
  );
}

/** What rows become, and which of them. */
function Target({ collection, id }: { collection: PlanCollection; id: string }) {
  const { target, mode, status } = collection;
  return (
    <>
      <div class="pair control group" data-name="target" data-type="group">
        <TextOption
          name="slug"
          label="Collection"
          value={targetSlug(collection)}
          id={`${id}-slug`}
          list="collection-slugs"
          mono
        />
        <TextOption
          name="name"
          label="Name, if it is new"
          value={typeof target === "string" ? "" : target.name}
          id={`${id}-name`}
        />
      </div>
      <div class="pair">
        <Choice name="mode" label="Rows" value={mode} choices={MODES} id={`${id}-mode`} />
        <Choice
          name="status"
          label="Status"
          value={typeof status === "string" ? status : ""}
          choices={typeof status === "string"
            ? STATUSES
            : [["", `By “${status.from}”`], ...STATUSES]}
          id={`${id}-status`}
        />
      </div>
    </>
  );
}

function FieldRow({ field, id }: { field: PlanField; id: string }) {
  return (
    <Row title={field.from} readOnly={false} isLine>
      <div class="plan-field">
        <TextOption name="from" label="Column" value={field.from} id={`${id}-from`} mono />
        <TextOption name="to" label="Field" value={field.to} id={`${id}-to`} mono />
        <Choice
          name="type"
          label="Type"
          value={field.type}
          choices={FIELD_TYPE_NAMES.map((type) => [type, FIELD_FACETS[type].label])}
          id={`${id}-type`}
        />
        <TextOption
          name="convert"
          label="Conversion"
          value={field.convert ?? ""}
          id={`${id}-convert`}
          placeholder="None"
          mono
        />
      </div>
    </Row>
  );
}

/** Files, languages, authors and redirects. */
function Others(
  { plan, choices, visit }: { plan: Plan; choices: PlanChoices; visit: Visit },
) {
  const { media, languages, authors, redirects, sourceKey } = plan;
  const codes = visit.schema.languages?.all.map(({ code }) => code) ?? [];
  return (
    <section class="card">
      <h2>Everything else</h2>
      <div class="stack">
        <MediaPlan media={media} />
        {Object.keys(languages).length > 0 && (
          <Group name="languages">
            {Object.entries(languages).map(([source, code], index) => (
              <Choice
                name={source}
                label={`Language “${source}” becomes`}
                value={code ?? ""}
                choices={[["", "Left out"], ...codes.map((one) => [one, one] as const)]}
                id={`p-language-${index}`}
              />
            ))}
          </Group>
        )}
        <AuthorsPlan authors={authors} choices={choices} />
        <Switch
          name="redirects"
          label="Redirect the old site's URLs"
          checked={redirects}
          id="p-redirects"
        />
        <TextOption
          name="sourceKey"
          label="Source name, used to match rows on later runs"
          value={sourceKey}
          id="p-source-key"
          mono
        />
      </div>
    </section>
  );
}

function MediaPlan({ media }: { media: Plan["media"] }) {
  return (
    <Group name="media">
      <div class="control" data-name="hosts" data-type="lines" data-keeps-empty>
        <label for="p-hosts">Hosts that files are fetched from, one per line</label>
        <textarea id="p-hosts" class="mono" rows={3} aria-describedby="p-hosts-help">
          {`\n${media.hosts.join("\n")}`}
        </textarea>
        <p class="help" id="p-hosts-help">
          Nothing is fetched before the run, and never from other hosts.
        </p>
      </div>
      <TextOption
        name="folder"
        label="Folder for files"
        value={media.folder}
        id="p-folder"
        placeholder="None"
      />
      <Switch
        name="skipMissing"
        label="Write documents even if a file is missing"
        checked={media.skipMissing}
        id="p-skip-missing"
      />
    </Group>
  );
}
