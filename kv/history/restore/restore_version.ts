/**
 * Restoring one version of an entity: a new version with the same state, minted by the same kind of
 * write as any other change. History is only ever added to, so a restore can be restored away.
 *
 * @module
 */
import {
  stageGrantRestore,
  stageRoleRestore,
  stageUserRestore,
} from "../../people/access_restore.ts";
import type { VersionRow } from "../../entities.ts";
import { refuseDuringImport, refuseHeldKey } from "../../backup/import_lock.ts";
import type { Actor } from "../../model/entity.ts";
import { type EntityType, kindOf } from "../../model/entity_kinds.ts";
import { groupKeys } from "../../keys.ts";
import type { DocumentState } from "../../model/document.ts";
import { invalid, Refusal } from "../../refusals.ts";
import { type SaveOptions, type Transaction, versionedWrite } from "../../versioned_write.ts";
import { getKeptState, getVersion, getVersionRow, type Version } from "../versions.ts";
import { stageBlockRestore } from "./block_restore.ts";
import { stageCollectionRestore } from "./collection_restore.ts";
import { isPartial, type RestoreBody, stageContentRestore } from "./content_restore.ts";
import { stageDocumentRestore } from "./document_restore.ts";
import { finishFieldRestore, stageFieldRestore } from "./field_restore.ts";
import { stageMediaRestore } from "./media_restore.ts";
import { stagePluginRestore, stageThemeRestore } from "./package_restore.ts";
import { stageReleaseRestore } from "./release_restore.ts";
import { type Restored, type Restoring, savedVersionId, type StageRestore } from "./restoring.ts";
import { stageSettingRestore } from "./setting_restore.ts";

/** How the types are restored that others depend on; null where nothing can be: permissions are built in. */
const STAGES: { readonly [T in EntityType]?: StageRestore<T> | null } = {
  user: stageUserRestore,
  role: stageRoleRestore,
  permission: null,
  user_role: stageGrantRestore,
  setting: stageSettingRestore,
  collection: stageCollectionRestore,
  field_definition: stageFieldRestore,
  document: stageDocumentRestore,
  block_definition: stageBlockRestore,
  theme: stageThemeRestore,
  plugin: stagePluginRestore,
  media_metadata: stageMediaRestore,
  release: stageReleaseRestore,
};

/** How a type is restored; undefined when its state is simply put back. */
function stageOf<T extends EntityType>(type: T): StageRestore<T> | null | undefined {
  return STAGES[type];
}

/** All other types: their state is simply put back. */
async function stageState<T extends EntityType>(
  transaction: Transaction,
  type: T,
  { id, state }: Restored<T>,
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
 * @throws {Refusal} RESTORE_NOT_SUPPORTED for a permission; whatever the present does not bear.
 */
export async function restoreVersion(
  restoring: Restoring,
  actor: Actor,
  versionId: string,
  body: RestoreBody = {},
): Promise<Version> {
  const { context } = restoring.content;
  const { type, id, row, entry } = await getVersionRow(context, versionId);
  const stage = stageOf(type);
  if (stage === null) throw new Refusal("RESTORE_NOT_SUPPORTED");
  if (isPartial(body) && type !== "document") {
    const [key] = Object.keys(body) as [string];
    throw invalid(key, "UNKNOWN_KEY", "Only versions of documents are restored in part");
  }
  const state = await getKeptState(context, type, id, row);
  const summary = `restored version ${row.n}`;
  const saved = await versionedWrite(context, actor, async (transaction) => {
    // As long as the version is there, so is everything that its state refers to.
    const { value } = await transaction.get<VersionRow>(entry.key);
    if (value?.vid !== row.vid) throw new Refusal("NOT_FOUND");
    // What a document's state refers to is saved anew, or checked by itself.
    if (type === "document") transaction.operation.spare(entry.key);
    const restored = { id, state };
    if (isPartial(body)) {
      const document = { id, state: state as DocumentState | null };
      await stageContentRestore(transaction, restoring, document, body, { summary });
    } else if (stage === undefined) await stageState(transaction, type, restored, { summary });
    else await stage(transaction, restoring, restored, { summary });
    return savedVersionId(transaction, type, id);
  }, { known: [entry] });
  if (type !== "field_definition") return await getVersion(context, saved);
  return await getVersion(context, await finishFieldRestore(restoring, actor, id, row) ?? saved);
}
