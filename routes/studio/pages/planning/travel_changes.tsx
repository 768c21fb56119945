/**
 * The changes of a restore by type and kind, in pages, with links and field differences.
 *
 * @module
 */
import {
  CHANGE_KINDS,
  changedStates,
  type ChangeKind,
  type SiteChange,
  type SiteChanges,
} from "../../../../kv/history/site_changes.ts";
import { ENTITY_TYPES, type EntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import type { State } from "../../../../kv/model/entities/entity.ts";
import { zip } from "../../../../kv/model/primitives/zip.ts";
import type { Deps } from "../../../deps/deps.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { Pagination } from "../../components/navigation/pagination.tsx";
import { FieldDiff } from "../../components/comparison/field_diff.tsx";
import { compareFields, type FieldChange } from "../../history/field_changes.ts";
import type { ListState } from "../../list_state.ts";
import { PAST_FRAME, pastSite } from "./past_pages.tsx";
import { nameOf } from "../content/versions.tsx";
import { Tabs } from "../../components/navigation/tabs.tsx";
import { entityName } from "../../wording/entity_names.ts";

/** Characters of a value that are shown. */
const VALUE_CHARS = 2_000;

const KINDS: Record<ChangeKind, { label: string; one: string; mood: string }> = {
  created: { label: "Restored", one: "Restored", mood: "good" },
  changed: { label: "Changed", one: "Changed", mood: "warn" },
  removed: { label: "Deleted", one: "Deleted", mood: "bad" },
  lost: {
    label: "Kept: the version is no longer stored",
    one: "Kept: the version is no longer stored",
    mood: "",
  },
};

/** A change with its name and its fields. */
export interface DescribedChange {
  change: SiteChange;
  name: string;
  fields: FieldChange[];
  /** The path of its page at that time; null if it had none. */
  page: string | null;
}

/** Reads what changes are about. */
export async function describeChanges(
  deps: Pick<Deps, "content" | "reader">,
  changes: readonly SiteChange[],
  visit: Pick<Visit, "schema" | "timezone" | "documents">,
): Promise<DescribedChange[]> {
  const states = await changedStates(deps.content.context, changes);
  return await Promise.all(
    zip(changes, states).map(async ([change, { now, then }]) => {
      const isChanged = change.kind === "changed";
      const fields = isChanged ? await compareFields(deps, change.type, now, then, visit) : [];
      const page = change.type === "document" ? pageOf(then, visit.schema) : null;
      return { change, name: nameOf(change.type, then ?? now), fields, page };
    }),
  );
}

function pageOf(then: State | null, { byId }: Visit["schema"]): string | null {
  const collection = byId.get(String(then?.collectionId));
  if (collection === undefined || then?.status !== "published") return null;
  return `/${collection.slug}/${then.slug}`;
}

interface TravelProps {
  changes: SiteChanges;
  described: DescribedChange[];
  query: {
    then: number;
    type?: EntityType | undefined;
    kind?: ChangeKind | undefined;
  };
  paging: { page: number; perPage: number; total: number };
  state: ListState;
}

/** The list, with tabs by type and chips by kind. */
export function TravelChanges({ changes, described, query, paging, state }: TravelProps) {
  const sum = (type: EntityType) =>
    CHANGE_KINDS.reduce((all, kind) => all + changes.counts[type][kind], 0);
  const types = ENTITY_TYPES.filter((type) => sum(type) > 0);
  const total = types.reduce((all, type) => all + sum(type), 0);
  if (total === 0) return <p class="muted">No changes: the site is as it was then.</p>;
  const kindCount = (kind: ChangeKind) =>
    types.filter((type) => (query.type ?? type) === type)
      .reduce((all, type) => all + changes.counts[type][kind], 0);
  return (
    <>
      <Tabs
        label="By type"
        tabs={[
          {
            label: "All",
            href: here(state, { type: null }),
            current: query.type == null,
            count: total,
          },
          ...types.map((type) => ({
            label: entityName(type),
            href: here(state, { type }),
            current: type === query.type,
            count: sum(type),
          })),
        ]}
      />
      <ul class="chips" aria-label="By kind">
        {CHANGE_KINDS.filter((kind) => kindCount(kind) > 0 || kind === query.kind).map((kind) => (
          <li>
            <a
              class={`badge large ${KINDS[kind].mood}`}
              href={here(state, { kind: kind === query.kind ? null : kind })}
              aria-current={kind === query.kind ? "true" : undefined}
            >
              {`${kindCount(kind).toLocaleString("en")} ${KINDS[kind].label.toLowerCase()}`}
            </a>
          </li>
        ))}
      </ul>
      <ul class="travel-list">
        {described.map((one) => <ChangeLine {...one} at={query.then} />)}
      </ul>
      {described.length === 0 && <p class="muted padded">None of this kind.</p>}
      <Pagination
        paging={paging}
        hrefOf={(page) => here(state, { page: String(page) })}
        what="changes"
      />
    </>
  );
}

function here(state: ListState, changes: Record<string, string | null>): string {
  return `${state.with(changes)}#changes`;
}

function ChangeLine(
  { change: { type, id, kind, now, then }, name, fields, page, at }: DescribedChange & {
    at: number;
  },
) {
  return (
    <li>
      <div class="spread">
        <span class="row">
          <a href={`/admin/versions/${type}/${id}`}>{name}</a>
          <span class="muted small">{entityName(type, true)}</span>
          {page !== null && (
            <a class="small" href={pastSite(at) + page} target={PAST_FRAME}>
              Page at that time
            </a>
          )}
        </span>
        <span class={`badge ${KINDS[kind].mood}`}>{KINDS[kind].one}</span>
      </div>
      {kind === "changed" && (
        <details>
          <summary>
            {fields.length === 0
              ? `No visible changes (version ${then} for ${now})`
              : `${fields.map(({ label }) => label).join(", ")} (version ${then} for ${now})`}
          </summary>
          {fields.map((field) => <FieldDiff {...field} charsMax={VALUE_CHARS} />)}
        </details>
      )}
    </li>
  );
}
