/**
 * The phase of settings: menus and other settings of the source that were chosen in the plan, all in one commit.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isAssetSetting } from "../../../kv/model/transfers/plan_mapping_check.ts";
import type { PlanSetting } from "../../../kv/model/transfers/plan.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import {
  keyOfRow,
  stageTransferChange,
  type TransferChange,
  type Transferred,
} from "../../../kv/transfers/transfer_changes.ts";
import { transferChangeKey } from "../../../kv/transfers/transfer_keys.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { presentPath } from "../../publishing/redirects.ts";
import { FILE_MISSING } from "../mapping/map_scope.ts";
import { bringAsset } from "./media_phase.ts";
import { type StoredLine, writeLines } from "./report.ts";
import type { TransferRun } from "./transfer_run.ts";

/** The kind of lines in a report that are about settings. */
const SETTINGS = "settings";

/** Writes the settings that were chosen. */
export async function writeSettings(run: TransferRun): Promise<void> {
  const chosen = run.plan.settings.filter(({ apply }) => apply);
  if (chosen.length === 0) return;
  const lines: StoredLine[] = [];
  const changes: Record<string, Json> = {};
  for (const setting of chosen) {
    const line = { source: SETTINGS, sourceId: setting.key, collection: "", problems: [] };
    const value = await valueOf(run, setting);
    if (value !== null) {
      changes[setting.key] = value;
      lines.push({ ...line, status: "unchanged" });
      continue;
    }
    const problem = {
      path: "value",
      code: "INVALID_REFERENCE",
      message: FILE_MISSING,
      value: setting.value,
    };
    lines.push({ ...line, status: "failed", problems: [problem] });
  }
  const saved = run.isDry
    ? new Map(Object.keys(changes).map((key) => [key, "updated"] as const))
    : await save(run, changes);
  const { context, record: { id }, writer: { jobId } } = run;
  await writeLines(
    context,
    id,
    jobId,
    "settings",
    lines.map((line) => ({ ...line, status: saved.get(line.sourceId) ?? line.status })),
  );
}

/** Writes settings and the journal of the transfer; answers which of them have changed. */
async function save(
  { context, actor, deps: { settings }, writer: { summary, transferId, jobId } }: TransferRun,
  changes: Record<string, Json>,
): Promise<Map<string, "created" | "updated">> {
  return await versionedWrite(context, actor, async (transaction) => {
    const written = new Map<string, { n: number; before: number | null }>();
    const onSaved = (id: string, n: number, before: number | null) => {
      written.set(id, { n, before });
    };
    const values = await settings.stage(transaction, changes, { summary, onSaved });
    const changed = new Map<string, "created" | "updated">();
    for (const [key, { id }] of values) {
      if (!Object.hasOwn(changes, key)) continue;
      const change = written.get(id);
      const { value: journal } = await transaction.get<TransferChange>(
        transferChangeKey(transferId, "setting", id),
      );
      if (change === undefined) {
        // A step that runs again after it was cut off finds its own writing.
        if (journal?.run?.jobId === jobId) changed.set(key, journal.run.did);
        continue;
      }
      const did = change.before === null ? "created" : "updated";
      const entity = { type: "setting", id } as const;
      const next = { ...change, run: { jobId, did } } as const;
      stageTransferChange(transaction.operation, transferId, entity, next, journal);
      changed.set(key, did);
    }
    return changed;
  });
}

/** The value of a setting on this site; null for an image that cannot be had. */
async function valueOf(run: TransferRun, { key, value }: PlanSetting): Promise<Json | null> {
  if (key === "site.menu") return await menuOf(run, value);
  if (!isAssetSetting(key)) return value;
  if (typeof value !== "string" || isUlid(value)) return value;
  return run.isDry ? value : await bringAsset(run, value);
}

/** A menu whose entries lead to the documents that its targets have become. */
async function menuOf(run: TransferRun, menu: Json): Promise<Json> {
  if (!Array.isArray(menu) || run.isDry) return menu;
  const { context, facts: { facts: { links = {} } }, plan: { sourceKey } } = run;
  const schema = await run.deps.content.schema.current();
  return await Promise.all(menu.map(async (entry) => {
    if (!isJsonObject(entry) || typeof entry.url !== "string") return entry;
    const target = ownValue(links, entry.url);
    if (target === undefined) return entry;
    const [kind, id] = target;
    const { value } = await context.store.get<Transferred>(keyOfRow({ sourceKey, kind, id }));
    if (value === null) return entry;
    const path = await presentPath(context, schema, { type: "document", id: value.id });
    return path === null ? entry : { ...entry, url: path };
  }));
}
