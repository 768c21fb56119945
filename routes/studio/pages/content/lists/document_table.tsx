/**
 * The rows of a document list and the bulk actions.
 *
 * @module
 */
import { isPicture } from "../../../../../kv/model/entities/media.ts";
import type { Child } from "@hono/hono/jsx";
import type { DocumentAction } from "../../../../../kv/model/entities/document_rights.ts";
import type { Collection } from "../../../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../../../kv/model/fields/types/registry.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { isJsonObject } from "../../../../../kv/model/values/json_object.ts";
import type { ReleaseState } from "../../../../../kv/model/entities/release.ts";
import type { Status } from "../../../../../kv/model/entities/document.ts";
import { Pagination } from "../../../components/navigation/pagination.tsx";
import { StatusBadge } from "../../../components/status.tsx";
import { Time } from "../../../components/time.tsx";
import { type Cell, textCell } from "../../../controls/field_cells.tsx";
import { FIELD_FACETS } from "../../../controls/field_facets.tsx";
import type { Referenced } from "../../../controls/referenced.ts";
import {
  columnChoices,
  findField,
  isSortable,
  LANGUAGES_COLUMN,
  type ListState,
} from "../../../list_state.ts";
import { thumbnailUrl } from "../../../picture_address.ts";
import { thumbnailField } from "../../../thumbnail.ts";
import { mayCopy, uniqueNames } from "../../../copying.ts";
import type { Visit } from "../../../serving/studio_env.ts";
import { EmbeddedJson } from "../../../components/embedded_json.tsx";
import { Button } from "../../../components/button.tsx";
import { Table } from "../../../components/table.tsx";
import { CellButton } from "../../../components/cell_button.tsx";
import { documentPath } from "../../../document_path.ts";
import { LanguageMarks } from "../translations/language_nav.tsx";
import { BulkEditDialog } from "./bulk_edit.tsx";
import { isQuick, QuickControl, quickFields } from "../../../controls/quick_control.tsx";
import type { ListedRow } from "./document_list.tsx";

interface TableProps {
  rows: ListedRow[];
  state: ListState;
  collection: Collection | null;
  referenced: Referenced;
  visit: Visit;
  /** Those that documents can be added to. */
  releases: readonly Pick<ReleaseState, "id" | "name">[];
  paging: { page: number; perPage: number; total: number };
}

/** The table, its bar of bulk actions, and its pages. */
export function DocumentTable(props: TableProps) {
  const { rows, state, collection, visit, paging } = props;
  const columns = state.columns(collection);
  const labels = new Map(columnChoices(collection));
  return (
    <>
      <EmptyTrash state={state} collection={collection} visit={visit} />
      <Table
        class="list-table"
        columns={
          <>
            <col class="pick-column" />
            {["title", ...columns].map((name) => (
              <col data-column={name} width={widthOf(state, name)} />
            ))}
          </>
        }
        head={
          <>
            <th class="pick">
              <label>
                <input type="checkbox" data-select-all aria-label="Select all on this page" />
              </label>
            </th>
            {["title", ...columns].map((name, index) => (
              <Head
                name={name}
                label={name === "title" ? "Title" : labels.get(name) ?? name}
                state={state}
                collection={collection}
                isLast={index === columns.length}
              />
            ))}
          </>
        }
      >
        {rows.map((row) => <TableRow row={row} columns={columns} {...props} />)}
      </Table>
      <BulkBar {...props} total={paging.total} />
      {collection !== null && isEditable(props) && <BulkEditDialog collection={collection} />}
      {columns.flatMap((name) => findField(collection, name) ?? []).filter(isQuick).map((field) => (
        <template data-cell-editor={field.name}>
          <QuickControl field={field} id={`cell-${field.name}`} />
        </template>
      ))}
      <Pagination
        paging={paging}
        hrefOf={(page) => state.with({ page: String(page) })}
        what="documents"
      />
    </>
  );
}

/** Empties the trash; not offered while a filter hides a part of it. */
function EmptyTrash(
  { state, collection, visit }: Pick<TableProps, "state" | "collection" | "visit">,
) {
  const isTrash = state.params.get("status") === "trashed";
  const isWhole = [...state.params.keys()].every((name) => UNFILTERED.has(name));
  if (!isTrash || !isWhole || !mayIn(visit, collection, "delete")) return null;
  return (
    <div class="row">
      <Button variant="danger" size="small" data-empty-trash>Empty trash</Button>
    </div>
  );
}

/** Parameters of a list that leave no document of a status out. */
const UNFILTERED = new Set(["status", "sort", "page", "perPage", "columns"]);

/**
 * Whether the user may perform an action on documents of the list: of its collection, or of any if it shows
 * all.
 */
function mayIn({ documents }: Visit, collection: Collection | null, action: DocumentAction) {
  return collection === null ? documents.somewhere(action) : documents.in(action, collection.id);
}

/** Whether several documents can be given a value. */
function isEditable(
  { visit, collection, state }: Pick<TableProps, "visit" | "collection" | "state">,
) {
  return collection !== null && state.params.get("status") !== "trashed" &&
    quickFields(collection).length > 0 &&
    (mayIn(visit, collection, "edit") || mayIn(visit, collection, "editOwn"));
}

function BulkBar(
  { visit, collection, state, releases, total }:
    & Pick<TableProps, "visit" | "collection" | "state" | "releases">
    & { total: number },
) {
  const may = (action: DocumentAction) => mayIn(visit, collection, action);
  const copied = (collection === null ? visit.readable : [collection])
    .filter((one) => mayCopy(visit, one));
  const acts: [verb: string, label: string, allowed: boolean][] = [
    ["publish", "Publish", may("publish")],
    ["unpublish", "Unpublish", may("publish")],
    ["archive", "Archive", may("publish")],
    ["duplicate", "Duplicate", copied.length > 0],
    ["untrash", "Restore", may("delete")],
  ];
  const removals: typeof acts = [
    ["trash", "Move to trash", may("delete")],
    ["remove", "Delete permanently", may("delete")],
  ];
  return (
    <div class="bulk" data-bulk hidden>
      <EmbeddedJson
        name="copied"
        of={Object.fromEntries(copied.map((one) => [one.slug, uniqueNames(one)]))}
      />
      <div class="bulk-bar" role="toolbar" aria-label="Selected documents">
        <span data-bulk-count role="status"></span>
        <Button variant="quiet" size="small" data-bulk-none>Clear selection</Button>
        <Button variant="quiet" size="small" data-bulk-matching hidden>
          {`Select all ${total.toLocaleString("en")} that match`}
        </Button>
        <div class="bulk-actions">
          {acts.filter(([, , allowed]) => allowed).map(([verb, label]) => (
            <Button size="small" data-bulk-act={verb}>{label}</Button>
          ))}
          {isEditable({ visit, collection, state }) && (
            <Button variant="plain" size="small" data-bulk-edit>Set a field …</Button>
          )}
          {releases.length > 0 && (
            <div class="bulk-choice">
              <select data-bulk-release aria-label="Release">
                {releases.map(({ id, name }) => <option value={id}>{name}</option>)}
              </select>
              <Button variant="plain" size="small" data-bulk-act="release">Add to release</Button>
            </div>
          )}
          {removals.filter(([, , allowed]) => allowed).map(([verb, label]) => (
            <Button variant="danger" size="small" data-bulk-act={verb}>{label}</Button>
          ))}
        </div>
      </div>
    </div>
  );
}

function widthOf({ layout }: ListState, name: string): string | undefined {
  const width = Object.hasOwn(layout.widths, name) ? layout.widths[name] : undefined;
  return width === undefined ? undefined : `${width}%`;
}

function Head(
  { name, label, state, collection, isLast }: {
    name: string;
    label: string;
    state: ListState;
    collection: Collection | null;
    isLast: boolean;
  },
) {
  // The separator between two columns, moved by pointer or arrow keys.
  const edge = !isLast && (
    <span
      role="separator"
      class="column-edge"
      data-edge={name}
      tabindex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(state.layout.widths[name] ?? 0)}
    >
    </span>
  );
  if (!isSortable(name, collection)) return <th scope="col">{label}{edge}</th>;
  const index = state.sort.findIndex((part) => part.name === name);
  const part = state.sort[index];
  const direction = part && (part.descending ? "descending" : "ascending");
  return (
    <th scope="col" aria-sort={direction}>
      <a
        href={state.sortedBy(name)}
        data-also={state.alsoSortedBy(name)}
        title="Shift-click to sort by this column as well"
      >
        {label}
        {part && (
          <span aria-hidden="true">
            {part.descending ? " ↓" : " ↑"}
            {state.sort.length > 1 && <sub>{index + 1}</sub>}
          </span>
        )}
      </a>
      {edge}
    </th>
  );
}

function TableRow({ row, columns, ...props }: TableProps & { row: ListedRow; columns: string[] }) {
  const { wire } = row;
  const title = String(wire.title) || "Untitled";
  return (
    <tr
      data-id={String(wire.id)}
      data-status={String(wire.status)}
      data-collection={row.collection.slug}
    >
      <td class="pick">
        <label>
          <input type="checkbox" data-select aria-label={`Select ${title}`} />
        </label>
      </td>
      <th scope="row">
        <div class="title-cell">
          <Thumbnail row={row} {...props} />
          <a href={hrefOf(row, props.state)} title={title} dir="auto">{title}</a>
          <ReviewBadge review={wire._review} />
          {wire.hasWorkingCopy === true && <span class="badge scheduled">Unpublished changes</span>}
        </div>
      </th>
      {columns.map((name) => <DataCell row={row} name={name} {...props} />)}
    </tr>
  );
}

/** The form of a document, in the language that the list is filtered by. */
function hrefOf({ wire, languages }: ListedRow, { params }: ListState): string {
  const code = params.get("language");
  const isTranslation = languages.slice(1).some(({ language }) => language === code);
  return `/admin${documentPath(String(wire.id), isTranslation && code ? code : undefined)}`;
}

/** Whether a document waits for a reviewer, or came back from one. */
function ReviewBadge({ review }: { review: Json | undefined }) {
  if (!isJsonObject(review)) return null;
  return review.state === "returned"
    ? <span class="badge warn">Changes requested</span>
    : <span class="badge">In review</span>;
}

/** A value; a button if it can be edited inline. */
function DataCell({ row, name, ...props }: TableProps & { row: ListedRow; name: string }) {
  const field = findField(props.collection, name);
  const shown = cell(row, name, props);
  const direction = field?.type === "text" ? "auto" : undefined;
  if (field === undefined || !row.mayEdit || !isQuick(field)) {
    return <td class={`cell-${name}`} data-label={field?.label} dir={direction}>{shown}</td>;
  }
  const value = row.wire[name];
  const title = fieldType(field.type).referenceTo === "document" && typeof value === "string"
    ? props.referenced.documents.get(value)?.title
    : undefined;
  return (
    <td class={`cell-${name}`} data-field={name} data-label={field.label} dir={direction}>
      <CellButton label={field.label} shown={title}>{shown}</CellButton>
    </td>
  );
}

/** The document's first image, small; an empty frame keeps titles in line. */
function Thumbnail({ row: { wire }, collection, referenced }: TableProps & { row: ListedRow }) {
  const field = thumbnailField(collection);
  if (field === undefined) return null;
  const medium = referenced.media.get(String(wire[field.name]));
  if (medium === undefined || !isPicture(medium.mime)) return <span class="thumb"></span>;
  return <img class="thumb" src={thumbnailUrl(medium.url, 160)} alt="" loading="lazy" />;
}

function cell(
  { wire, languages, collection }: ListedRow,
  name: string,
  { visit, referenced }: Pick<TableProps, "visit" | "referenced">,
): Child {
  if (name === "collection") return collection.name;
  if (name === LANGUAGES_COLUMN) {
    return <LanguageMarks id={String(wire.id)} rows={languages} schema={visit.schema} />;
  }
  const value = wire[name] ?? null;
  if (name === "status") {
    return (
      <>
        <StatusBadge status={value as Status} />
        {value === "scheduled" && typeof wire.publishAt === "number" && (
          <span class="muted small">
            <Time at={wire.publishAt} clock={visit} />
          </span>
        )}
      </>
    );
  }
  if (value === null) return <span class="muted">–</span>;
  if (name.endsWith("At") && typeof value === "number" && !findField(collection, name)) {
    return <Time at={value} clock={visit} />;
  }
  if (name === "slug") return <code>{String(value)}</code>;
  const show = cellOf(findField(collection, name));
  return show(value, { visit, referenced });
}

function cellOf(field: FieldDefinition | undefined): Cell {
  return (field && FIELD_FACETS[field.type].cell) ?? textCell;
}
