/**
 * The media library: images in a grid, uploads, descriptions, the trash.
 *
 * @module
 */
import { MEDIA_BYTES_MAX } from "../../../kv/limits.ts";
import type { MediaRow } from "../../../kv/media/media_row.ts";
import { findUses } from "../../../kv/media/uses.ts";
import { getMedia } from "../../../kv/media/media.ts";
import { MEDIA_MIMES, MEDIA_RETENTION_SECONDS, mediaUrl } from "../../../kv/model/media.ts";
import { isTransformable } from "../../../kv/model/transform.ts";
import { parseMediaQuery } from "../../admin/media_query.ts";
import type { Deps } from "../../deps.ts";
import { Icon } from "../components/icon.tsx";
import { Pagination } from "../components/pagination.tsx";
import { dayOf } from "../components/time.tsx";
import { usesSeen } from "../uses_seen.ts";
import { ListState } from "../list_state.ts";
import { page } from "../page.tsx";
import type { Visit } from "../studio_env.ts";
import { MediumPage } from "./medium.tsx";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty_state.tsx";
import { Tabs } from "../components/tabs.tsx";
import type { Handlers } from "../screens.ts";

const PER_PAGE = "48";
/** Documents that a medium's page names; the API has them all. */
const USES_SHOWN = 20;

/** Orders of the library, as the address spells them. */
const SORTS: readonly (readonly [sort: string, label: string])[] = [
  ["", "Newest first"],
  ["createdAt", "Oldest first"],
  ["filename", "By name"],
  ["-bytes", "Largest first"],
  ["-updatedAt", "Last changed"],
];

/** `/media` and `/media/:id`. */
export function mediaScreens(deps: Deps): Handlers<"media" | "medium"> {
  const { content: { context }, settings, mediaList } = deps;
  return {
    media: async (c) => {
      const visit = c.get("visit");
      const state = new ListState(visit.url);
      const params = new URLSearchParams(visit.url.search);
      if (!params.has("perPage")) params.set("perPage", PER_PAGE);
      const { query, paging } = parseMediaQuery(params);
      const { total, media } = await mediaList.list(query);
      const resizes = await settings.get<boolean>("images.transform_enabled");
      const filtered = ["q", "mime", "alt", "unused"].some((name) =>
        (params.get(name) ?? "") !== ""
      );
      return await page(
        c,
        { title: "Media", wide: true },
        <>
          <MediaTabs state={state} />
          {visit.can("media.write") && !query.deleted && <UploadZone />}
          <MediaTools state={state} params={params} />
          {media.length === 0
            ? <NoMedia deleted={query.deleted} filtered={filtered} />
            : <MediaGrid media={media} visit={visit} resizes={resizes} />}
          {total > 0 && (
            <Pagination
              paging={{ ...paging, total }}
              hrefOf={(number) => state.with({ page: String(number) })}
              what="images"
            />
          )}
        </>,
      );
    },
    medium: async (c) => {
      const visit = c.get("visit");
      const medium = await getMedia(context, c.req.param("id"));
      const uses = visit.documents.somewhere("read")
        ? await findUses(deps, medium.id, { offset: 0, limit: USES_SHOWN })
        : null;
      if (uses !== null) uses.uses = usesSeen(visit, uses.uses);
      const facts = {
        title: medium.title ?? medium.filename,
        crumbs: [{ label: "Media", href: "/admin/media" }],
      };
      const shown = <MediumPage medium={medium} uses={uses} visit={visit} />;
      return await page(c, { ...facts, wide: true }, shown);
    },
  };
}

function MediaTabs({ state }: { state: ListState }) {
  const { params } = state;
  const tab = (changes: Record<string, string>) =>
    state.with({ deleted: null, alt: null, unused: null, ...changes });
  const is = (name: string, value: string) => params.get(name) === value;
  const deleted = is("deleted", "true");
  const special = deleted || is("alt", "missing") || is("unused", "true");
  const tabs: [string, string, boolean][] = [
    ["Library", tab({}), !special],
    ["Without alternative text", tab({ alt: "missing" }), is("alt", "missing") && !deleted],
    ["Unused", tab({ unused: "true" }), is("unused", "true") && !deleted],
    ["Trash", tab({ deleted: "true" }), deleted],
  ];
  return (
    <Tabs
      label="Which media"
      tabs={tabs.map(([label, href, current]) => ({ label, href, current }))}
    />
  );
}

function UploadZone() {
  const types = MEDIA_MIMES.map((mime) => mime.replace("image/", "").toUpperCase()).join(", ");
  return (
    <div class="upload" data-island="upload" data-bytes-max={MEDIA_BYTES_MAX}>
      <label class="button primary">
        <Icon name="upload" /> Upload images
        <input class="sr" type="file" multiple accept={MEDIA_MIMES.join(",")} />
      </label>
      <p class="muted small">
        {`Or drop or paste them here. ${types}, up to ${
          MEDIA_BYTES_MAX / 1e6
        } MB each; places and ` +
          "camera data are removed."}
      </p>
      <ul class="uploads" data-uploads aria-live="polite"></ul>
    </div>
  );
}

function MediaTools({ state, params }: { state: ListState; params: URLSearchParams }) {
  return (
    <form method="get" role="search" class="list-tools">
      {[...state.params].filter(([name]) => !["q", "mime", "sort", "page"].includes(name))
        .map(([name, value]) => <input type="hidden" name={name} value={value} />)}
      <input
        class="list-search"
        type="search"
        name="q"
        aria-label="Search media"
        placeholder="Name, title or alternative text"
        value={params.get("q") ?? ""}
      />
      <select name="mime" aria-label="Type" class="short">
        <option value="">All types</option>
        {MEDIA_MIMES.map((mime) => (
          <option value={mime} selected={mime === params.get("mime")}>
            {mime.replace("image/", "")}
          </option>
        ))}
      </select>
      <select name="sort" aria-label="Order" class="short">
        {SORTS.map(([sort, label]) => (
          <option value={sort} selected={sort === (params.get("sort") ?? "")}>{label}</option>
        ))}
      </select>
      <Button type="submit">Search</Button>
    </form>
  );
}

function NoMedia({ deleted, filtered }: { deleted: boolean; filtered: boolean }) {
  if (deleted || filtered) {
    return (
      <EmptyState title="Nothing here">
        <p>{deleted ? "Deleted images stay here for 30 days." : "No image fits."}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="image" title="No images yet">
      <p>Upload some, and use them in documents.</p>
    </EmptyState>
  );
}

function MediaGrid(
  { media, visit, resizes }: { media: MediaRow[]; visit: Visit; resizes: boolean },
) {
  return (
    <ul class="media-grid">
      {media.map((medium) => (
        <li class="medium">
          {medium.deletedAt === null
            ? (
              <a href={`/admin/media/${medium.id}`}>
                <img src={thumbnail(medium, resizes)} alt={medium.alt} loading="lazy" />
                <span>{medium.title ?? medium.filename}</span>
              </a>
            )
            : <DeletedMedium medium={medium} visit={visit} />}
          {medium.deletedAt === null && medium.alt === "" && (
            <span class="badge warn">No alternative text</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function DeletedMedium({ medium, visit }: { medium: MediaRow; visit: Visit }) {
  return (
    <>
      <span>{medium.filename}</span>
      <span class="muted small">
        {`Until ${dayOf(medium.deletedAt! + MEDIA_RETENTION_SECONDS, visit.timezone)}`}
      </span>
      {visit.can("media.write") && (
        <Button
          size="small"
          data-action={`POST /api/admin/media/${medium.id}/undelete`}
          data-then="reload"
          data-done={`${medium.filename} is back`}
        >
          Restore
        </Button>
      )}
    </>
  );
}

/** A small form of a picture, where there are any. */
function thumbnail(medium: MediaRow, resizes: boolean): string {
  const url = mediaUrl(medium);
  return resizes && isTransformable(medium) ? `${url}?w=480&h=360` : url;
}
