/**
 * The media library: media in a grid, uploads, descriptions, the trash.
 *
 * @module
 */
import { MEDIA_BYTES_MAX } from "../../../../kv/limits/media.ts";
import { countFolders, countTags, type TagCount } from "../../../../kv/media/folders.ts";
import { countReferrers } from "../../../../kv/documents/reference_rows.ts";
import { findUses } from "../../../../kv/media/uses.ts";
import { getMedia } from "../../../../kv/media/media.ts";
import type { CropPreset } from "../../../../kv/model/values/crop.ts";
import {
  ALL_MIMES,
  MEDIA_MIMES,
  type MediaMime,
  renamedFor,
} from "../../../../kv/model/entities/media.ts";
import { tagForm } from "../../../../kv/model/entities/media_folder.ts";
import type { MediaRow } from "../../../../kv/versioning/media_row.ts";
import { parseMediaQuery } from "../../../query/media_query.ts";
import type { Deps } from "../../../deps/deps.ts";
import { MEDIA_USES_COUNTED_MAX } from "../../../input/limits.ts";
import { uploadTypes } from "../../../input/media_types.ts";
import { Icon } from "../../components/icon.tsx";
import { Pagination } from "../../components/navigation/pagination.tsx";
import { readableUses } from "../../readable_uses.ts";
import { ListState } from "../../list_state.ts";
import { page } from "../../serving/page.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { FolderNames, folderPath, MediaFolders } from "./media_folders.tsx";
import { MediaGrid } from "./media_grid.tsx";
import { ImportDialog } from "./media_import.tsx";
import { MediumPage } from "./medium.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty_state.tsx";
import { Tabs } from "../../components/navigation/tabs.tsx";
import type { Handlers } from "../../screens.ts";

const PER_PAGE = "48";
/** Documents that a medium's page names; the API has them all. */
const USES_SHOWN = 20;

/** Orders of the library, as the address spells them. */
const SORTS: readonly (readonly [sort: string, label: string])[] = [
  ["", "Newest first"],
  ["createdAt", "Oldest first"],
  ["filename", "Name"],
  ["-bytes", "Largest first"],
  ["-updatedAt", "Recently changed"],
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
      const [{ total, media }, present] = await Promise.all([
        mediaList.list(query),
        mediaList.find(({ deletedAt }) => deletedAt === null),
      ]);
      const folders = countFolders(present);
      const folder = folderPath(params);
      const mayUpload = visit.can("media.write") && !query.deleted;
      const resizes = await settings.get<boolean>("images.transform_enabled");
      const uses = query.deleted ? null : await usesOf(deps, visit, media);
      const filtered = ["q", "mime", "alt", "unused", "folder", "tag"].some((name) =>
        (params.get(name) ?? "") !== ""
      );
      return await page(
        c,
        { title: "Media", wide: true },
        <>
          <MediaTabs state={state} />
          {mayUpload && <UploadZone folder={folder} types={await uploadTypes(deps)} />}
          {!query.deleted && (
            <MediaFolders
              folders={folders}
              unfiled={present.filter((row) => row.folder === undefined).length}
              state={state}
              mayMove={mayUpload}
            />
          )}
          <MediaTools state={state} params={params} tags={countTags(present)} />
          {media.length === 0
            ? <NoMedia deleted={query.deleted} filtered={filtered} />
            : <MediaGrid {...{ media, visit, resizes, uses }} />}
          <FolderNames folders={folders} />
          {mayUpload && <ImportDialog folder={folder} />}
          {total > 0 && (
            <Pagination
              paging={{ ...paging, total }}
              hrefOf={(number) => state.with({ page: String(number) })}
              what="media"
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
      if (uses !== null) uses.uses = readableUses(visit, uses.uses);
      const folders = countFolders(await mediaList.find(({ deletedAt }) => deletedAt === null));
      const facts = {
        title: medium.title ?? medium.filename,
        crumbs: [{ label: "Media", href: "/admin/media" }],
      };
      const presets = await settings.get<CropPreset[] | null>("media.crops");
      const shown = <MediumPage {...{ medium, uses, visit, folders, presets }} />;
      return await page(c, { ...facts, wide: true }, shown);
    },
  };
}

/** How many documents use each of some media; null for a user who sees no documents. */
async function usesOf(
  { content: { context } }: Deps,
  { documents }: Visit,
  media: readonly MediaRow[],
): Promise<number[] | null> {
  if (!documents.somewhere("read")) return null;
  const ids = media.map(({ id }) => id);
  return await countReferrers(context, ids, MEDIA_USES_COUNTED_MAX);
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
    ["Missing alt text", tab({ alt: "missing" }), is("alt", "missing") && !deleted],
    ["Unused", tab({ unused: "true" }), is("unused", "true") && !deleted],
    ["Trash", tab({ deleted: "true" }), deleted],
  ];
  return (
    <Tabs
      label="Filter files"
      tabs={tabs.map(([label, href, current]) => ({ label, href, current }))}
    />
  );
}

function UploadZone({ folder, types }: { folder: string; types: readonly MediaMime[] }) {
  const only = types.length === MEDIA_MIMES.length;
  const names = types.map(typeName).filter((name, index, all) => all.indexOf(name) === index);
  return (
    <div class="upload" data-island="upload" data-bytes-max={MEDIA_BYTES_MAX} data-folder={folder}>
      <div class="row">
        <label class="button primary">
          <Icon name="upload" /> {only ? "Upload images" : "Upload files"}
          <input class="sr" type="file" multiple accept={types.join(",")} />
        </label>
        <Button icon="link" data-opens="import-media">Import from URL</Button>
      </div>
      <p class="muted small">
        {`Or drop or paste them here. ${names.join(", ")}, up to ${
          MEDIA_BYTES_MAX / 1e6
        } MB each; location and camera data are removed.`}
      </p>
      <ul class="uploads" data-uploads aria-live="polite"></ul>
    </div>
  );
}

function MediaTools(
  { state, params, tags }: { state: ListState; params: URLSearchParams; tags: TagCount[] },
) {
  return (
    <form method="get" role="search" class="list-tools">
      {[...state.params].filter(([name]) => !["q", "mime", "tag", "sort", "page"].includes(name))
        .map(([name, value]) => <input type="hidden" name={name} value={value} />)}
      <input
        class="list-search"
        type="search"
        name="q"
        aria-label="Search files"
        placeholder="Search by name, title, tag or alt text"
        value={params.get("q") ?? ""}
      />
      <select name="mime" aria-label="Type" class="short">
        <option value="">All types</option>
        {ALL_MIMES.map((mime) => (
          <option value={mime} selected={mime === params.get("mime")}>
            {mime.replace("image/", "")}
          </option>
        ))}
      </select>
      {tags.length > 0 && (
        <select name="tag" aria-label="Tag" class="short">
          <option value="">All tags</option>
          {tags.map(({ tag, media }) => (
            <option value={tag} selected={tagForm(tag) === tagForm(params.get("tag") ?? "")}>
              {`${tag} (${media.toLocaleString("en")})`}
            </option>
          ))}
        </select>
      )}
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
      <EmptyState title="No files">
        <p>{deleted ? "Deleted files stay here for 30 days." : "No matches."}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="image" title="No images yet">
      <p>Upload images to use them in documents.</p>
    </EmptyState>
  );
}

/** A type in short: `PNG`, `PDF`, `MP3`. */
function typeName(mime: MediaMime): string {
  return renamedFor("", mime).slice(1).toUpperCase();
}
