/**
 * The OpenID providers of the site: those of its settings, and the one that the environment names.
 *
 * @module
 */
import {
  ENV_PROVIDER,
  type Provider,
  Provider as ProviderSchema,
} from "../../kv/model/people/auth_settings.ts";
import { OIDC_SECRET_PREFIX } from "../../kv/model/entities/setting.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { SettingValues } from "../../kv/sources/settings.ts";

/** The provider of the environment: `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`. */
export interface EnvProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A provider with its client secret; null if the service proves who it is with a key of its own. */
export interface ConfiguredProvider {
  provider: Provider;
  secret: string | null;
}

/** All providers, that of the environment first. */
export function providersOf(
  values: SettingValues,
  env: EnvProvider | null | undefined,
): ConfiguredProvider[] {
  const stored = values.get<Provider[]>("auth.providers");
  const configured = stored.map((provider) => {
    const secret = values.get<string | null>(`${OIDC_SECRET_PREFIX}${provider.id}`);
    return { provider, secret: secret === "" ? null : secret };
  });
  return env === null || env === undefined ? configured : [environmentProvider(env), ...configured];
}

/** The provider with an id; refuses with NOT_FOUND. */
export function findProvider(
  values: SettingValues,
  env: EnvProvider | null | undefined,
  id: string,
): ConfiguredProvider {
  const found = providersOf(values, env).find(({ provider }) => provider.id === id);
  if (found === undefined) throw new Refusal("NOT_FOUND");
  return found;
}

function environmentProvider({ issuer, clientId, clientSecret }: EnvProvider): ConfiguredProvider {
  const name = URL.parse(issuer)?.hostname ?? "Single sign-on";
  const provider = ProviderSchema.parse({ id: ENV_PROVIDER, name, issuer, clientId });
  return { provider, secret: clientSecret === "" ? null : clientSecret };
}
