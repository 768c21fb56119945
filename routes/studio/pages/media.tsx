/**
 * The media library: images in a grid, uploads, descriptions, the trash.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { getMedia, listMedia } from "../../../kv/media/media.ts";
import {
  ALT_CHARS_MAX,
  MEDIA_BYTES_MAX,
  MEDIA_MIMES,
  MEDIA_RETENTION_SECONDS,
  type MediaState,
  mediaUrl,
} from "../../../kv/model/media.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { parsePaging } from "../../v1/list_query.ts";
import { ApiForm } from "../components/api_form.tsx";
import { Field } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { Pages } from "../components/pages.tsx";
import { dayOf, exactTime, Time } from "../components/time.tsx";
import { ListState } from "../list_state.ts";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";

const PER_PAGE = "48";

/** `/media` and `/media/:id`. */
export function mediaPages({ content: { context } }: Deps): Hono<StudioEnv> {
  return new Hono<StudioEnv>()
    .get("/media", may("media.read"), async (c) => {
      const visit = c.get("visit");
      const state = new ListState(visit.url);
      const params = new URLSearchParams(visit.url.search);
      if (!params.has("perPage")) params.set("perPage", PER_PAGE);
      const paging = parsePaging(params);
      const deleted = params.get("deleted") === "true";
      const found = (await listMedia(context, { deleted })).filter((medium) =>
        fits(medium, params)
      );
      const start = (paging.page - 1) * paging.perPage;
      const shown = found.slice(start, start + paging.perPage);
      return await page(
        c,
        { title: "Media", wide: true },
        <>
          <MediaTabs state={state} deleted={deleted} />
          {visit.can("media.write") && !deleted && <UploadZone />}
          <MediaTools state={state} params={params} />
          {shown.length === 0
            ? <NoMedia deleted={deleted} filtered={params.has("q") || params.has("mime")} />
            : <MediaGrid media={shown} visit={visit} />}
          {found.length > 0 && (
            <Pages
              paging={{ ...paging, total: found.length }}
              hrefOf={(number) => state.with({ page: String(number) })}
              what="images"
            />
          )}
        </>,
      );
    })
    .get("/media/:id", may("media.read"), async (c) => {
      const medium = await getMedia(context, c.req.param("id"));
      const facts = {
        title: medium.filename,
        crumbs: [{ label: "Media", href: "/admin/media" }],
      };
      return await page(c, facts, <MediumPage medium={medium} visit={c.get("visit")} />);
    });
}

function fits({ filename, alt, mime }: MediaState, params: URLSearchParams): boolean {
  const wanted = (params.get("q") ?? "").trim().toLowerCase();
  const type = params.get("mime") ?? "";
  if (params.get("alt") === "missing" && alt !== "") return false;
  return `${filename}\n${alt}`.toLowerCase().includes(wanted) && (type === "" || mime === type);
}

function MediaTabs({ state, deleted }: { state: ListState; deleted: boolean }) {
  const missing = state.params.get("alt") === "missing";
  const tabs: [string, string, boolean][] = [
    ["Library", state.with({ deleted: null, alt: null }), !deleted && !missing],
    [
      "Without alternative text",
      state.with({ deleted: null, alt: "missing" }),
      missing && !deleted,
    ],
    ["Trash", state.with({ deleted: "true", alt: null }), deleted],
  ];
  return (
    <nav class="tabs" aria-label="Which media">
      {tabs.map(([label, href, current]) => (
        <a href={href} aria-current={current ? "page" : undefined}>{label}</a>
      ))}
    </nav>
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
      {[...state.params].filter(([name]) => !["q", "mime", "page"].includes(name))
        .map(([name, value]) => <input type="hidden" name={name} value={value} />)}
      <input
        class="list-search"
        type="search"
        name="q"
        aria-label="Search media"
        placeholder="Name or alternative text"
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
      <button type="submit" class="button">Search</button>
    </form>
  );
}

function NoMedia({ deleted, filtered }: { deleted: boolean; filtered: boolean }) {
  if (deleted || filtered) {
    return (
      <div class="empty">
        <h2>Nothing here</h2>
        <p>{deleted ? "Deleted images stay here for 30 days." : "No image fits."}</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <h2>No images yet</h2>
      <p>Upload some, and use them in documents. The same file is stored only once.</p>
    </div>
  );
}

function MediaGrid({ media, visit }: { media: MediaState[]; visit: Visit }) {
  return (
    <ul class="media-grid">
      {media.map((medium) => (
        <li class="medium">
          {medium.deletedAt === null
            ? (
              <a href={`/admin/media/${medium.id}`}>
                <img src={mediaUrl(medium)} alt={medium.alt} loading="lazy" />
                <span>{medium.filename}</span>
              </a>
            )
            : (
              <>
                <span>{medium.filename}</span>
                <span class="muted small">
                  {`Until ${dayOf(medium.deletedAt + MEDIA_RETENTION_SECONDS, visit.timezone)}`}
                </span>
                {visit.can("media.write") && (
                  <button
                    type="button"
                    class="button small"
                    data-action={`POST /api/admin/media/${medium.id}/undelete`}
                    data-then="reload"
                    data-done={`${medium.filename} is back`}
                  >
                    Restore
                  </button>
                )}
              </>
            )}
          {medium.deletedAt === null && medium.alt === "" && (
            <span class="badge warn">No alternative text</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function MediumPage({ medium, visit }: { medium: MediaState; visit: Visit }) {
  const mayWrite = visit.can("media.write");
  return (
    <div class="builder">
      <figure class="card preview">
        <img src={mediaUrl(medium)} alt={medium.alt} width={medium.width} height={medium.height} />
      </figure>
      <div class="stack">
        <section class="card">
          <ApiForm to={`PATCH /api/admin/media/${medium.id}`} after="reload" done="Saved" guard>
            <Field
              label="Alternative text"
              name="alt"
              value={medium.alt}
              maxlength={ALT_CHARS_MAX}
              help="What somebody who cannot see the image should know of it."
              multiline
              disabled={!mayWrite}
            />
            <Field
              label="File name"
              name="filename"
              value={medium.filename}
              required
              disabled={!mayWrite}
            />
            {mayWrite && <button type="submit" class="button primary">Save</button>}
          </ApiForm>
        </section>
        <MediumFacts medium={medium} visit={visit} mayWrite={mayWrite} />
      </div>
    </div>
  );
}

function MediumFacts(
  { medium, visit, mayWrite }: { medium: MediaState; visit: Visit; mayWrite: boolean },
) {
  return (
    <section class="card">
      <dl class="facts">
        <div>
          <dt>Size</dt>
          <dd>{`${medium.width} × ${medium.height} pixels, ${sizeText(medium.bytes)}`}</dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{medium.mime}</dd>
        </div>
        <div>
          <dt>Uploaded</dt>
          <dd>{exactTime(medium.createdAt, visit.timezone)}</dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>
            <Time at={medium.updatedAt} clock={visit} />
            {visit.can("versions.read") && (
              <>
                {" · "}
                <a href={`/admin/versions/media_metadata/${medium.id}`}>History</a>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            <code id="medium-url">{mediaUrl(medium)}</code>
          </dd>
        </div>
      </dl>
      <div class="dialog-foot">
        <button type="button" class="button small" data-copy="medium-url">
          <Icon name="copy" /> Copy the address
        </button>
        {mayWrite && (
          <button
            type="button"
            class="button small danger"
            data-action={`DELETE /api/admin/media/${medium.id}`}
            data-then="/admin/media"
            data-done={`${medium.filename} is in the trash for 30 days`}
            data-ask="Pages that show it lose it at once. It can be brought back for 30 days."
            data-verb="Delete"
          >
            <Icon name="trash" /> Delete
          </button>
        )}
      </div>
    </section>
  );
}

/** A size as people read it. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
