/**
 * Controls that point to a medium or to another document, chosen in a dialog that searches the server.
 *
 * @module
 */
import { isPicture, MEDIA_MIMES } from "../../../kv/model/entities/media.ts";
import { Button } from "../components/button.tsx";
import { STATUS_LABELS } from "../components/status.tsx";
import { targetSlugs } from "../../../kv/model/fields/reference_target.ts";
import { thumbnailUrl } from "../picture_address.ts";
import { documentPath } from "../document_path.ts";
import type { ControlContext, ControlProps } from "./control_props.ts";

/** A medium. */
export function MediaControl({ field, value, id, controlContext }: ControlProps) {
  const given = typeof value === "string" ? value : "";
  const medium = controlContext.referenced.media.get(given);
  const { mimes = MEDIA_MIMES } = field.options;
  return (
    <div class="reference-box" data-reference="media" data-mimes={mimes.join(",")}>
      <input type="hidden" value={given} />
      <div class="reference-shown" data-shown hidden={given === ""}>
        {medium && isPicture(medium.mime)
          ? <img src={thumbnailUrl(medium.url, 320)} alt={medium.alt} />
          : <img alt="" hidden />}
        <div>
          <p data-title>{medium?.filename ?? (given && "This file was deleted")}</p>
          <p class="muted small" data-note>
            {medium ? medium.alt || "No alt text yet" : given}
          </p>
        </div>
      </div>
      <ReferenceButtons
        what={isOfPictures(mimes) ? "an image" : "a file"}
        id={id}
        filled={given !== ""}
        readOnly={controlContext.readOnly}
      />
    </div>
  );
}

/** Whether a field takes nothing but pictures. */
function isOfPictures(mimes: readonly string[]): boolean {
  return mimes.every((mime) => mime.startsWith("image/"));
}

/** The form of a document, in the language of the form that refers to it. */
function documentHref(id: string, { text }: ControlContext): string {
  return `/admin${documentPath(id, text?.lang)}`;
}

/** Another document. */
export function ReferenceControl({ field, value, id, controlContext }: ControlProps) {
  const given = typeof value === "string" ? value : "";
  const document = controlContext.referenced.documents.get(given);
  return (
    <div
      class="reference-box"
      data-reference="document"
      data-collection={targetSlugs(field.options).join(",") || undefined}
    >
      <input type="hidden" value={given} />
      <div class="reference-shown" data-shown hidden={given === ""}>
        {document?.image === undefined
          ? <img alt="" hidden />
          : <img src={thumbnailUrl(document.image, 320)} alt="" />}
        <div>
          <p data-title>
            {document?.hidden
              ? document.title
              : document
              ? <a href={documentHref(given, controlContext)} dir="auto">{document.title}</a>
              : given && "This document was deleted"}
          </p>
          <p class="muted small" data-note>
            {document ? `${document.collection} · ${STATUS_LABELS[document.status]}` : given}
          </p>
        </div>
      </div>
      <ReferenceButtons
        what="a document"
        id={id}
        filled={given !== ""}
        readOnly={controlContext.readOnly}
      />
    </div>
  );
}

function ReferenceButtons(
  { what, id, filled, readOnly }: { what: string; id: string; filled: boolean; readOnly: boolean },
) {
  if (readOnly) return null;
  return (
    <div class="row">
      <Button size="small" id={id} data-choose>
        {filled ? "Change" : `Choose ${what}`}
      </Button>
      <Button variant="quiet" size="small" data-clear hidden={!filled} icon="close">
        Remove
      </Button>
    </div>
  );
}
