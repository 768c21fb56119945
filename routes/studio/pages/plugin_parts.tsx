/**
 * The settings of a plugin, and what was delivered to it.
 *
 * @module
 */
import type { Delivery } from "../../../kv/packages/deliveries.ts";
import type { Json } from "../../../kv/model/entity.ts";
import type { PackageState } from "../../../kv/model/package.ts";
import { isSecret, type SettingDefinition } from "../../../kv/model/plugin_setting.ts";
import { ApiForm } from "../components/api_form.tsx";
import { Checkbox, Field, Select } from "../components/field.tsx";
import { Time } from "../components/time.tsx";
import type { Visit } from "../studio_env.ts";

/** Deliveries that are shown. */
const SHOWN = 30;

/** A control for each setting that the plugin declares. */
export function PluginSettings(
  { plugin, config }: { plugin: PackageState; config: Record<string, Json> },
) {
  const settings = Object.entries(plugin.settings);
  if (settings.length === 0) return null;
  return (
    <section class="card">
      <h2>Settings</h2>
      <ApiForm
        to={`PUT /api/admin/plugins/${plugin.id}/config`}
        after="reload"
        done="Saved"
        class="narrow"
        guard
      >
        {settings.map(([key, definition]) => (
          <Setting name={key} definition={definition} value={config[key] ?? null} />
        ))}
        <button type="submit" class="button primary">Save</button>
      </ApiForm>
    </section>
  );
}

function Setting(
  { name, definition, value }: { name: string; definition: SettingDefinition; value: Json },
) {
  const { type, label, help, required, choices } = definition;
  const shared = { name, label: label || name, ...(help && { help }) };
  if (isSecret(name, definition)) {
    const isSet = value === true;
    return (
      <Field
        {...shared}
        type="password"
        autocomplete="off"
        placeholder={isSet ? "Set; leave empty to keep it" : ""}
      />
    );
  }
  if (type === "boolean") return <Checkbox {...shared} checked={value === true} />;
  if (type === "select") {
    const known = choices.map((choice) => [String(choice), String(choice)] as const);
    return <Select {...shared} value={String(value ?? "")} choices={known} />;
  }
  const isNumber = type === "number" || type === "integer";
  return (
    <Field
      {...shared}
      type={isNumber ? "number" : type === "url" || type === "email" ? type : "text"}
      kind={isNumber ? "number" : "nullable"}
      value={typeof value === "string" || typeof value === "number" ? value : ""}
      required={required}
    />
  );
}

/** The last messages to a plugin, and how they fared. */
export function Deliveries({ deliveries, visit }: { deliveries: Delivery[]; visit: Visit }) {
  if (deliveries.length === 0) return null;
  return (
    <section class="card">
      <h2>Deliveries</h2>
      <ul class="rows">
        {deliveries.slice(0, SHOWN).map((delivery) => {
          const last = delivery.attempts.at(-1);
          return (
            <li>
              <strong>{delivery.event}</strong>
              <span class={`badge ${delivery.state === "delivered" ? "good" : "warn"}`}>
                {delivery.state}
              </span>
              <button
                type="button"
                class="button small"
                data-action={`POST /api/admin/plugins/${delivery.pluginId}/deliveries/${delivery.id}/resend`}
                data-then="reload"
                data-done="It is sent again"
              >
                Send again
              </button>
              <span class="muted when">
                <Time at={delivery.createdAt} clock={visit} />
                {` · ${delivery.attemptCount} tries`}
                {last && !last.ok && ` · ${last.error ?? last.status ?? ""}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
