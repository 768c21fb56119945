/**
 * One file: the image with its focal point, its metadata, its uses, and its replacement.
 *
 * @module
 */
import {
  ALT_CHARS_MAX,
  MEDIA_BYTES_MAX,
  MEDIA_TITLE_CHARS_MAX,
} from "../../../../kv/limits/media.ts";
import type { FolderCount } from "../../../../kv/media/folders.ts";
import type { Schema } from "../../../../kv/model/entities/collection.ts";
import type { MediaUse } from "../../../../kv/media/uses.ts";
import type { CropPreset } from "../../../../kv/model/values/crop.ts";
import {
  downloadName,
  fileKind,
  type FileMime,
  isPlayable,
} from "../../../../kv/model/values/file_type.ts";
import {
  interchangeable,
  isPicture,
  type MediaState,
  mediaUrl,
} from "../../../../kv/model/entities/media.ts";
import { credentialsUrl } from "../../../../kv/model/media_credentials.ts";
import { isTransformable } from "../../../../kv/model/values/transform.ts";
import { ApiForm } from "../../components/forms/api_form.tsx";
import { Field } from "../../components/forms/field.tsx";
import { LanguageTexts } from "../../components/forms/language_texts.tsx";
import { Icon } from "../../components/icon.tsx";
import { sizeText } from "../../components/size.ts";
import { StatusBadge } from "../../components/status.tsx";
import { exactTime, Time } from "../../components/time.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { FileTile } from "./media_grid.tsx";
import { MediumCrops } from "./medium_crops.tsx";
import { FOLDER_LIST, FolderNames } from "./media_folders.tsx";

/** Highest that the picture is shown, pixels. */
const SHOWN_HEIGHT = 540;

/** Documents that use a medium: how many, and the first of them. */
interface Uses {
  total: number;
  uses: MediaUse[];
}

interface MediumProps {
  medium: MediaState;
  visit: Visit;
}

interface MediumPageProps extends MediumProps {
  uses: Uses | null;
  folders: FolderCount[];
  /** Shapes that the site adds to those of every site. */
  presets: readonly CropPreset[] | null;
}

/** The page of a medium. */
export function MediumPage(
  { medium, uses, visit, folders, presets }: MediumPageProps,
) {
  const mayWrite = visit.can("media.write");
  return (
    <div class="builder">
      <div class="stack">
        {isPicture(medium.mime)
          ? <Picture medium={medium} mayWrite={mayWrite} />
          : <File medium={medium} mime={medium.mime} />}
        {mayWrite && isTransformable(medium) && <MediumCrops medium={medium} presets={presets} />}
        {uses !== null && <UsesOf uses={uses} />}
      </div>
      <FolderNames folders={folders} />
      <div class="stack">
        <Description medium={medium} mayWrite={mayWrite} schema={visit.schema} />
        <MediumFacts medium={medium} visit={visit} />
        {mayWrite && <Replacement medium={medium} />}
        {mayWrite && <Deletion medium={medium} uses={uses} />}
      </div>
    </div>
  );
}

/**
 * The size of a picture that is shown no higher than so many pixels. A style sheet that bounds the height keeps no place
 * for it until it is there.
 */
function sizeUpTo(heightMax: number, { width, height }: MediaState) {
  const part = Math.min(1, heightMax / (height || 1));
  return width && height
    ? { width: Math.round(width * part), height: Math.round(height * part) }
    : {};
}

function Picture({ medium, mayWrite }: { medium: MediaState; mayWrite: boolean }) {
  const { focus = { x: 0.5, y: 0.5 } } = medium;
  const percent = (part: number) => Math.round(part * 100);
  return (
    <section class="card">
      <div
        class="focus"
        data-island={mayWrite ? "focus" : undefined}
        data-medium={medium.id}
        data-x={percent(focus.x)}
        data-y={percent(focus.y)}
      >
        <div class="focus-frame" data-frame>
          <img
            src={mediaUrl(medium)}
            alt={medium.alt}
            {...sizeUpTo(SHOWN_HEIGHT, medium)}
          />
          <span class="focus-point" data-point aria-hidden="true"></span>
        </div>
        {mayWrite && (
          <details>
            <summary>Focal point</summary>
            <p class="muted small">
              When the image is cropped, this point stays visible. Click the image or move the
              sliders.
            </p>
            <div class="pair">
              <Slider label="From the left" name="x" value={percent(focus.x)} />
              <Slider label="From the top" name="y" value={percent(focus.y)} />
            </div>
            <ul class="focus-cuts" aria-label="Crop preview">
              {["1 / 1", "4 / 3", "16 / 9"].map((ratio) => (
                <li>
                  <img
                    src={mediaUrl(medium)}
                    alt=""
                    data-cut
                    data-ratio={ratio}
                  />
                  <span class="muted small">{ratio.replace(" / ", ":")}</span>
                </li>
              ))}
            </ul>
            <div class="row">
              <Button variant="primary" size="small" data-save>Save focal point</Button>
              <Button size="small" data-reset>Reset to center</Button>
            </div>
          </details>
        )}
      </div>
    </section>
  );
}

/** A file other than an image: a player or a download. */
function File({ medium, mime }: { medium: MediaState; mime: FileMime }) {
  const url = mediaUrl(medium);
  const kind = fileKind(mime);
  return (
    <section class="card">
      <div class="file-shown">
        {kind === "audio" && <audio controls preload="none" src={url}></audio>}
        {kind === "video" && <video controls preload="metadata" src={url}></video>}
        {!isPlayable(mime) && <FileTile mime={mime} />}
        <ButtonLink href={url} download={downloadName(medium.filename, mime)} icon="download">
          Download
        </ButtonLink>
      </div>
    </section>
  );
}

function Slider({ label, name, value }: { label: string; name: string; value: number }) {
  return (
    <div class="field">
      <label for={`focus-${name}`}>{`${label}, percent`}</label>
      <input id={`focus-${name}`} data-axis={name} type="range" min={0} max={100} value={value} />
    </div>
  );
}

function Description(
  { medium, mayWrite, schema }: { medium: MediaState; mayWrite: boolean; schema: Schema },
) {
  return (
    <section class="card">
      <ApiForm to={`PATCH /api/admin/media/${medium.id}`} after="reload" done="Saved" guard>
        <Field
          label="Alt text"
          name="alt"
          value={medium.alt}
          maxlength={ALT_CHARS_MAX}
          help={isPicture(medium.mime)
            ? "Describes the image for people who can't see it."
            : "Describes the file where it is linked."}
          multiline
          disabled={!mayWrite}
        />
        <LanguageTexts
          name="alts"
          legend="Alt text in other languages"
          texts={medium.alts}
          original={medium.alt}
          schema={schema}
          id="alts"
          maxlength={ALT_CHARS_MAX}
          multiline
          disabled={!mayWrite}
        />
        <Field
          label="Title"
          name="title"
          value={medium.title ?? ""}
          maxlength={MEDIA_TITLE_CHARS_MAX}
          help="Shown in the library instead of the file name."
          disabled={!mayWrite}
        />
        <Field
          label="File name"
          name="filename"
          value={medium.filename}
          required
          disabled={!mayWrite}
        />
        <Field
          label="Folder"
          name="folder"
          value={medium.folder ?? ""}
          list={FOLDER_LIST}
          help="Separate nested folders with /."
          disabled={!mayWrite}
        />
        <Field
          label="Tags"
          name="tags"
          value={medium.tags?.join("\n") ?? ""}
          help="One per line."
          multiline
          lines
          disabled={!mayWrite}
        />
        {mayWrite && <Button type="submit" variant="primary">Save</Button>}
      </ApiForm>
    </section>
  );
}

function UsesOf({ uses: { total, uses } }: { uses: Uses }) {
  return (
    <section class="card">
      <h2>Used in</h2>
      {uses.length === 0 ? <p class="muted">Not used anywhere.</p> : (
        <ul class="rows">
          {uses.map(({ id, title, collection, status, fields }) => (
            <li>
              <a href={`/admin/documents/${id}`}>{title || "Untitled"}</a>
              <span class="muted small">
                {[collection, ...fields].join(" · ")}
              </span>
              <StatusBadge status={status} />
            </li>
          ))}
        </ul>
      )}
      {total > uses.length && <p class="muted small">{`And ${total - uses.length} more.`}</p>}
    </section>
  );
}

function Replacement({ medium }: { medium: MediaState }) {
  return (
    <section class="card">
      <h2>Replace file</h2>
      <p class="muted small">
        Every document that uses it shows the new file. The old file stays in the history, where you
        can restore it.
      </p>
      <div
        class="upload small"
        data-island="upload"
        data-to={`PUT /api/admin/media/${medium.id}/file`}
        data-done="File replaced"
        data-bytes-max={MEDIA_BYTES_MAX}
      >
        <label class="button">
          <Icon name="upload" /> Choose another file
          <input class="sr" type="file" accept={interchangeable(medium.mime).join(",")} />
        </label>
        <p class="muted small">Or drop or paste it here.</p>
        <ul class="uploads" data-uploads aria-live="polite"></ul>
      </div>
    </section>
  );
}

function Deletion({ medium, uses }: { medium: MediaState; uses: Uses | null }) {
  const count = uses?.total ?? 0;
  const used = count === 0
    ? ""
    : `${count === 1 ? "A document uses" : `${count} documents use`} it. `;
  return (
    <section class="card">
      <Button
        variant="danger"
        data-action={`DELETE /api/admin/media/${medium.id}`}
        data-then="/admin/media"
        data-done={`${medium.filename} is in the trash for 30 days`}
        data-ask={`${used}It disappears from all pages immediately. You can restore it for 30 days.`}
        data-verb="Delete"
        icon="trash"
      >
        Delete
      </Button>
    </section>
  );
}

/** The Content Credentials of a file, as its certificate states them; not verified. */
function CredentialsFact({ medium: { id, credentials } }: Pick<MediumProps, "medium">) {
  const { signer, organization, generator, embedded } = credentials ?? {};
  const name = signer ?? organization;
  const signed = organization !== undefined && organization !== name
    ? `${name}, ${organization}`
    : name;
  return (
    <div>
      <dt>Content Credentials</dt>
      <dd>
        {signed === undefined ? "Signer unknown" : `Signed by ${signed}`} (not verified)
        {generator !== undefined && `, made with ${generator}`}
        {embedded && ", kept in the file"}
        {" · "}
        <a href={credentialsUrl(id)} download>Download</a>
      </dd>
    </div>
  );
}

function MediumFacts({ medium, visit }: MediumProps) {
  return (
    <section class="card">
      <dl class="facts">
        <div>
          <dt>Size</dt>
          <dd>
            {isPicture(medium.mime) && `${medium.width} × ${medium.height} pixels, `}
            {sizeText(medium.bytes)}
          </dd>
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
        {medium.credentials !== undefined && <CredentialsFact medium={medium} />}
        <div>
          <dt>URL</dt>
          <dd>
            <code id="medium-url">{mediaUrl(medium)}</code>
          </dd>
        </div>
      </dl>
      <div class="dialog-foot">
        <Button size="small" data-copy="medium-url" icon="copy">
          Copy URL
        </Button>
      </div>
    </section>
  );
}
