/**
 * The environment of every operation: the store, the objects, the time and identifiers. It is passed as an
 * argument everywhere, so that a test or a simulation can replace each of them.
 *
 * @module
 */
import type { Log } from "./log.ts";
import { SecretBox } from "./model/primitives/secret_box.ts";
import { freshUlids, successor } from "./model/values/ulid.ts";
import type { ObjectStore } from "./objects/object_store.ts";
import type { Check } from "./store/operation.ts";
import type { Store } from "./store/store.ts";

/** The environment of an operation. */
export interface Context {
  store: Store;
  objects: ObjectStore;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** A new ULID whose time part is `ms`. */
  newId: (ms: number) => string;
  log: Log;
  /** The part of the configuration that decides how users sign in. */
  environment?: SignInEnvironment;
  /** Seals secrets that are stored; without it, they are stored as they are. */
  secrets?: SecretBox;
  /** Called after a commit that changes media or the schema, for code that must react soon. */
  onEvent?: () => void;
  /**
   * The schema version as of which no enabled webhook receives audit events; null if one does, or if that is
   * unknown. May be outdated, so commits check it.
   */
  unheardAuditAt?: () => Check | null;
  /** Calls `run` after so many milliseconds, and returns what cancels it; by default a timer of the process. */
  setTimer?: (run: () => void, ms: number) => () => void;
}

/** How users sign in, as far as the configuration of the process decides it. */
export interface SignInEnvironment {
  /** `BASE_URL`; empty for the setting `site.url`. */
  baseUrl: string;
  /** `OIDC_ISSUER`; null if the environment names no provider. */
  oidcIssuer: string | null;
}

/** A secret as it is stored. */
export function sealSecret({ secrets }: Context, secret: string): string {
  return secrets?.seal(secret) ?? secret;
}

const WITHOUT_KEYS = new SecretBox([]);

/** A stored secret as it was before; null, with a line in the log, if the present keys do not open it. */
export function openSecret(
  { secrets = WITHOUT_KEYS, log }: Context,
  stored: string,
  what: Record<string, string>,
): string | null {
  const secret = secrets.open(stored);
  if (secret === null) log.error("secret not readable: is SECRETS_KEY another one?", what);
  return secret;
}

/** A timer of the process. */
export function processTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Epoch seconds of the context's clock. */
export function seconds(context: { now: () => number }): number {
  return Math.floor(context.now() / 1000);
}

const TIME_CHARS = 10;

/**
 * A source of ULIDs in the order of the calls, also within one millisecond: the random part of the last one is
 * then incremented, as the ULID specification describes.
 */
export function ulidSource(fresh: (ms: number) => string = freshUlids()): (ms: number) => string {
  let last = "";
  let lastMs = NaN;
  return (ms) => {
    // None of the random bits of a fresh one would be used.
    if (ms === lastMs) return last = successor(last);
    lastMs = ms;
    const next = fresh(ms);
    const sameTime = next.slice(0, TIME_CHARS) === last.slice(0, TIME_CHARS);
    last = sameTime ? successor(last) : next;
    return last;
  };
}
