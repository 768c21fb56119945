/** An invalid call; the usage is printed. */
export class UsageError extends Error {
  override name = "UsageError";
}
