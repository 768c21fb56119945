/**
 * Restoring settings.
 *
 * @module
 */
import { livingEntities } from "../../versioning/entities.ts";
import { refuseHeldKey } from "../../versioning/import_lock.ts";
import { settingsKey } from "../../keys.ts";
import { Refusal } from "../../refusals.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import { parseSettings, shapesPages } from "../../sources/settings.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a setting back, if its value is still one that may be set. */
export const stageSettingRestore: StageRestore<"setting"> = async (
  transaction,
  { content },
  { id, state },
  options,
) => {
  await refuseHeldKey(transaction, await transaction.get(settingsKey));
  if (state !== null) {
    const key = state.key as string;
    parseSettings({ [key]: state.value ?? null });
    for await (const other of livingEntities(content.context, "setting")) {
      if (other.id !== id && other.state.key === key) {
        throw new Refusal("CONFLICT", { about: `${key} has been set again since it was removed` });
      }
    }
  }
  const head = await transaction.head("setting", id);
  transaction.save("setting", id, head, state, options);
  const key = (state ?? head.state)?.key;
  if (typeof key === "string" && shapesPages(key)) {
    requestSiteRendering(transaction.operation, transaction.context);
  }
};
