/**
 * Encrypting secrets that were stored before `SECRETS_KEY` was set, or with an earlier key: TOTP secrets, secret
 * settings, webhook secrets, and the keys for providers.
 *
 * @module
 */
import { type Context, openSecret, sealSecret } from "../context.ts";
import { currentPrefix, type Key, oidcClientPrefix } from "../keys.ts";
import { UNATTENDED } from "../model/entities/entity.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import { sameJson } from "../model/values/same_json.ts";
import { isSecretSetting } from "../model/values/secret_setting.ts";
import { Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** How many secrets were encrypted, and how many cannot be read with any present key. */
export interface EncryptedSecrets {
  encrypted: number;
  unreadable: number;
}

/** A secret, encrypted with the key that encrypts now. */
type Encrypt = (stored: string) => string;

/** The states that hold secrets, with their secrets encrypted. */
const HOLDERS: { [T in EntityType]?: (state: StateOf<T>, encrypt: Encrypt) => StateOf<T> } = {
  user: (user, encrypt) => {
    const { factors } = user;
    if (factors?.totp === undefined) return user;
    const totp = { ...factors.totp, secret: encrypt(factors.totp.secret) };
    return { ...user, factors: { ...factors, totp } };
  },
  setting: (setting, encrypt) => {
    const { key, value } = setting;
    if (!isSecretSetting(key) || typeof value !== "string" || value === "") return setting;
    return { ...setting, value: encrypt(value) };
  },
  webhook: (webhook, encrypt) => {
    const { secret, previousSecret } = webhook;
    return {
      ...webhook,
      secret: encrypt(secret),
      previousSecret: previousSecret === null ? null : encrypt(previousSecret),
    };
  },
};

/**
 * Encrypts every stored secret with the first key. Each entity is a commit of its own, and those that are encrypted
 * already stay as they are, so it can be repeated after an interruption, beside running processes that have the key.
 * Earlier versions keep what they have.
 *
 * @throws {Refusal} CONFLICT without a key.
 */
export async function encryptSecrets(context: Context): Promise<EncryptedSecrets> {
  const { secrets, store } = context;
  if (!secrets?.hasKey) throw new Refusal("CONFLICT", { about: "SECRETS_KEY is not set" });
  const total: EncryptedSecrets = { encrypted: 0, unreadable: 0 };
  for (const type of Object.keys(HOLDERS) as (keyof typeof HOLDERS)[]) {
    for await (const { key } of store.list({ prefix: currentPrefix(type) })) {
      add(total, await encryptEntity(context, type, key[2] as string));
    }
  }
  for await (const { key } of store.list({ prefix: oidcClientPrefix })) {
    add(total, await encryptProviderKey(context, key));
  }
  return total;
}

async function encryptEntity<T extends keyof typeof HOLDERS>(
  context: Context,
  type: T,
  id: string,
): Promise<EncryptedSecrets> {
  return await versionedWrite(context, UNATTENDED, async (transaction) => {
    const counted = counting(context, { [type]: id });
    const head = await transaction.head(type, id);
    const holder = HOLDERS[type] as (state: StateOf<T>, encrypt: Encrypt) => StateOf<T>;
    if (head.state === null) return counted;
    const state = holder(head.state, counted.encrypt);
    if (!sameJson(state, head.state)) {
      transaction.save(type, id, head, state, { summary: "secrets encrypted" });
    }
    return counted;
  });
}

async function encryptProviderKey(context: Context, key: Key): Promise<EncryptedSecrets> {
  for (;;) {
    const counted = counting(context, { provider: String(key[1]) });
    const entry = await context.store.get<string>(key);
    if (entry.value === null) return counted;
    const value = counted.encrypt(entry.value);
    if (value === entry.value) return counted;
    const operation = new Operation().check(entry).set(key, value);
    if ((await context.store.commit(operation)).ok) return counted;
  }
}

/** Encrypts secrets and counts them. */
function counting(
  context: Context,
  what: Record<string, string>,
): EncryptedSecrets & { encrypt: Encrypt } {
  const counted = {
    encrypted: 0,
    unreadable: 0,
    encrypt: (stored: string): string => {
      if (context.secrets?.isCurrent(stored)) return stored;
      const secret = openSecret(context, stored, what);
      counted[secret === null ? "unreadable" : "encrypted"] += 1;
      return secret === null ? stored : sealSecret(context, secret);
    },
  };
  return counted;
}

function add(total: EncryptedSecrets, { encrypted, unreadable }: EncryptedSecrets): void {
  total.encrypted += encrypted;
  total.unreadable += unreadable;
}
