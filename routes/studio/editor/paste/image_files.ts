/**
 * Images that are pasted or dropped as files: uploaded, then put into the text.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { EditorView } from "prosemirror-view";
import { TextSelection } from "prosemirror-state";
import { PASTED_IMAGES_MAX } from "../../../input/limits.ts";
import { toast, toastUntil } from "../../browser/page/toast.ts";
import { uploadImage } from "./image_uploads.ts";
import { insertObject } from "../objects/object_commands.ts";

/** The images of a clipboard or a drop; none where words come with them, which then are meant. */
export function imagesOf(transfer: DataTransfer | null): File[] {
  if (transfer === null || transfer.getData("text/plain") !== "") return [];
  return [...transfer.files].filter(({ type }) => type.startsWith("image/")).slice(
    0,
    PASTED_IMAGES_MAX,
  );
}

/** Uploads images one after the other and inserts each at the cursor. */
export async function insertImages(view: EditorView, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const done = toastUntil(`Uploading ${file.name} …`);
    const uploaded = await uploadImage(file);
    done();
    if (view.isDestroyed) return;
    if ("reason" in uploaded) {
      toast(`${file.name}: ${uploaded.reason}`, { bad: true });
      continue;
    }
    const { medium, isNew } = uploaded;
    insertObject({ _type: "image", media: medium.id })(view.state, view.dispatch);
    const was = isNew ? "" : `, as ${medium.filename} from the library`;
    toast(`${file.name} is in the text${was}`);
  }
}

/** Puts the cursor where something is dropped. */
export function moveToDrop(view: EditorView, event: DragEvent): void {
  const found = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (found === null) return;
  const near = TextSelection.near(view.state.doc.resolve(found.pos));
  view.dispatch(view.state.tr.setSelection(near));
}
