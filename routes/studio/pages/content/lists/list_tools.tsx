/**
 * The tools above a list: status tabs, search, filters and columns; and its empty states.
 *
 * @module
 */
import { newDocumentLabel } from "../../../wording/new_document.ts";
import type { Child } from "@hono/hono/jsx";
import type { Collection } from "../../../../../kv/model/entities/collection.ts";
import type { Status } from "../../../../../kv/model/entities/document.ts";
import type { FieldDefinition } from "../../../../../kv/model/fields/field_definition.ts";
import {
  findField,
  FRAMING_COLUMNS,
  isRanged,
  isTimeColumn,
  type ListState,
} from "../../../list_state.ts";
import { FIELD_FACETS } from "../../../controls/field_facets.tsx";
import { Icon } from "../../../components/icon.tsx";
import { STATUS_LABELS } from "../../../components/status.tsx";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { ChoiceList } from "../../../components/forms/choice_list.tsx";
import { DateInput } from "../../../components/forms/date_input.tsx";
import { EmptyState } from "../../../components/empty_state.tsx";
import { Tabs } from "../../../components/navigation/tabs.tsx";
import { documentsOf } from "../../../controls/quick_control.tsx";
import type { ReferenceChoices } from "../reference_choices.ts";
import { KeptParameters } from "./kept_parameters.tsx";
import { CreatorFilter, creatorsText } from "./creator_filter.tsx";
import type { Names } from "../../../wording/user_names.ts";
import { TranslationFilter, translationText } from "./translation_filter.tsx";
import { TitleSearch } from "./title_search.tsx";
import { BoardLink } from "./board_link.tsx";
import { ColumnPanel } from "./column_panel.tsx";
import type { Visit } from "../../../serving/studio_env.ts";

/** Filters by mark: parameter, value, label. */
const MARKS = [
  ["workingCopy", "true", "Unpublished changes"],
  ["review", "asked", "Review requested"],
] as const;

/** Times of every document that lists are narrowed by. */
const FRAMING_RANGES = ["updatedAt", "createdAt", "publishedAt"];

/** One tab for each status, with its count. */
export function StatusTabs(
  { state, counts, current }: {
    state: ListState;
    counts: Record<Status, number>;
    current: Status | null;
  },
) {
  const living = counts.draft + counts.published + counts.scheduled + counts.archived;
  const tabs: [Status | null, string, number][] = [
    [null, "All", living],
    ...(["draft", "scheduled", "published", "archived", "trashed"] as const)
      .map((status): [Status, string, number] => [status, STATUS_LABELS[status], counts[status]]),
  ];
  return (
    <Tabs
      label="By status"
      tabs={tabs.map(([status, label, count]) => ({
        label,
        href: state.with({ status }),
        current: status === current,
        count,
      }))}
    />
  );
}

/** A list and what the words of its filters need. */
export interface ListFacts {
  state: ListState;
  collection: Collection | null;
  references: ReferenceChoices;
  /** The names of users. */
  people: Names;
  visit: Visit;
}

/** Search, filters, views, columns, and chips of the active filters. */
export function ListTools(
  { children, ...list }: ListFacts & { children: Child },
) {
  return (
    <>
      <div class="list-tools">
        <TitleSearch state={list.state} />
        <Filters {...list} />
        {children}
        <BoardLink state={list.state} collection={list.collection} />
        <ColumnPanel state={list.state} collection={list.collection} visit={list.visit} />
      </div>
      <Chips {...list} />
    </>
  );
}

function Filters({ state, collection, references, visit, people }: ListFacts) {
  const filterable = (collection?.fields ?? []).filter(({ indexed, type }) =>
    indexed && FIELD_FACETS[type].filter !== null
  );
  const ranged = [...filterable.filter(isRanged).map(({ name }) => name), ...FRAMING_RANGES];
  const own = [
    ...filterable.map(({ name }) => `field.${name}`),
    ...MARKS.map(([name]) => name),
    "createdBy",
    "language",
    "translation",
    ...ranged.flatMap((name) => [`from.${name}`, `to.${name}`]),
  ];
  return (
    <>
      <Button popovertarget="filters" icon="filter">
        Filter
      </Button>
      <form method="get" id="filters" class="panel wide-panel" popover="auto">
        <KeptParameters state={state} except={own} />
        <h2>Filter</h2>
        {filterable.map((field) =>
          isRanged(field)
            ? <RangeControl name={field.name} label={field.label} {...{ state, collection }} />
            : <FilterControl field={field} state={state} references={references} />
        )}
        {FRAMING_RANGES.map((name) => (
          <RangeControl name={name} label={labelOf(name, collection)} {...{ state, collection }} />
        ))}
        <CreatorFilter state={state} people={people} />
        <TranslationFilter state={state} collection={collection} visit={visit} />
        {MARKS.map(([name, value, label]) => (
          <label class="check">
            <input
              type="checkbox"
              name={name}
              value={value}
              checked={state.params.get(name) === value}
            />
            <span>{label}</span>
          </label>
        ))}
        <p class="help">{`Dates are inclusive, in the time zone ${visit.timezone}.`}</p>
        <div class="dialog-foot">
          <Button type="submit" variant="primary">Show</Button>
        </div>
      </form>
    </>
  );
}

/** Two ends of a range: numbers, or days. */
function RangeControl(
  { name, label, state, collection }: {
    name: string;
    label: string;
    state: ListState;
    collection: Collection | null;
  },
) {
  const isTime = isTimeColumn(name, collection);
  return (
    <fieldset class="field range-field">
      <legend>{label}</legend>
      {(["from", "to"] as const).map((end) => {
        const shared = {
          id: `${end}-${name}`,
          name: `${end}.${name}`,
          value: state.params.get(`${end}.${name}`) ?? "",
        };
        return (
          <div>
            <label class="muted small" for={shared.id}>{end === "from" ? "From" : "To"}</label>
            {isTime
              ? <DateInput type="date" {...shared} />
              : <input type="number" step="any" {...shared} />}
          </div>
        );
      })}
    </fieldset>
  );
}

function labelOf(name: string, collection: Collection | null): string {
  return findField(collection, name)?.label ??
    FRAMING_COLUMNS.find(([framing]) => framing === name)?.[1] ?? name;
}

/** The active filters and sort keys, each with a remove link. */
export function Chips({ state, collection, references, visit, people }: ListFacts) {
  const q = state.params.get("q");
  const sort = state.params.has("sort") ? state.sort : [];
  const filters = state.filters();
  const ranges = state.ranges();
  const marks = MARKS.filter(([name]) => state.params.has(name));
  const language = state.params.get("language");
  const creators = state.params.get("createdBy");
  const single = [language, creators].filter((value) => value !== null);
  const count = sort.length + filters.length + ranges.length + marks.length + single.length;
  if (q === null && count === 0) return null;
  const label = (name: string) => labelOf(name, collection);
  const filterText = (name: string, value: string) => {
    const title = references.get(name)?.find(([id]) => id === value)?.[1];
    return `${label(name)} is ${title ?? value}`;
  };
  return (
    <ul class="chips" aria-label="Active filters">
      {q !== null && <Chip text={`Title contains “${q}”`} href={state.with({ q: null })} />}
      {marks.map(([name, , text]) => <Chip text={text} href={state.with({ [name]: null })} />)}
      {creators !== null && (
        <Chip text={creatorsText(creators, people)} href={state.with({ createdBy: null })} />
      )}
      {language !== null && (
        <Chip
          text={translationText(language, state, visit)}
          href={state.with({ language: null, translation: null })}
        />
      )}
      {filters.map(([parameter, value]) => (
        <Chip
          text={filterText(parameter.slice("field.".length), value)}
          href={state.withoutFilter(parameter, value)}
        />
      ))}
      {ranges.map(({ name, from, to }) => (
        <Chip text={`${label(name)} ${rangeText(from, to)}`} href={state.withoutRange(name)} />
      ))}
      {sort.map(({ name, descending }) => (
        <Chip
          text={`Sorted by ${label(name)} ${descending ? "↓" : "↑"}`}
          href={state.withoutSort(name)}
        />
      ))}
    </ul>
  );
}

function rangeText(from: string | null, to: string | null): string {
  if (from === null) return `up to ${to}`;
  return to === null ? `from ${from}` : `from ${from} to ${to}`;
}

function Chip({ text, href }: { text: string; href: string }) {
  return (
    <li class="chip">
      {text}
      <a href={href} aria-label={`Remove filter: ${text}`}>
        <Icon name="close" />
      </a>
    </li>
  );
}

function FilterControl(
  { field, state, references }: {
    field: FieldDefinition;
    state: ListState;
    references: ReferenceChoices;
  },
) {
  const name = `field.${field.name}`;
  const id = `filter-${field.name}`;
  const value = state.params.get(name) ?? "";
  const { filter } = FIELD_FACETS[field.type];
  const choices = filter === "flag"
    ? [["true", "Yes"], ["false", "No"]] as const
    : references.get(field.name) ??
      (field.options.choices ?? []).map((choice) => [choice, choice] as const);
  return (
    <div class="field">
      <label for={id}>{field.label}</label>
      {choices.length > 0
        ? (
          <ChoiceList
            id={id}
            name={name}
            choices={[["", "Any"], ...choices]}
            value={value}
            source={filter === "document" ? documentsOf(field) : undefined}
          />
        )
        : (
          <input
            id={id}
            name={name}
            type="text"
            value={value}
            placeholder="Exact value"
          />
        )}
    </div>
  );
}

/** Nothing to list: why, and what to do. */
export function EmptyList(
  { state, collection, isNew, visit }: {
    state: ListState;
    collection: Collection | null;
    isNew: boolean;
    visit: Visit;
  },
) {
  if (!isNew) {
    return (
      <EmptyState
        title="No matches"
        actions={
          <ButtonLink href={state.with({ q: null, status: null, ...noFilters(state) })}>
            Show all documents
          </ButtonLink>
        }
      >
        <p>No document matches these filters.</p>
      </EmptyState>
    );
  }
  if (collection === null) {
    return (
      <EmptyState
        title="No documents yet"
        actions={visit.can("collections.write") && (
          <ButtonLink variant="primary" href="/admin/collections">Collections</ButtonLink>
        )}
      >
        <p>
          Documents belong to collections. Create a collection first, or open one from the
          navigation.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`${collection.name} is empty`}
      actions={visit.documents.in("create", collection.id) && (
        <ButtonLink variant="primary" href={`/admin/content/${collection.slug}/new`} icon="plus">
          {collection.singular === undefined ? "Create document" : newDocumentLabel(collection)}
        </ButtonLink>
      )}
    >
      <p>
        Your work is saved as you type. Nothing is public until you publish it, and every earlier
        version stays in the history.
      </p>
    </EmptyState>
  );
}

function noFilters(state: ListState): Record<string, null> {
  const ranges = state.ranges().flatMap(({ name }) => [`from.${name}`, `to.${name}`]);
  const names = [
    ...state.filters().map(([name]) => name),
    ...ranges,
    "createdBy",
    "language",
    "translation",
  ];
  return Object.fromEntries(names.map((name) => [name, null]));
}
