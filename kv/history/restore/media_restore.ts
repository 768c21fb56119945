/**
 * Restoring media: what is said of them, and whether they are there. Their bytes are kept as long as some
 * version needs them.
 *
 * @module
 */
import { refuseDuringImport } from "../../versioning/import_lock.ts";
import { mediaPath } from "../../objects/paths.ts";
import { Refusal } from "../../refusals.ts";
import { requestReferrerRendering } from "../../pages/rendering_requests.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a medium back, if its bytes are still there. */
export const stageMediaRestore: StageRestore<"media_metadata"> = async (
  transaction,
  { content },
  { id, state },
  options,
) => {
  await refuseDuringImport(transaction);
  const head = await transaction.head("media_metadata", id);
  const medium = state;
  if (medium !== null && medium.deletedAt === null) {
    const found = await content.context.objects.head(mediaPath(medium.object));
    if (found === null) {
      throw new Refusal("CONFLICT", { about: "the file is no longer stored" });
    }
  }
  transaction.save("media_metadata", id, head, medium, options);
  requestReferrerRendering(transaction.operation, transaction.context, id);
};
