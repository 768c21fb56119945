/** What was asked for makes no sense; the usage is shown. */
export class UsageError extends Error {
  override name = "UsageError";
}
