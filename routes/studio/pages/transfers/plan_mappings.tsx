/**
 * The parts of a plan that map one thing to another: blocks, settings and authors.
 *
 * @module
 */
import type { Plan, PlanSetting } from "../../../../kv/model/transfers/plan.ts";
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import { Switch, TextOption } from "../../definitions/option_controls.tsx";
import { settingName } from "../../wording/setting_names.ts";
import { Choice, Group } from "./plan_controls.tsx";

/** What the controls of a plan offer. */
export interface PlanChoices {
  /** The names of the source's authors, by their ids. */
  names: Readonly<Record<string, string>>;
  /** Users, and documents of the collection of authors. */
  authors: readonly Choice[];
  /** Names of block definitions that the site has. */
  blocks: readonly string[];
}

/** What the blocks of the source become. */
export function BlocksPlan({ blocks, choices }: { blocks: Plan["blocks"]; choices: PlanChoices }) {
  return (
    <section class="card">
      <h2>Blocks</h2>
      <p class="muted padded">
        A block that does not exist yet is created by the run. Enter “json” to keep a block as JSON,
        or “drop” to leave it out.
      </p>
      <datalist id="block-names">
        {[...choices.blocks, "json", "drop"].map((name) => <option value={name}></option>)}
      </datalist>
      <div class="pair padded control" data-name="blocks" data-type="repeater">
        {blocks.map(({ source, target }, index) => (
          <div data-row>
            <TextOption
              name="target"
              label={`“${source}” becomes`}
              value={target}
              id={`p-block-${index}`}
              list="block-names"
              mono
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The settings that the source has values for. */
export function SettingsPlan({ settings }: { settings: Plan["settings"] }) {
  return (
    <section class="card">
      <h2>Site settings</h2>
      <p class="muted padded">The run replaces only the settings that you select.</p>
      <div class="stack padded control" data-name="settings" data-type="repeater">
        {settings.map((setting, index) => (
          <div data-row>
            <Switch
              name="apply"
              label={`${settingName(setting.key)}: ${valueText(setting)}`}
              checked={setting.apply}
              id={`p-setting-${index}`}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

function valueText({ value, source }: PlanSetting): string {
  if (!Array.isArray(value)) return typeof value === "string" ? value : JSON.stringify(value);
  const labels = value.filter(isJsonObject).map(({ label }) => String(label));
  return `${source} (${labels.join(", ")})`;
}

/** The collection of authors, and the authors who exist on this site already. */
export function AuthorsPlan(
  { authors: { collection, mapping }, choices }: {
    authors: Plan["authors"];
    choices: PlanChoices;
  },
) {
  const sources = Object.entries(mapping);
  return (
    <Group name="authors">
      <TextOption
        name="collection"
        label="Collection of authors"
        value={collection ?? ""}
        id="p-authors"
        placeholder="None"
        list="collection-slugs"
        mono
      />
      {sources.length > 0 && (
        <details>
          <summary>Existing authors</summary>
          <p class="help">
            A document takes the place of the author. A user becomes the owner of the author’s
            documents.
          </p>
          <Group name="mapping">
            {sources.map(([author, target], index) => (
              <Choice
                name={author}
                label={choices.names[author] ?? author}
                value={target ?? ""}
                choices={[["", "New document"], ...withPresent(choices.authors, target)]}
                id={`p-author-${index}`}
              />
            ))}
          </Group>
        </details>
      )}
    </Group>
  );
}

/** The choices with the present one, even if it is beyond those that are listed. */
function withPresent(choices: readonly Choice[], target: string | null): readonly Choice[] {
  const isListed = target === null || choices.some(([value]) => value === target);
  return isListed ? choices : [[target, target], ...choices];
}
