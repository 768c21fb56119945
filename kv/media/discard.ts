/**
 * Objects of an upload that no medium uses.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { mediaPath } from "../objects/paths.ts";
import type { Upload } from "./upload.ts";

/** The objects of an upload that a medium may have taken over. */
export type DiscardedObjects = Pick<Upload, "object"> & { credentials?: { object: string } };

/** Removes the objects of an upload but those that a medium has taken; what fails here is left to the sweep. */
export async function discard(
  context: Context,
  upload: DiscardedObjects,
  taken: DiscardedObjects | null = null,
): Promise<void> {
  const used = [taken?.object, taken?.credentials?.object];
  const objects = [upload.object, upload.credentials?.object]
    .filter((object) => object !== undefined && !used.includes(object)) as string[];
  for (const object of objects) {
    try {
      await context.objects.delete(mediaPath(object));
    } catch (error) {
      context.log.warn("an upload is left to the sweep", { object, reason: String(error) });
    }
  }
}
