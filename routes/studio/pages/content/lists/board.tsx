/**
 * The board of a collection: a column for each choice of a field, a card for each document. A card that is
 * moved sets the field.
 *
 * @module
 */
import { allOf, hasValue } from "../../../../../kv/index/query/condition.ts";
import type { StoredDocument } from "../../../../../kv/documents/write.ts";
import { listMarked } from "../../../../../kv/documents/lists/marked_list.ts";
import type { FieldDefinition } from "../../../../../kv/model/fields/field_definition.ts";
import { isPicture } from "../../../../../kv/model/entities/media.ts";
import { laidOver } from "../../../../../kv/model/entities/working_copy.ts";
import { Refusal } from "../../../../../kv/refusals.ts";
import { getCollection } from "../../../../../kv/model/entities/collection.ts";
import {
  AdminVisibility,
  parseDocumentList,
} from "../../../../admin/content/document_list_query.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { BOARD_CARDS_MAX } from "../../../../input/limits.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { ChoiceList } from "../../../components/forms/choice_list.tsx";
import { EmptyState } from "../../../components/empty_state.tsx";
import { StatusBadge } from "../../../components/status.tsx";
import { Tabs } from "../../../components/navigation/tabs.tsx";
import { findReferenced, type Referenced } from "../../../controls/referenced.ts";
import { ListState } from "../../../list_state.ts";
import { page } from "../../../serving/page.tsx";
import type { Handlers, ScreenContext } from "../../../screens.ts";
import type { Visit } from "../../../serving/studio_env.ts";
import { boardFields } from "./board_link.tsx";
import { cardPictureUrl } from "../../../picture_address.ts";
import { thumbnailId } from "../../../thumbnail.ts";
import { Face } from "../document_face.tsx";
import { type Names, userNames } from "../../../wording/user_names.ts";
import { dropEmpty, queryOf } from "./document_list.tsx";
import { TitleSearch } from "./title_search.tsx";
import { Chips } from "./list_tools.tsx";
import { findReferenceChoices } from "../reference_choices.ts";

/** A column; null for documents without a choice. */
interface BoardColumn {
  choice: string | null;
  documents: StoredDocument[];
  total: number;
}

/** The context of all cards. */
interface BoardFacts {
  field: FieldDefinition;
  visit: Visit;
  referenced: Referenced;
  people: Names;
}

/** The parameter that names the field of the columns. */
const BY = "by";

/** `/content/:slug/board`. */
export function boardScreens(deps: Deps): Handlers<"board"> {
  return { board: (c) => boardPage(deps, c) };
}

async function boardPage(deps: Deps, c: ScreenContext<"board">): Promise<Response> {
  const visit = c.get("visit");
  const collection = getCollection(visit.schema, c.req.param("slug"));
  if (!visit.documents.in("read", collection.id)) throw new Refusal("FORBIDDEN");
  const params = new URLSearchParams(visit.url.search);
  if (dropEmpty(params)) return c.redirect(`${visit.url.pathname}?${params}`);
  const state = new ListState(visit.url);
  const fields = boardFields(collection);
  const field = fields.find(({ name }) => name === params.get(BY)) ?? fields[0];
  const facts = {
    title: collection.name,
    wide: true,
    actions: (
      <ButtonLink variant="quiet" icon="list" href={listAddress(collection.slug, params)}>
        List
      </ButtonLink>
    ),
  };
  if (field === undefined) {
    return await page(
      c,
      facts,
      <EmptyState title="No board yet">
        <p>
          A board has a column for each choice of a filterable single-choice field. Add such a field
          to the collection first.
        </p>
      </EmptyState>,
    );
  }
  const asked = queryOf(params, collection, visit.timezone);
  for (const name of [BY, "page", "perPage"]) asked.delete(name);
  const sight = new AdminVisibility(visit.schema, c.get("session"));
  const { query, marks } = parseDocumentList(asked, visit.schema, sight);
  const choices = [...field.options.choices ?? [], null];
  const [references, people, ...columns] = await Promise.all([
    findReferenceChoices(deps, collection, visit, params),
    userNames(deps),
    ...choices.map(async (choice): Promise<BoardColumn> => {
      const is = hasValue({ fieldKey: field.key }, choice);
      const where = query.where === undefined ? is : allOf(query.where, is);
      const found = await listMarked(deps.content, marks, {
        ...query,
        where,
        offset: 0,
        limit: BOARD_CARDS_MAX,
      });
      const { documents } = await deps.reader.readableOfPage(found);
      return { choice, documents, total: found.total };
    }),
  ]);
  const known = { field, visit, people, referenced: await coversOf(deps, visit, columns) };
  return await page(
    c,
    facts,
    <div class="stack" data-island="board">
      <BoardTools state={state} fields={fields} field={field} />
      <Chips {...{ state, collection, references, people, visit }} />
      <div
        class="board"
        id="board"
        role="region"
        aria-label={`Board by ${field.label}`}
        tabindex={0}
      >
        {columns.map((column) => <Column column={column} slug={collection.slug} {...known} />)}
      </div>
      <p class="sr" role="status" data-board-status></p>
    </div>,
  );
}

/** The images of all cards; a column has no more of them than a form may look up. */
async function coversOf(deps: Deps, visit: Visit, columns: BoardColumn[]): Promise<Referenced> {
  const found = await Promise.all(columns.map(({ documents }) => {
    const ids = documents.flatMap(({ state }) => thumbnailId(state, visit) ?? []);
    return findReferenced(deps, ids.map((id) => ({ kind: "media", id })), visit);
  }));
  const media = found.flatMap(({ media }) => [...media]);
  return { media: new Map(media.filter(([, { mime }]) => isPicture(mime))), documents: new Map() };
}

function listAddress(slug: string, params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  query.delete(BY);
  return `/admin/content/${slug}${query.size === 0 ? "" : `?${query}`}`;
}

function BoardTools(
  { state, fields, field }: {
    state: ListState;
    fields: FieldDefinition[];
    field: FieldDefinition;
  },
) {
  return (
    <div class="list-tools">
      <TitleSearch state={state} />
      {fields.length > 1 && (
        <Tabs
          label="Columns by"
          tabs={fields.map(({ name, label }) => ({
            label,
            href: state.with({ [BY]: name }),
            current: name === field.name,
          }))}
        />
      )}
    </div>
  );
}

function Column(
  { column: { choice, documents, total }, slug, ...known }: BoardFacts & {
    column: BoardColumn;
    slug: string;
  },
) {
  const { field } = known;
  const id = `column-${choice ?? ""}`;
  const name = choice ?? `No ${field.label.toLowerCase()}`;
  const more = total - documents.length;
  return (
    <section class="board-column" data-choice={choice ?? ""} aria-labelledby={id}>
      <h2 id={id}>
        <span data-column-name>{name}</span> <span class="count">{total.toLocaleString("en")}</span>
      </h2>
      <ul>
        {documents.map((stored) => <Card stored={stored} {...known} />)}
      </ul>
      {more > 0 && (
        <p class="help">
          {choice === null
            ? `${more.toLocaleString("en")} more`
            : (
              <a href={`/admin/content/${slug}?field.${field.name}=${encodeURIComponent(choice)}`}>
                {`${more.toLocaleString("en")} more`}
              </a>
            )}
        </p>
      )}
    </section>
  );
}

function Card(
  { stored, field, visit, referenced, people }: BoardFacts & { stored: StoredDocument },
) {
  const { state } = stored;
  const image = referenced.media.get(thumbnailId(state, visit) ?? "");
  const title = state.title || "Untitled";
  const mayEdit = state.status !== "trashed" && visit.documents.on("edit", state);
  const present = state.data[field.key] ?? null;
  const edited = laidOver(state).data[field.key] ?? null;
  const choices = [
    ["", `No ${field.label.toLowerCase()}`] as const,
    ...(field.options.choices ?? [])
      .map((choice) => [choice, choice] as const),
  ];
  return (
    <li
      class="board-card"
      data-id={state.id}
      data-field={field.name}
      data-value={String(edited ?? "")}
      data-status={state.status}
      draggable={mayEdit ? "true" : undefined}
    >
      {image && isPicture(image.mime) && (
        <img
          class="board-image"
          src={cardPictureUrl(image.url)}
          alt=""
          loading="lazy"
          draggable={false}
        />
      )}
      <a href={`/admin/documents/${state.id}`} draggable={false} dir="auto">{title}</a>
      <div class="spread">
        <div class="row">
          <StatusBadge status={state.status} />
          {edited !== present && (
            <span class="badge scheduled">{`Becomes ${String(edited ?? "empty")}`}</span>
          )}
        </div>
        <Face stored={stored} people={people} />
      </div>
      {mayEdit && (
        <ChoiceList
          class="board-move"
          data-move-to
          aria-label={`${field.label} of ${title}`}
          choices={choices}
          value={String(edited ?? "")}
        />
      )}
    </li>
  );
}
