import type { z } from "zod";

/** The first issue of a value that does not fit its schema: the path to it, and what is wrong there. */
export function firstIssue({ issues: [issue] }: z.ZodError): { path: string; message: string } {
  return { path: issue?.path.join(".") ?? "", message: issue?.message ?? "" };
}
