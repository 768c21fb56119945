/**
 * Releases: the list, and one of them with its documents, what keeps them back, and when they go public.
 *
 * @module
 */
import { RELEASE_CANDIDATES_MAX } from "../../../input/limits.ts";
import { checkRelease } from "../../../../kv/releases/begin_release.ts";
import type { CheckedDocument } from "../../../../kv/releases/release_check.ts";
import { type ReleaseView, releaseViews } from "../../../../kv/releases/release_view.ts";
import { getRelease, listReleases } from "../../../../kv/releases/releases.ts";
import { titleContains } from "../../../../kv/index/query/condition.ts";
import { NAME_CHARS_MAX, RELEASE_DESCRIPTION_CHARS_MAX } from "../../../../kv/limits/content.ts";
import { laidOver } from "../../../../kv/model/entities/working_copy.ts";
import type { Deps } from "../../../deps/deps.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { page } from "../../serving/page.tsx";
import type { Handlers, ScreenContext } from "../../screens.ts";
import type { Visit } from "../../serving/studio_env.ts";
import type { LanguageRow } from "../content/translations/language_rows.ts";
import { ownLanguages, releaseWith } from "./release_languages.tsx";
import { type Candidate, ReleaseBadge, ReleaseDocuments } from "./release_parts.tsx";
import { DateInput } from "../../components/forms/date_input.tsx";

/** `/releases` and `/releases/:id`. */
export function releaseScreens(deps: Deps): Handlers<"releases" | "release"> {
  return {
    releases: (c) => listPage(deps, c),
    release: (c) => releasePage(deps, c),
  };
}

async function listPage(deps: Deps, c: ScreenContext<"releases">): Promise<Response> {
  const visit = c.get("visit");
  const releases = (await listReleases(deps.content)).map(({ state }) => state);
  const mayWrite = visit.can("documents.write");
  const facts = {
    title: "Releases",
    intro: "Publish several documents together: all, or none.",
    actions: mayWrite && (
      <Button variant="primary" icon="plus" data-opens="new-release">New release</Button>
    ),
  };
  return await page(
    c,
    facts,
    <div class="stack">
      {releases.length === 0
        ? (
          <EmptyState icon="rocket" title="No releases yet">
            <p>
              Collect drafts and changes, preview the site with them, and publish them together.
            </p>
          </EmptyState>
        )
        : (
          <div class="stacked-table">
            <Table
              head={
                <>
                  <th scope="col">Name</th>
                  <th scope="col">State</th>
                  <th scope="col">Documents</th>
                  <th scope="col">Publish on</th>
                </>
              }
            >
              {releases.map((release) => (
                <tr>
                  <th scope="row">
                    <a href={`/admin/releases/${release.id}`}>{release.name}</a>
                  </th>
                  <td>
                    <ReleaseBadge state={release.state} />
                  </td>
                  <td
                    class="number"
                    data-unit={release.documents.length === 1 ? "document" : "documents"}
                  >
                    {release.documents.length}
                  </td>
                  <td>
                    <ReleaseTime release={release} visit={visit} />
                  </td>
                </tr>
              ))}
            </Table>
          </div>
        )}
      {mayWrite && <NewRelease />}
    </div>,
  );
}

function ReleaseTime(
  { release: { publishAt, publishedAt }, visit }: {
    release: { publishAt: number | null; publishedAt: number | null };
    visit: Visit;
  },
) {
  const at = publishAt ?? publishedAt;
  return at === null
    ? <span class="muted">Not scheduled</span>
    : <Time at={at} clock={visit} exact />;
}

function NewRelease() {
  return (
    <Dialog id="new-release" title="New release">
      <ApiForm to="POST /api/admin/releases" after="/admin/releases/{id}" done="Release created">
        <Field name="name" label="Name" required maxlength={NAME_CHARS_MAX} />
        <Field
          name="description"
          label="Description"
          multiline
          maxlength={RELEASE_DESCRIPTION_CHARS_MAX}
        />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Create release</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}

async function releasePage(deps: Deps, c: ScreenContext<"release">): Promise<Response> {
  const { content, reader } = deps;
  const visit = c.get("visit");
  const { state } = await getRelease(content, c.req.param("id"));
  const [view] = await releaseViews(reader, visit.schema, [state]) as [ReleaseView];
  const isPending = view.state === "open" || view.state === "scheduled";
  const checked = isPending ? await checkRelease(content, view.id) : [];
  const words = c.req.query("q")?.trim() ?? "";
  const mayChange = isPending &&
    visit.can(view.state === "open" ? "documents.write" : "documents.publish");
  const candidates = mayChange ? await candidatesOf(deps, visit, view, words) : [];
  const facts = {
    title: view.name,
    crumbs: [{ label: "Releases", href: "/admin/releases" }],
    intro: view.description === "" ? undefined : view.description,
    actions: <Actions release={view} checked={checked} visit={visit} />,
  };
  return await page(
    c,
    facts,
    <div class="stack">
      <State release={view} checked={checked} visit={visit} />
      <ReleaseDocuments
        {...{ release: view, checked, visit, mayChange, candidates, words }}
        languages={await languagesOf(deps, visit, view)}
      />
      {isPending && visit.can("documents.publish") && <ScheduleRelease release={view} />}
    </div>,
  );
}

/** The languages that the documents of a release have; nothing is read on a site in one language. */
async function languagesOf({ reader }: Deps, { schema }: Visit, { documents }: ReleaseView) {
  const found = new Map<string, LanguageRow[]>();
  if (schema.languages === undefined) return found;
  for await (const { state } of reader.each(documents.map(({ id }) => id))) {
    const collection = schema.byId.get(state.collectionId);
    if (collection !== undefined) found.set(state.id, ownLanguages(state, collection));
  }
  return found;
}

/** Candidates for a release: documents with something to publish, or those that match a title search. */
async function candidatesOf(
  { content, reader, releases }: Deps,
  visit: Visit,
  { documents }: ReleaseView,
  words: string,
): Promise<Candidate[]> {
  const page = await content.index.list({
    collections: visit.readable,
    statuses: words === "" ? ["draft"] : ["draft", "published", "scheduled", "archived"],
    ...(words !== "" && { where: titleContains(words) }),
    sort: [{ by: "updatedAt", descending: true }],
    offset: 0,
    limit: RELEASE_CANDIDATES_MAX,
  });
  const open = await releases.current();
  const own = new Set(documents.map(({ id }) => id));
  const found = (await reader.readableOfPage(page)).documents;
  return found.filter(({ state }) => !own.has(state.id)).map(({ state }) => {
    const collection = visit.schema.byId.get(state.collectionId);
    const rows = collection === undefined ? [] : ownLanguages(state, collection);
    const languages = rows.filter(({ language }) =>
      collection === undefined || releaseWith(open, state, collection, language) === undefined
    );
    const isTaken = rows.length === 0 || languages.length === 0;
    return {
      id: state.id,
      title: laidOver(state).title,
      status: state.status,
      collection: collection?.name ?? "",
      release: isTaken ? open.byDocument.get(state.id)?.name ?? null : null,
      languages,
    };
  });
}

/** The progress of the release and the reasons that block it. */
function State(
  { release, checked, visit }: { release: ReleaseView; checked: CheckedDocument[]; visit: Visit },
) {
  const { state, reason, jobId, publishAt } = release;
  const failing = checked.filter(({ errors }) => errors.length > 0).length;
  return (
    <div class="stack" data-release-state={state}>
      <p class="row">
        <ReleaseBadge state={state} />
        {publishAt !== null && (
          <span>
            Publish on <Time at={publishAt} clock={visit} exact />
          </span>
        )}
        {release.publishedAt !== null && (
          <span>
            Published <Time at={release.publishedAt} clock={visit} exact />
          </span>
        )}
      </p>
      {jobId !== null && (
        <p
          class="alert"
          role="status"
          data-island={visit.can("jobs.read") ? "job" : undefined}
          data-job={jobId}
          data-state="queued"
        >
          {state === "publishing"
            ? "Its documents are being published."
            : "The release is being reverted."}
          {visit.can("jobs.read") && (
            <>
              {" "}
              <a href={`/admin/jobs/${jobId}`}>View job</a>
            </>
          )}
        </p>
      )}
      {reason !== null && <p class="alert bad" role="alert">{`Not published: ${reason}`}</p>}
      {failing > 0 && (
        <p class="alert bad" role="status">
          {failing === 1
            ? "1 document can't be published as it is, so the release can't be published."
            : `${failing} documents can't be published as they are, so the release can't be published.`}
        </p>
      )}
    </div>
  );
}

function Actions(
  { release, checked, visit }: { release: ReleaseView; checked: CheckedDocument[]; visit: Visit },
) {
  const { id, state, name, jobId, documents } = release;
  const mayPublish = visit.can("documents.publish");
  const isPending = state === "open" || state === "scheduled";
  const isReady = documents.length > 0 && checked.every(({ errors }) => errors.length === 0);
  const path = `/api/admin/releases/${id}`;
  return (
    <>
      {jobId === null && (mayPublish || (state === "open" && visit.can("documents.write"))) && (
        <Button
          variant="danger"
          icon="trash"
          data-action={`DELETE ${path}`}
          data-ask={`Delete the release “${name}”? Its documents are not changed.`}
          data-verb="Delete"
          data-then="/admin/releases"
          data-done="Release deleted"
        >
          Delete
        </Button>
      )}
      {isPending && visit.can("documents.write") && (
        <Button icon="eye" data-action={`POST ${path}/preview`} data-then="{url}">
          Preview the site
        </Button>
      )}
      {isPending && mayPublish && (
        <Button icon="calendar" data-opens="schedule-release">
          {state === "scheduled" ? "Change schedule" : "Schedule"}
        </Button>
      )}
      {isPending && mayPublish && (
        <Button
          variant="primary"
          icon="rocket"
          disabled={!isReady}
          data-action={`POST ${path}/publish`}
          data-ask={`Publish the release “${name}” now? ${documents.length} documents change at once.`}
          data-verb="Publish"
          data-then="reload"
        >
          Publish now
        </Button>
      )}
      {state === "published" && jobId === null && mayPublish && (
        <Button
          icon="history"
          data-action={`POST ${path}/revert`}
          data-ask="Revert this release? Its documents return to their previous state, except for those changed since."
          data-verb="Revert"
          data-then="reload"
        >
          Revert
        </Button>
      )}
    </>
  );
}

function ScheduleRelease({ release: { id, publishAt } }: { release: ReleaseView }) {
  const to = `PATCH /api/admin/releases/${id}`;
  return (
    <Dialog id="schedule-release" title="Schedule release">
      <ApiForm to={to} after="reload" done="Release scheduled" island="dates">
        <div class="field" data-name="publishAt" data-type="datetime">
          <label for="f-publishAt">Date and time</label>
          <DateInput
            id="f-publishAt"
            name="publishAt"
            step={60}
            required
            data-epoch={publishAt ?? undefined}
          />
          <p class="help">In your time zone.</p>
        </div>
        <DialogFoot>
          {publishAt !== null && (
            <Button
              data-action={to}
              data-body='{"publishAt":null}'
              data-then="reload"
              data-done="Schedule removed"
            >
              Remove schedule
            </Button>
          )}
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Schedule</Button>
        </DialogFoot>
      </ApiForm>
    </Dialog>
  );
}
