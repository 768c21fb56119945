/**
 * Settings: one versioned entity per key that was ever set, read through a cache that the version key's
 * versionstamp keeps exact.
 *
 * @module
 */
import { type Context, openSecret, sealSecret } from "../context.ts";
import { KnownHeads } from "../versioning/known_heads.ts";
import { GroupCache } from "../versioning/group_cache.ts";
import { settingsKey } from "../keys.ts";
import type { Actor, Json } from "../model/entities/entity.ts";
import { isSecretSetting } from "../model/values/secret_setting.ts";
import { findSetting, SETTINGS } from "../model/entities/setting.ts";
import { zodDetails } from "../model/input/zod_details.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import type { Entry } from "../store/operation.ts";
import type { SaveOptions, Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import { sameJson } from "../model/values/same_json.ts";

/** The values, by key; secret ones as they were before they were stored. */
type Values = Map<string, { id: string; value: Json }>;

/** The same as it was read, with the heads that a write needs. */
interface SettingsSnapshot {
  values: Values;
  heads: KnownHeads;
}

/** All settings at one moment. */
export interface SettingValues {
  /** The value of a setting, or its default. */
  get<T extends Json = Json>(key: string): T;
  /** When a setting was last changed, epoch seconds; 0 if never. */
  changedAt(key: string): number;
}

/** Checks a change of settings in the transaction that makes it. */
export type SettingsCheck = (
  transaction: Transaction,
  before: SettingValues,
  changes: Record<string, Json>,
) => Promise<void>;

/** Reads and writes settings. */
export class Settings {
  readonly #context: Context;
  readonly #cache: GroupCache<SettingsSnapshot>;

  constructor(context: Context) {
    this.#context = context;
    this.#cache = new GroupCache(context, settingsKey, () => readValues(context));
  }

  /** The value of a setting, or its default. */
  async get<T extends Json = Json>(key: string): Promise<T> {
    return valueOf(await this.#values(), key) as T;
  }

  /** All settings now. */
  async values(): Promise<SettingValues> {
    return asValues(await this.#cache.current());
  }

  /** All settings at `version`, an entry of the version key that was read just now. */
  async at(version: Entry): Promise<SettingValues> {
    return asValues(await this.#cache.at(version));
  }

  /** The settings that a transaction decides by; its commit fails if one of them has changed. */
  async of(transaction: Transaction): Promise<SettingValues> {
    return asValues(await this.#cache.of(transaction));
  }

  /** All settings as a flat object, without the secret ones and optional ones that were never set. */
  async all(): Promise<Record<string, Json>> {
    return flatOf(await this.#values());
  }

  /** The language whose forms of words search equates, where the site wants that; else empty. */
  async stemmedLanguage(): Promise<string> {
    const values = await this.#values();
    return valueOf(values, "search.stemming") === true
      ? valueOf(values, "site.language") as string
      : "";
  }

  /** Sets several settings at once, each as a version of its own; answers all as they are then. */
  async patch(
    actor: Actor,
    changes: Record<string, Json>,
    check?: SettingsCheck,
  ): Promise<Record<string, Json>> {
    const parsed = parseSettings(changes);
    const values = await versionedWrite(this.#context, actor, async (transaction) => {
      if (check !== undefined) await check(transaction, await this.of(transaction), parsed);
      return await this.stage(transaction, parsed);
    });
    return flatOf(values);
  }

  /** Adds settings to a commit, and answers all as they are then; those that stay as they are record no version. */
  async stage(
    transaction: Transaction,
    changes: Record<string, Json>,
    { onSaved, ...options }: SaveOptions & {
      /** Called with each version that is recorded; `before` is null for a setting that was never set. */
      onSaved?: (id: string, n: number, before: number | null) => void;
    } = {},
  ): Promise<Values> {
    const values = new Map((await this.#cache.of(transaction)).values);
    for (const [key, value] of Object.entries(changes)) {
      const known = values.get(key);
      if (sameJson(known?.value, value)) continue;
      const id = known?.id ?? transaction.newId();
      const head = known && await transaction.head("setting", id);
      const stored = isSecretSetting(key) && typeof value === "string"
        ? sealSecret(this.#context, value)
        : value;
      const before = head?.state === null ? null : head?.row?.n ?? null;
      const { n } = transaction.save(
        "setting",
        id,
        head ?? null,
        { id, key, value: stored },
        options,
      );
      onSaved?.(id, n, before);
      values.set(key, { id, value });
      if (shapesPages(key)) requestSiteRendering(transaction.operation, this.#context);
    }
    return values;
  }

  async #values(): Promise<Values> {
    return (await this.#cache.current()).values;
  }
}

/** The settings as the admin API shows them. */
function flatOf(values: Values): Record<string, Json> {
  const flat: Record<string, Json> = {};
  for (const [key, { initial, optional }] of Object.entries(SETTINGS)) {
    if (!optional) flat[key] = initial;
  }
  for (const [key, { value }] of values) {
    if (!isSecretSetting(key)) flat[key] = value;
  }
  return flat;
}

function asValues({ values, heads }: SettingsSnapshot): SettingValues {
  return {
    get: <T extends Json>(key: string) => valueOf(values, key) as T,
    changedAt: (key) => heads.find("setting", values.get(key)?.id ?? "")?.row.at ?? 0,
  };
}

/** All settings, read now: nothing of them is kept. */
export async function readSettings(context: Context): Promise<SettingValues> {
  return asValues(await readValues(context));
}

function valueOf(values: Values, key: string): Json {
  return values.get(key)?.value ?? findSetting(key)?.initial ?? null;
}

async function readValues(context: Context): Promise<SettingsSnapshot> {
  const values: Values = new Map();
  const heads = new KnownHeads();
  for (const [id, { key, value }] of await heads.read(context, "setting")) {
    values.set(key as string, { id, value: openValue(context, key as string, value as Json) });
  }
  return { values, heads };
}

/** A value as it was before it was stored; null for a secret that the present keys do not open. */
function openValue(context: Context, key: string, value: Json): Json {
  const isSecret = isSecretSetting(key) && typeof value === "string";
  return isSecret ? openSecret(context, value, { setting: key }) : value;
}

/** Whether what the public sees depends on a setting. */
export function shapesPages(key: string): boolean {
  return key.startsWith("site.") ||
    ["languages", "theme.active", "images.transform_enabled", "media.crops", "embeds.hosts"]
      .includes(key);
}

/** Checks settings by the catalogue; unknown keys are refused. */
export function parseSettings(changes: Record<string, Json>): Record<string, Json> {
  const details: Detail[] = [];
  const parsed: Record<string, Json> = Object.create(null);
  for (const [key, value] of Object.entries(changes)) {
    const setting = findSetting(key);
    if (setting === undefined) {
      details.push({ field: key, code: "UNKNOWN_KEY", message: "Unknown setting" });
      continue;
    }
    const result = setting.schema.safeParse(value);
    if (result.success) parsed[key] = result.data;
    else details.push(...zodDetails(result.error, key, value));
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return parsed;
}
