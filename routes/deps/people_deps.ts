/**
 * The dependencies of the routes about people.
 *
 * @module
 */
import type { People } from "../../kv/people/people.ts";
import type { OidcClient } from "../../jobs/oidc/oidc_client.ts";
import type { EnvProvider } from "../../jobs/oidc/providers.ts";
import type { Settings } from "../../kv/sources/settings.ts";

/** The dependencies of the routes about people. */
export interface PeopleDeps {
  people: People;
  settings: Settings;
  /** Dependencies of first-run setup. */
  setupCode: string;
  /** Proxies in front that are believed. */
  trustProxy: number;
  /** The address of the site that the environment gives; empty when it gives none. */
  baseUrl?: string;
  /** The OpenID provider that the environment names. */
  oidcEnv?: EnvProvider | null;
  /** The client of OpenID providers. */
  oidc?: OidcClient;
  /** Ends what a user has open besides their sessions: live editing and previews. */
  endAccess?: (userId: string) => Promise<void>;
}
