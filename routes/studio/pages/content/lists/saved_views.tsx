/**
 * The menu of saved views above a list: opening one, saving the present one, forgetting.
 *
 * @module
 */
import { listViews, type SavedView } from "../../../../../kv/documents/lists/saved_views.ts";
import { VIEW_NAME_CHARS_MAX } from "../../../../../kv/limits/content.ts";
import type { Collection } from "../../../../../kv/model/entities/collection.ts";
import { mayShare } from "../../../../admin/content/saved_views.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { ApiForm } from "../../../components/forms/api_form.tsx";
import { Checkbox, Field, HiddenField } from "../../../components/forms/field.tsx";
import type { ListState } from "../../../list_state.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import type { Visit } from "../../../serving/studio_env.ts";

/** The saved views that the user sees. */
export async function viewsOf(
  { content: { context } }: Deps,
  visit: Visit,
  collection: Collection | null,
): Promise<SavedView[]> {
  const views = await listViews(context, visit.user.id);
  return views.filter(({ collectionId }) => collectionId === (collection?.id ?? null));
}

interface ViewsProps {
  views: SavedView[];
  state: ListState;
  collection: Collection | null;
  visit: Visit;
}

/** The menu and its button, which says which view is open. */
export function SavedViews({ views, state, collection, visit }: ViewsProps) {
  const open = views.find(({ query }) => query === state.query);
  return (
    <>
      <Button popovertarget="views" icon="views">{open === undefined ? "Views" : open.name}</Button>
      <div id="views" class="panel" popover="auto">
        <h2>Views</h2>
        {views.length === 0 && state.query === "" && (
          <p class="muted">
            Search, filter and sort the list, choose its columns, then save it here under a name.
          </p>
        )}
        <ViewList
          heading="Yours"
          views={views.filter(({ shared }) => !shared)}
          {...{ open, visit }}
        />
        <ViewList
          heading="Shared"
          views={views.filter(({ shared }) => shared)}
          {...{ open, visit }}
        />
        {state.query !== "" && open === undefined && (
          <SaveView state={state} collection={collection} visit={visit} />
        )}
        {state.query === "" && views.length > 0 && (
          <p class="help">To save another, filter or sort the list first.</p>
        )}
      </div>
    </>
  );
}

function ViewList(
  { heading, views, open, visit }: {
    heading: string;
    views: SavedView[];
    open: SavedView | undefined;
    visit: Visit;
  },
) {
  if (views.length === 0) return null;
  return (
    <>
      <h3 class="small muted">{heading}</h3>
      <ul class="view-list">
        {views.map((view) => (
          <li>
            <a
              href={`?${view.query}`}
              aria-current={view === open ? "page" : undefined}
            >
              {view.name}
            </a>
            {(!view.shared || view.userId === visit.user.id ||
              mayShare(visit, view.collectionId)) && (
              <IconButton
                icon="close"
                data-action={`DELETE /api/admin/views/${view.id}`}
                data-then="reload"
                data-done={`Deleted the view “${view.name}”`}
                label={`Delete ${view.name}`}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function SaveView({ state, collection, visit }: Omit<ViewsProps, "views">) {
  return (
    <ApiForm to="POST /api/admin/views" after="reload" done="View saved" class="padded">
      <h3 class="small muted">Save this view</h3>
      <HiddenField name="collection" value={collection?.slug ?? ""} nullable />
      <HiddenField name="query" value={state.query} />
      <Field name="name" label="View name" required maxlength={VIEW_NAME_CHARS_MAX} />
      {mayShare(visit, collection?.id ?? null) && (
        <Checkbox name="shared" label="Share with everyone" />
      )}
      <Button type="submit" variant="primary">Save view</Button>
    </ApiForm>
  );
}
