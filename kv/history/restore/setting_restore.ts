/**
 * Restoring settings.
 *
 * @module
 */
import { livingEntities } from "../../versioning/entities.ts";
import { refuseHeldKey } from "../../versioning/import_lock.ts";
import { settingsKey } from "../../keys.ts";
import { isSecretSetting } from "../../model/values/secret_setting.ts";
import { Refusal } from "../../refusals.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import type { Json } from "../../model/entities/entity.ts";
import { findSetting } from "../../model/entities/setting.ts";
import type { AccessSource } from "../../people/access.ts";
import { isReachable, isSignInRule, signInRules, UNREACHABLE } from "../../people/sign_in_ways.ts";
import { parseSettings, Settings, shapesPages } from "../../sources/settings.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a setting back, if its value is still one that may be set. */
export const stageSettingRestore: StageRestore<"setting"> = async (
  transaction,
  { content, access },
  { id, state },
  options,
) => {
  await refuseHeldKey(transaction, await transaction.get(settingsKey));
  if (state !== null) {
    const key = state.key as string;
    // The value of a secret setting is sealed.
    parseSettings({ [key]: isSecretSetting(key) ? null : state.value ?? null });
    for await (const other of livingEntities(content.context, "setting")) {
      if (other.id !== id && other.state.key === key) {
        throw new Refusal("CONFLICT", { about: `${key} has been set again since it was removed` });
      }
    }
  }
  const head = await transaction.head("setting", id);
  transaction.save("setting", id, head, state, options);
  const key = (state ?? head.state)?.key;
  if (typeof key !== "string") return;
  if (isSignInRule(key)) {
    const value = state?.value ?? findSetting(key)?.initial ?? null;
    await refuseUnreachableBy(transaction, access, key, value as Json);
  }
  if (shapesPages(key)) requestSiteRendering(transaction.operation, transaction.context);
};

/** Refuses a value with which no administrator could sign in. */
async function refuseUnreachableBy(
  transaction: Transaction,
  access: AccessSource,
  key: string,
  value: Json,
): Promise<void> {
  const { context } = transaction;
  const values = await new Settings(context).of(transaction);
  const get = <T extends Json>(name: string) => name === key ? value as T : values.get<T>(name);
  const rules = signInRules(context, { get });
  if (isReachable(rules, await access.of(transaction))) return;
  throw new Refusal("CONFLICT", { about: UNREACHABLE });
}
