/**
 * Saving OpenID providers: each is asked for its discovery document, and the secret of one that is removed goes with
 * it.
 *
 * @module
 */
import type { Access } from "../../../kv/model/entities/access.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { findSetting, OIDC_SECRET_PREFIX } from "../../../kv/model/entities/setting.ts";
import type { Provider } from "../../../kv/model/people/auth_settings.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { type Detail, Refusal } from "../../../kv/refusals.ts";
import type { SettingValues } from "../../../kv/sources/settings.ts";
import { faultOf, type OidcClient } from "../../../jobs/oidc/oidc_client.ts";
import type { Deps } from "../../deps/deps.ts";

const KEY = "auth.providers";

/**
 * The changes of a request, with the secrets of removed providers.
 *
 * @throws {Refusal} VALIDATION_FAILED if a new or changed provider does not answer as it must.
 */
export async function withCheckedProviders(
  { oidc, people, settings }: Pick<Deps, "oidc" | "people" | "settings">,
  changes: Record<string, Json>,
): Promise<Record<string, Json>> {
  const parsed = Object.hasOwn(changes, KEY)
    ? findSetting(KEY)?.schema.safeParse(changes[KEY])
    : null;
  if (parsed?.success !== true) return changes;
  const values = await settings.values();
  const before = values.get<Provider[]>(KEY);
  const after = parsed.data as Provider[];
  const access = await people.access.current();
  const faults = await Promise.all(after.map(async (provider, index) => {
    const field = `${KEY}.${index}`;
    const details = unknownRoles(access, provider, field);
    const same = before.some((one) => one.id === provider.id && sameJson(one, provider));
    if (same) return details;
    const secret = secretOf(changes, values, provider.id);
    return [...details, ...await faultsOf(oidc, { provider, secret }, field)];
  }));
  const details = faults.flat();
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  const removed = before.filter(({ id }) => !after.some((one) => one.id === id));
  const secrets = removed.map(({ id }): [string, null] => [`${OIDC_SECRET_PREFIX}${id}`, null])
    .filter(([key]) => values.get(key) !== null);
  return { ...changes, ...Object.fromEntries(secrets) };
}

function secretOf(
  changes: Record<string, Json>,
  values: SettingValues,
  id: string,
): string | null {
  const key = `${OIDC_SECRET_PREFIX}${id}`;
  const secret = Object.hasOwn(changes, key) ? changes[key] : values.get(key);
  return typeof secret === "string" && secret !== "" ? secret : null;
}

async function faultsOf(
  oidc: OidcClient,
  configured: { provider: Provider; secret: string | null },
  field: string,
): Promise<Detail[]> {
  try {
    await oidc.configurationOf(configured, true);
    if (await oidc.countKeys(configured) > 0) return [];
    return [fault(`${field}.issuer`, "The provider publishes no keys")];
  } catch (error) {
    return [fault(`${field}.issuer`, `The provider cannot be used: ${faultOf(error)}`)];
  }
}

function unknownRoles(access: Access, { roles, defaultRole }: Provider, field: string): Detail[] {
  const named = roles.map(({ role }, index): [string, string] => [`roles.${index}.role`, role]);
  if (defaultRole !== null) named.push(["defaultRole", defaultRole]);
  return named.filter(([, role]) => access.roleByName(role) === undefined)
    .map(([path]) => fault(`${field}.${path}`, "There is no such role"));
}

function fault(field: string, message: string): Detail {
  return { field, code: "INVALID_CHOICE", message };
}
