/**
 * Files as tiles, and the bulk actions.
 *
 * @module
 */
import type { MediaRow } from "../../../../kv/versioning/media_row.ts";
import {
  type FileKind,
  fileKind,
  type FileMime,
  usualExtension,
} from "../../../../kv/model/values/file_type.ts";
import {
  isPicture,
  MEDIA_RETENTION_SECONDS,
  mediaUrl,
} from "../../../../kv/model/entities/media.ts";
import { isTooLarge, isTransformable } from "../../../../kv/model/values/transform.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/overlays/dialog.tsx";
import { Field } from "../../components/forms/field.tsx";
import { Icon } from "../../components/icon.tsx";
import type { IconName } from "../../components/icon_names.ts";
import { sizeText } from "../../components/size.ts";
import { dayOf } from "../../components/time.tsx";
import { counted } from "../../wording/words.ts";
import { MEDIA_USES_COUNTED_MAX } from "../../../input/limits.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { FOLDER_LIST } from "./media_folders.tsx";

interface GridProps {
  media: MediaRow[];
  visit: Visit;
  /** Whether images are served in other sizes. */
  resizes: boolean;
  /** How many documents use each, at most {@linkcode MEDIA_USES_COUNTED_MAX}; null where that is not shown. */
  uses: number[] | null;
}

/** The tiles of a page of media; deleted ones can be brought back. */
export function MediaGrid({ media, visit, resizes, uses }: GridProps) {
  const selectable = visit.can("media.write") && media.every(({ deletedAt }) => deletedAt === null);
  return (
    <div data-island={selectable ? "media-grid" : undefined}>
      <ul class="media-grid">
        {media.map((medium, index) => (
          <li class="medium" data-id={medium.id}>
            {medium.deletedAt === null
              ? <Tile {...{ medium, selectable, resizes, uses: uses?.[index] }} />
              : <DeletedMedium medium={medium} visit={visit} />}
          </li>
        ))}
      </ul>
      {selectable && <BulkBar />}
      {selectable && <MoveDialog />}
      {selectable && <TagsDialog />}
    </div>
  );
}

function Tile(
  { medium, selectable, resizes, uses }: {
    medium: MediaRow;
    selectable: boolean;
    resizes: boolean;
    uses: number | undefined;
  },
) {
  const name = medium.title ?? medium.filename;
  return (
    <>
      <a href={`/admin/media/${medium.id}`}>
        {isPicture(medium.mime)
          ? <img src={thumbnail(medium, resizes)} alt={medium.alt} loading="lazy" />
          : <FileTile mime={medium.mime} />}
        <span>{name}</span>
      </a>
      {selectable && <input type="checkbox" data-select aria-label={`Select ${name}`} />}
      <span class="muted small medium-facts">
        <span>{sizeOf(medium)}</span>
        {uses !== undefined && <span>{usesInWords(uses)}</span>}
      </span>
      {medium.alt === "" && isPicture(medium.mime) && <span class="badge warn">No alt text</span>}
      {medium.tags !== undefined && (
        <span class="muted small medium-tags">{medium.tags.join(", ")}</span>
      )}
    </>
  );
}

/** The size of a file in pixels and bytes. */
function sizeOf({ mime, width, height, bytes }: MediaRow): string {
  return isPicture(mime) ? `${width} × ${height} · ${sizeText(bytes)}` : sizeText(bytes);
}

function usesInWords(uses: number): string {
  if (uses === 0) return "Not used";
  return uses === MEDIA_USES_COUNTED_MAX ? `${uses}+ uses` : counted(uses, "use");
}

const FILE_ICONS: Record<FileKind, IconName> = {
  pdf: "document",
  audio: "music",
  video: "video",
  office: "document",
  text: "document",
  archive: "archive",
};

/** The placeholder of a file without a thumbnail. */
export function FileTile({ mime }: { mime: FileMime }) {
  return (
    <span class="file-tile">
      <Icon name={FILE_ICONS[fileKind(mime)]} />
      {usualExtension(mime).toUpperCase()}
    </span>
  );
}

/** A thumbnail, if there is one. */
function thumbnail(medium: MediaRow, resizes: boolean): string {
  const url = mediaUrl(medium);
  return resizes && (isTransformable(medium) || isTooLarge(medium)) ? `${url}?w=480&h=360` : url;
}

function DeletedMedium({ medium, visit }: { medium: MediaRow; visit: Visit }) {
  return (
    <>
      <span>{medium.filename}</span>
      <span class="muted small">
        {`Until ${dayOf((medium.deletedAt ?? 0) + MEDIA_RETENTION_SECONDS, visit.timezone)}`}
      </span>
      {visit.can("media.write") && (
        <Button
          size="small"
          data-action={`POST /api/admin/media/${medium.id}/undelete`}
          data-then="reload"
          data-done={`${medium.filename} is restored`}
        >
          Restore
        </Button>
      )}
    </>
  );
}

function BulkBar() {
  return (
    <div class="bulk" data-bulk hidden>
      <div class="bulk-bar" role="toolbar" aria-label="Selected files">
        <span data-bulk-count role="status"></span>
        <Button size="small" icon="folder" data-opens="move-media">Move</Button>
        <Button size="small" icon="tag" data-opens="tag-media">Tags</Button>
        <Button variant="danger" size="small" data-delete>Delete</Button>
        <Button variant="quiet" size="small" data-all>Select all on this page</Button>
        <Button variant="quiet" size="small" data-none>Clear selection</Button>
      </div>
    </div>
  );
}

function MoveDialog() {
  return (
    <Dialog id="move-media" title="Move to a folder">
      <form class="form" data-organize>
        <Field
          label="Folder"
          name="folder"
          list={FOLDER_LIST}
          placeholder="Press/2026"
          help="An existing or new folder. Use / for subfolders. Leave empty for no folder."
        />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Move</Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function TagsDialog() {
  return (
    <Dialog id="tag-media" title="Change tags">
      <form class="form" data-organize>
        <Field label="Add" name="addTags" placeholder="lamp, evening" help="Separated by commas." />
        <Field label="Remove" name="removeTags" />
        <DialogFoot>
          <Button data-close>Cancel</Button>
          <Button type="submit" variant="primary">Change tags</Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
