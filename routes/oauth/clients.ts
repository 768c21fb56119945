/**
 * OAuth clients: the command line, clients that describe themselves in a document at their id, and clients that have
 * registered.
 *
 * @module
 */
import { z } from "zod";
import { ID_CHARS_MAX, NAME_CHARS_MAX, URL_CHARS_MAX } from "../../kv/limits/content.ts";
import { findRegistered, type KnownClient } from "../../kv/people/oauth/registered_clients.ts";
import type { Deps } from "../deps/deps.ts";
import {
  CLIENT_DOCUMENT_BYTES_MAX,
  CLIENT_DOCUMENT_MS_MAX,
  CLIENTS_KEPT_MAX,
  REDIRECT_URIS_MAX,
} from "../input/limits.ts";
import { OAuthError } from "./oauth_error.ts";

/** The client of `cms sign-in --device`. */
const COMMAND_LINE: KnownClient = { id: "cms", name: "Command line", url: null, redirectUris: [] };
/** How long a document is used without asking again. */
const DOCUMENT_MS = 5 * 60 * 1000;
/** Schemes that a browser must never be sent to. */
const REFUSED_SCHEMES = /^(?:javascript|data|blob|file|about|vbscript|view-source|ftp):$/;
const LOOPBACK = /^(?:127\.0\.0\.1|\[::1\]|localhost)$/;

const redirectUri = z.string().max(URL_CHARS_MAX).refine((text) => {
  const url = URL.parse(text);
  if (url === null || text.includes("#") || REFUSED_SCHEMES.test(url.protocol)) return false;
  return url.protocol !== "http:" || LOOPBACK.test(url.hostname);
}, "Must be an https address, a loopback address or the address of a program");

const httpUrl = z.string().max(URL_CHARS_MAX)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""));

/** What a client says of itself: RFC 7591. */
export const ClientMetadata = z.object({
  client_name: z.string().trim().min(1).max(NAME_CHARS_MAX).optional(),
  client_uri: httpUrl.optional().catch(undefined),
  redirect_uris: z.array(redirectUri).min(1).max(REDIRECT_URIS_MAX),
  token_endpoint_auth_method: z.literal("none").optional(),
});

const ClientDocument = ClientMetadata.extend({ client_id: z.string().max(URL_CHARS_MAX) });

/** Finds clients; documents are kept for a while. */
export class OAuthClients {
  readonly #deps: Pick<Deps, "content" | "packages" | "settings">;
  readonly #documents = new Map<string, { client: KnownClient; until: number }>();

  constructor(deps: Pick<Deps, "content" | "packages" | "settings">) {
    this.#deps = deps;
  }

  /**
   * The client with an id.
   *
   * @throws {OAuthError} `invalid_client` if there is none.
   */
  async find(id: string | null | undefined): Promise<KnownClient> {
    const { context } = this.#deps.content;
    if (id === null || id === undefined || id === "") {
      throw new OAuthError("invalid_request", "client_id is missing");
    }
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    if (/^https?:\/\//.test(id)) return await this.#describedAt(id);
    const client = id.length > ID_CHARS_MAX ? null : await findRegistered(context, id);
    if (client === null) throw unknown("The client is unknown");
    return client;
  }

  async #describedAt(id: string): Promise<KnownClient> {
    if (!(await this.#deps.settings.get<boolean>("auth.oauth.clientDocuments"))) {
      throw unknown("Client documents are turned off");
    }
    const url = URL.parse(id);
    const isPlain = url !== null && url.pathname !== "/" && url.hash === "" &&
      url.username === "" && id.length <= URL_CHARS_MAX;
    if (!isPlain) throw unknown("The client id is not the address of a document");
    const now = this.#deps.content.context.now();
    const kept = this.#documents.get(id);
    if (kept !== undefined && kept.until > now) return kept.client;
    const client = await this.#read(id);
    if (this.#documents.size >= CLIENTS_KEPT_MAX) this.#documents.clear();
    this.#documents.set(id, { client, until: now + DOCUMENT_MS });
    return client;
  }

  async #read(id: string): Promise<KnownClient> {
    const { request } = this.#deps.packages;
    const answer = await request({
      url: id,
      headers: { accept: "application/json" },
      bytesMax: CLIENT_DOCUMENT_BYTES_MAX,
      msMax: CLIENT_DOCUMENT_MS_MAX,
    }).catch(() => null);
    if (answer?.status !== 200) throw unknown("The client's document cannot be read");
    const parsed = ClientDocument.safeParse(jsonOf(answer.body));
    if (!parsed.success || parsed.data.client_id !== id) {
      throw unknown("The client's document is not valid");
    }
    return clientOf(id, parsed.data);
  }
}

/** A client as it describes itself. */
export function clientOf(id: string, data: z.infer<typeof ClientMetadata>): KnownClient {
  const host = URL.parse(id)?.host;
  return {
    id,
    name: data.client_name ?? host ?? id,
    url: data.client_uri ?? (host === undefined ? null : id),
    redirectUris: data.redirect_uris,
  };
}

/** Whether a client may be answered at an address: exactly its own, or another port of a loopback address. */
export function isRedirectAllowed({ redirectUris }: KnownClient, given: string): boolean {
  return redirectUris.includes(given) ||
    redirectUris.some((one) =>
      withoutPort(one) !== null && withoutPort(one) === withoutPort(given)
    );
}

function withoutPort(text: string): string | null {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || !/^(?:127\.0\.0\.1|\[::1\])$/.test(url.hostname)) return null;
  if (url.username !== "" || url.password !== "" || url.hash !== "") return null;
  return `${url.hostname}${url.pathname}${url.search}`;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function unknown(message: string): OAuthError {
  return new OAuthError("invalid_client", message);
}
