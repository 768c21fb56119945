/**
 * What live editing asks of a form.
 *
 * @module
 */
import type { Value } from "../control_values.ts";

/** The fields of a document, as they are shown. */
export interface LiveFields {
  names(): string[];
  /** The value as it is shown; throws a `ControlFault` while there is none. */
  read(name: string): Value;
  /** What {@linkcode read} would give if this were shown. */
  shape(name: string, value: Value): Value;
  write(name: string, value: Value): void;
}
