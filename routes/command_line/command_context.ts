/**
 * The context of commands.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { Finding } from "../../kv/doctor/finding.ts";
import type { People } from "../../kv/people/people.ts";
import type { SearchIndex } from "../../kv/search/search_index.ts";
import type { Runner } from "../../jobs/runner/runner.ts";

/** The store, a runner for what takes longer, and where lines go. */
export interface CommandContext {
  content: Content;
  people: People;
  search: SearchIndex;
  runner: Runner;
  /** The URL of the site, without a trailing slash. */
  siteUrl: () => Promise<string>;
  print: (line: string) => void;
  /** Findings of the doctor outside the store. */
  checkConfiguration?: () => AsyncIterable<Finding>;
}

/** Runs a command with what follows its name; answers its exit code. */
export type Command = (context: CommandContext, args: readonly string[]) => Promise<number>;
