/**
 * Members of stored states. One schema says both which type a state has and what is checked before a
 * backup's state is restored. The check is the weaker one: states that older versions wrote stay readable.
 *
 * @module
 */
import { z } from "zod";

/** A time in epoch seconds. */
export const time = z.int().nonnegative();

/** A SHA-256 digest in lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** A member that older states may lack or have in another form. */
export function unchecked<T>(): z.ZodType<T> {
  return z.unknown().optional() as z.ZodType<T>;
}

/** A member whose check allows more than its type, as names that the service no longer knows. */
export function checkedAs<T>(schema: z.ZodType): z.ZodType<T> {
  return schema as z.ZodType<T>;
}

/** A JSON object whose values have a type, unchecked. */
export function recordOf<T>(): z.ZodType<T> {
  return checkedAs<T>(z.record(z.string(), z.unknown()));
}
