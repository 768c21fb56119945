/**
 * `status`: which statuses a list of the headless API shows, among those that may be seen.
 *
 * @module
 */
import type { Status } from "../../kv/model/entities/document.ts";
import { invalid } from "../../kv/refusals.ts";

/** Statuses that a list can be narrowed to: documents in the trash are in none. */
export const FILTERED_STATUSES: readonly Status[] = ["draft", "published", "scheduled", "archived"];

/** The statuses that the query asks for among those that may be seen. */
export function parseStatus(
  values: readonly string[],
  visible: readonly Status[],
): readonly Status[] {
  if (values.length === 0) return visible;
  const status = FILTERED_STATUSES.find((status) => status === values[0]);
  if (status === undefined || values.length > 1) {
    const message = `Must be one of ${FILTERED_STATUSES.join(", ")}`;
    throw invalid("status", "INVALID_FILTER_VALUE", message);
  }
  return visible.includes(status) ? [status] : [];
}
