/**
 * Parses the arguments of a command: positional ones, and options.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { UsageError } from "./usage_error.ts";

/** Options by name: whether one is given, or its text. */
export type OptionKinds = Readonly<Record<string, "boolean" | "string">>;

/** The parsed arguments. */
export interface ParsedOptions {
  positionals: string[];
  flags: Record<string, boolean>;
  texts: Record<string, string | undefined>;
}

/** Parses arguments; one that is not known is a {@linkcode UsageError}. */
export function parseOptions(args: readonly string[], kinds: OptionKinds): ParsedOptions {
  try {
    const options = Object.fromEntries(
      Object.entries(kinds).map(([name, type]) => [name, { type }]),
    );
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const given: ParsedOptions = { positionals, flags: {}, texts: {} };
    for (const [name, kind] of Object.entries(kinds)) {
      if (kind === "boolean") given.flags[name] = values[name] === true;
      else given.texts[name] = values[name] as string | undefined;
    }
    return given;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
