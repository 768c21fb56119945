/**
 * A tool of AI agents.
 *
 * @module
 */
import type { z } from "zod";
import type { Action } from "../../kv/model/entities/scope.ts";
import type { ToolContext } from "./document_changes.ts";
import type { InnerAnswer } from "./inner_api.ts";

/** A tool: its input, purpose and required scope. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodRawShape;
  /** The schema of its result; members that depend on the collection are open. */
  output: z.ZodObject;
  /**
   * The action that the token's scopes must allow in some collection or on media; null if every
   * token may use the tool.
   */
  action: Action | "media:write" | null;
  readOnly: boolean;
  /** Whether its result can be in a language. */
  inLanguage?: true;
  /** Whether it exists only where the content has several languages. */
  needsLanguages?: true;
  // deno-lint-ignore no-explicit-any
  run(around: ToolContext, input: any): Promise<InnerAnswer>;
}
