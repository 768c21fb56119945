/**
 * What the page has loaded already and the islands of transfers use; passed in, so that other pages load no
 * additional files.
 *
 * @module
 */
import type { controlAt, readFields } from "../document/control_values.ts";
import type { startRows } from "../document/rows.ts";
import type { allowLeaving, guard } from "../forms/leave_guard.ts";
import type { call } from "../page/call.ts";
import type { all, dataOf, embedded, get, make } from "../page/elements.ts";
import type { clearFailures, showFailures } from "../page/failures.ts";
import type { toastLater } from "../page/toast.ts";

/** The functions. */
export interface TransferTools {
  all: typeof all;
  allowLeaving: typeof allowLeaving;
  call: typeof call;
  clearFailures: typeof clearFailures;
  controlAt: typeof controlAt;
  dataOf: typeof dataOf;
  embedded: typeof embedded;
  get: typeof get;
  guard: typeof guard;
  make: typeof make;
  readFields: typeof readFields;
  showFailures: typeof showFailures;
  startRows: typeof startRows;
  toastLater: typeof toastLater;
}
