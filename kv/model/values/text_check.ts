/**
 * Checks of text and its length: characters are Unicode code points, as everywhere on the wire.
 *
 * @module
 */
import { z } from "zod";

/** Number of code points. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    count--;
    at++;
  }
  return count;
}

/** Whether `text` has more than `max` code points; cheap for text far from the limit. */
export function longerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > max * 2 || codePoints(text) > max;
}

/** The first `max` code points. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Whether `text` is text at all: lone surrogates cannot be encoded, NUL breaks programs written in C. */
export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** A zod string with limits in code points that refuses what is no text. */
export function boundedText(min: number, max: number): z.ZodString {
  return z.string().check((context) => {
    const text = context.value;
    const base = { input: text, origin: "string", inclusive: true } as const;
    if (!isText(text)) {
      context.issues.push({ code: "invalid_type", expected: "string", input: text });
    }
    if (longerThan(text, max)) {
      const message = `At most ${max} characters`;
      context.issues.push({ code: "too_big", maximum: max, message, ...base });
    } else if (min > 0 && codePoints(text) < min) {
      const message = `At least ${min} character${min === 1 ? "" : "s"}`;
      context.issues.push({ code: "too_small", minimum: min, message, ...base });
    }
  });
}

/** A hostile key, shortened for a path in an answer. */
export function shownKey(key: string): string {
  return cutText(key.toWellFormed(), 100);
}

/** A text that has something besides white space in it, on one line. */
export function lineText(max: number) {
  return boundedText(1, max).regex(/^[^\p{Cc}\u2028\u2029]*$/u, "Must be one line")
    .regex(/\S/, "Must not be empty").transform((text) => text.trim());
}

/** A name on one line: control characters would steer logs and terminals that print it. */
export function nameText(max: number): z.ZodString {
  return z.string().trim().min(1).max(max).regex(/^[^\p{Cc}\u2028\u2029]*$/u, "Must be one line");
}
