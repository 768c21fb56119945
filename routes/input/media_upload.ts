/**
 * A form with a file: its bytes are streamed to the object store; its fields describe the file.
 *
 * @module
 */
import { z } from "zod";
import type { Context } from "../../kv/context.ts";
import { MEDIA_BYTES_MAX } from "../../kv/limits/media.ts";
import { discard } from "../../kv/media/discard.ts";
import { type StoreOptions, storeUpload, type Upload } from "../../kv/media/upload.ts";
import { AltText } from "../../kv/model/entities/media.ts";
import { MediaFolder } from "../../kv/model/entities/media_folder.ts";
import { mediaFilename } from "../../kv/model/values/media_name.ts";
import { parseBody } from "../../kv/model/input/zod_details.ts";
import { type Detail, invalid, Refusal } from "../../kv/refusals.ts";
import { type MultipartField, readMultipart } from "./multipart.ts";

const UploadFields = z.strictObject({
  alt: AltText.default(""),
  private: z.enum(["true", "false"]).optional(),
});
const PlacedFields = UploadFields.extend({ folder: MediaFolder.optional() });

const FILE_MISSING: Detail = { field: "file", code: "REQUIRED", message: "A file is required" };

/** A parsed form with a file. */
export interface Received {
  upload: Upload;
  filename: string;
  alt: string;
  /** The folder of the file; absent for none. */
  folder?: string;
  /** Set when its address has to be signed. */
  private?: true;
}

/** Options of a form: how its file is stored, and whether it can name a folder. */
export interface ReceiveOptions extends StoreOptions {
  placed?: boolean;
}

/** Streams the file of a form to the object store. If it fails, nothing remains. */
export async function receiveMedia(
  context: Context,
  request: Request,
  { placed = false, ...store }: ReceiveOptions,
): Promise<Received> {
  let received: { upload: Upload; filename: string } | undefined;
  let fields: z.infer<typeof PlacedFields>;
  try {
    const parts = await readMultipart(request, {
      bytesMax: MEDIA_BYTES_MAX,
      fieldsMax: 10,
      now: context.now,
      onFile: async ({ name, filename, stream }) => {
        if (name !== "file") throw wrongPart(name);
        // Checked first, so that a refused name stores nothing.
        const checkedName = mediaFilename(filename);
        received = { upload: await storeUpload(context, stream, store), filename: checkedName };
      },
    });
    fields = parseBody(
      placed ? PlacedFields : UploadFields,
      fieldsOf(parts),
      received === undefined ? [FILE_MISSING] : [],
    );
  } catch (error) {
    if (received !== undefined) await discard(context, received.upload);
    throw error;
  }
  const { alt, folder = "" } = fields;
  return {
    ...received!,
    alt,
    ...(folder !== "" && { folder }),
    ...(fields.private === "true" && { private: true as const }),
  };
}

/** The form must have exactly one file. */
function wrongPart(field: string): Refusal {
  const unknown: Detail = { field, code: "UNKNOWN_KEY", message: "Unknown form field" };
  return new Refusal("VALIDATION_FAILED", { details: [unknown, FILE_MISSING] });
}

function fieldsOf(parts: MultipartField[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const { name, value } of parts) {
    if (name === "file") throw invalid("file", "INVALID_TYPE", "Must be a file with a file name");
    if (name in fields) {
      throw new Refusal("BODY_INVALID", { about: "multipart: a form field is given twice" });
    }
    fields[name] = value;
  }
  return fields;
}
