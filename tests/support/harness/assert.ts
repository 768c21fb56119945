/**
 * The part of `@std/assert` that the tests use, over `node:assert`. JSR is not reachable everywhere
 * this is built; where it is, point the import map's `@std/assert` at `jsr:@std/assert` instead.
 *
 * @module
 */
import nodeAssert from "node:assert/strict";

/** Fails unless `value` is truthy. */
export function assert(value: unknown, message = "Expected a truthy value"): asserts value {
  nodeAssert.ok(value, message);
}

/** Fails unless both are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.deepStrictEqual(actual, expected, message);
}

/** Fails when both are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.notDeepStrictEqual(actual, expected, message);
}

/** How much of a text a message shows, in characters: a page in full would hide what failed after it. */
const SHOWN = 2000;

function shown(text: string): string {
  if (text.length <= SHOWN) return JSON.stringify(text);
  const start = JSON.stringify(text.slice(0, SHOWN));
  return `${start} (the first ${SHOWN} of ${text.length} characters)`;
}

/** Fails unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    nodeAssert.fail(
      message ?? `Expected ${shown(actual)} to contain ${JSON.stringify(expected)}`,
    );
  }
}

/** Fails unless `actual` matches `expected`. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  nodeAssert.match(actual, expected, message);
}

// deno-lint-ignore no-explicit-any
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

function checkError<E extends Error>(error: unknown, kind?: ErrorClass<E>, includes?: string): E {
  if (kind !== undefined && !(error instanceof kind)) {
    nodeAssert.fail(`Expected ${kind.name}, got ${error}`);
  }
  if (includes !== undefined) assertStringIncludes((error as Error).message, includes);
  return error as E;
}

/** Fails unless `run` throws; returns the error. */
export function assertThrows<E extends Error = Error>(
  run: () => unknown,
  kind?: ErrorClass<E>,
  includes?: string,
): E {
  try {
    run();
  } catch (error) {
    return checkError(error, kind, includes);
  }
  return nodeAssert.fail("Expected the function to throw");
}

/** Fails unless `run` rejects; returns the error. */
export async function assertRejects<E extends Error = Error>(
  run: () => Promise<unknown>,
  kind?: ErrorClass<E>,
  includes?: string,
): Promise<E> {
  try {
    await run();
  } catch (error) {
    return checkError(error, kind, includes);
  }
  return nodeAssert.fail("Expected the promise to reject");
}
