/**
 * The form, as live editing needs it.
 *
 * @module
 */
import type { Value } from "../control_values.ts";

/** The fields of a document with their shown values. */
export interface LiveFields {
  names(): string[];
  /** The shown value. @throws {ControlFault} The control's text is not a valid value. */
  read(name: string): Value;
  /** The value that {@linkcode read} would return if this one were shown. */
  shape(name: string, value: Value): Value;
  write(name: string, value: Value): void;
}
