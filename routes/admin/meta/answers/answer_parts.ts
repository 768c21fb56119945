/**
 * Parts that several answers of the admin API share.
 *
 * @module
 */
import { z } from "zod";
import { ULID_SCHEMA } from "../../../../kv/model/input/wire_schemas.ts";
import { REFUSALS } from "../../../../kv/refusals.ts";

/** Text. */
export const text = z.string();
/** Text or null. */
export const textOrNull = text.nullable();
/** A ULID. */
export const id = z.string().regex(new RegExp(ULID_SCHEMA.pattern as string));
/** A ULID or null. */
export const idOrNull = id.nullable();
/** A moment. */
export const time = z.int().meta({ description: "Unix epoch seconds." });
/** A moment or null. */
export const timeOrNull = time.nullable();
/** A number of things. */
export const count = z.int().min(0);
/** A list of texts. */
export const texts = z.array(text);
/** An object whose keys follow the collection, the settings or the package that it belongs to. */
export const openObject = z.record(z.string(), z.unknown());

/** When an entity was created and last changed. */
export const times = { createdAt: time, updatedAt: time };

const Detail = z.object({ field: text, code: text, message: text });

/** Answers that belong to no area. */
export const COMMON_ANSWERS = {
  Problem: z.object({
    error: z.object({
      code: z.enum(Object.keys(REFUSALS) as [string, ...string[]]),
      message: text,
      details: z.array(Detail).optional(),
    }),
  }),
  PageMeta: z.object({ page: count, perPage: count, total: count }),
  Empty: z.object({}),
  StartedJob: z.object({ jobId: id }),
  QueuedJob: z.object({ status: z.literal("queued"), jobId: id }),
  Address: z.object({ url: text }),
  Description: openObject.meta({ description: "OpenAPI 3.1." }),
};
