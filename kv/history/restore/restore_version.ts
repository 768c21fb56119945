/**
 * Restoring one version of an entity: a new version with the same state, minted by the same kind of
 * write as any other change. History is append-only, so a restore can itself be undone.
 *
 * @module
 */
import { stageGrantRestore, stageRoleRestore, stageUserRestore } from "./access_restore.ts";
import type { VersionRow } from "../../versioning/entities.ts";
import { refuseDuringImport, refuseHeldKey } from "../../versioning/import_lock.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { type EntityType, kindOf } from "../../model/entities/entity_kinds.ts";
import { groupKeys } from "../../keys.ts";
import { invalid, Refusal } from "../../refusals.ts";
import type { SaveOptions, Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import {
  getKeptState,
  getVersion,
  getVersionAt,
  getVersionRow,
  type Version,
  type VersionFound,
} from "../../versioning/versions.ts";
import { stageBlockRestore } from "./block_restore.ts";
import { stageCollectionRestore } from "./collection_restore.ts";
import { isPartial, type RestoreBody, stageContentRestore } from "./content_restore.ts";
import { stageDocumentRestore } from "./document_restore.ts";
import { finishFieldRestore, stageFieldRestore } from "./field_restore.ts";
import { stageMediaRestore } from "./media_restore.ts";
import { stagePluginRestore, stageThemeRestore } from "./package_restore.ts";
import { stageReleaseRestore } from "./release_restore.ts";
import {
  type RestoreContext,
  type RestoreOutcome,
  savedVersion,
  type TypeRestore,
} from "./restoring.ts";
import { stageSettingRestore } from "./setting_restore.ts";

/** How the types are restored that others depend on; null where nothing can be: permissions are built in. */
const RESTORES: { readonly [T in EntityType]?: TypeRestore<T> | null } = {
  user: { stage: stageUserRestore },
  role: { stage: stageRoleRestore },
  permission: null,
  user_role: { stage: stageGrantRestore },
  setting: { stage: stageSettingRestore },
  collection: { stage: stageCollectionRestore },
  field_definition: { stage: stageFieldRestore, finish: finishFieldRestore },
  document: { stage: stageDocumentRestore, stagePart: stageContentRestore, isSelfContained: true },
  block_definition: { stage: stageBlockRestore },
  theme: { stage: stageThemeRestore },
  plugin: { stage: stagePluginRestore },
  media_metadata: { stage: stageMediaRestore },
  release: { stage: stageReleaseRestore },
};

/** How a type is restored; undefined when its state is simply put back. */
function restoreOf<T extends EntityType>(type: T): TypeRestore<T> | null | undefined {
  return RESTORES[type];
}

/** All other types: their state is simply put back. */
async function stageState<T extends EntityType>(
  transaction: Transaction,
  type: T,
  { id, state }: RestoreOutcome<T>,
  options: SaveOptions,
): Promise<void> {
  const { group } = kindOf(type);
  if (group === undefined) await refuseDuringImport(transaction);
  else await refuseHeldKey(transaction, await transaction.get(groupKeys[group]));
  transaction.save(type, id, await transaction.head(type, id), state, options);
}

/**
 * Restores an entity to the state of a version; a version that was a tombstone deletes it. The `body` asks
 * for the content of a document alone.
 *
 * @throws {Refusal} RESTORE_NOT_SUPPORTED for a permission; any conflict with current data.
 */
export async function restoreVersion(
  restoring: RestoreContext,
  actor: Actor,
  versionId: string,
  body: RestoreBody = {},
): Promise<Version> {
  const found = await getVersionRow(restoring.content.context, versionId);
  return await restoreFoundVersion(restoring, actor, found, body);
}

/** The same for a version that was read just now. */
export async function restoreFoundVersion(
  restoring: RestoreContext,
  actor: Actor,
  { type, id, row, entry }: VersionFound,
  body: RestoreBody = {},
): Promise<Version> {
  const { context } = restoring.content;
  const how = restoreOf(type);
  if (how === null) throw new Refusal("RESTORE_NOT_SUPPORTED");
  const { stage, stagePart, isSelfContained, finish } = how ?? {};
  if (isPartial(body) && stagePart === undefined) {
    const [key] = Object.keys(body) as [string];
    throw invalid(key, "UNKNOWN_KEY", "Only document versions can be restored in part");
  }
  const state = await getKeptState(context, type, id, row);
  const summary = `restored version ${row.n}`;
  const saved = await versionedWrite(context, actor, async (transaction) => {
    // As long as the version is there, so is everything that its state refers to.
    const { value } = await transaction.get<VersionRow>(entry.key);
    if (value?.vid !== row.vid) throw new Refusal("NOT_FOUND");
    if (isSelfContained) transaction.operation.optionalCheck(entry.key);
    const restored = { id, state };
    if (isPartial(body)) await stagePart?.(transaction, restoring, restored, body, { summary });
    else if (stage === undefined) await stageState(transaction, type, restored, { summary });
    else await stage(transaction, restoring, restored, { summary });
    return savedVersion(transaction, type, id);
  }, { known: [entry] });
  const finished = await finish?.(restoring, actor, id, row);
  if (typeof finished === "string") return await getVersion(context, finished);
  return await getVersionAt(context, type, id, saved);
}
