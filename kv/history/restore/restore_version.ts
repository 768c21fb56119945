/**
 * Restoring one version of an entity: a new version with the same state, minted by the same kind of
 * write as any other change. History is only ever added to, so a restore can be restored away.
 *
 * @module
 */
import { stageAccessRestore } from "../../people/access_restore.ts";
import type { VersionRow } from "../../entities.ts";
import { refuseDuringImport } from "../../backup/import_lock.ts";
import type { Actor, EntityType } from "../../model/entity.ts";
import { Refusal } from "../../refusals.ts";
import { versionedWrite } from "../../versioned_write.ts";
import { getKeptState, getVersion, getVersionRow, type Version } from "../versions.ts";
import { stageBlockRestore } from "./block_restore.ts";
import { stageCollectionRestore } from "./collection_restore.ts";
import { stageDocumentRestore } from "./document_restore.ts";
import { finishFieldRestore, stageFieldRestore } from "./field_restore.ts";
import { stageMediaRestore } from "./media_restore.ts";
import { stagePackageRestore } from "./package_restore.ts";
import { type Restoring, savedVersionId, type StageRestore } from "./restoring.ts";
import { stageSettingRestore } from "./setting_restore.ts";

/** Entities that nothing else depends on: their state is simply put back. */
function plain(type: EntityType): StageRestore {
  return async (transaction, _restoring, { id, state }, options) => {
    await refuseDuringImport(transaction);
    transaction.save(type, id, await transaction.head(type, id), state, options);
  };
}

function access(type: "user" | "role" | "user_role"): StageRestore {
  return (transaction, { access }, { id, state }, options) =>
    stageAccessRestore(transaction, access, { type, id, state }, options);
}

/** How each type is restored; null where nothing can be: permissions are built in. */
const STAGES: { readonly [type in EntityType]: StageRestore | null } = {
  user: access("user"),
  role: access("role"),
  permission: null,
  user_role: access("user_role"),
  setting: stageSettingRestore,
  collection: stageCollectionRestore,
  field_definition: stageFieldRestore,
  document: stageDocumentRestore,
  api_token: plain("api_token"),
  block_definition: stageBlockRestore,
  theme: stagePackageRestore("theme"),
  plugin: stagePackageRestore("plugin"),
  plugin_config: plain("plugin_config"),
  media_metadata: stageMediaRestore,
};

/**
 * Restores an entity to the state of a version; a version that was a tombstone deletes it.
 *
 * @throws {Refusal} RESTORE_NOT_SUPPORTED for a permission; whatever the present does not bear.
 */
export async function restoreVersion(
  restoring: Restoring,
  actor: Actor,
  versionId: string,
): Promise<Version> {
  const { context } = restoring.content;
  const { type, id, row, entry } = await getVersionRow(context, versionId);
  const stage = STAGES[type];
  if (stage === null) throw new Refusal("RESTORE_NOT_SUPPORTED");
  const state = await getKeptState(context, type, id, row);
  const summary = `restored version ${row.n}`;
  const saved = await versionedWrite(context, actor, async (transaction) => {
    // As long as the version is there, so is everything that its state refers to.
    const { value } = await transaction.get<VersionRow>(entry.key);
    if (value?.vid !== row.vid) throw new Refusal("NOT_FOUND");
    await stage(transaction, restoring, { id, state }, { summary });
    return savedVersionId(transaction, type, id);
  }, { known: [entry] });
  if (type !== "field_definition") return await getVersion(context, saved);
  return await getVersion(context, await finishFieldRestore(restoring, actor, id, state) ?? saved);
}
