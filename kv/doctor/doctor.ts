/**
 * Examines a whole store: what is derived must follow from what it is derived from. It reads everything
 * once, while the service runs, and changes nothing unless a finding is repaired.
 *
 * @module
 */
import { checkDocuments, type SeenDocument } from "./documents_check.ts";
import type { DoctorOptions, Finding } from "./finding.ts";
import { checkHistories } from "./histories_check.ts";
import { checkLists } from "./lists_check.ts";
import { checkObjects } from "./objects_check.ts";
import { checkReservations } from "./reservations_check.ts";
import { checkLanguagesSearch, checkSearch } from "./search_check.ts";

/** Every finding, as it is found. */
export async function* examine(options: DoctorOptions): AsyncGenerator<Finding> {
  const seen = new Map<string, SeenDocument>();
  yield* checkDocuments(options, seen);
  yield* checkHistories(options);
  yield* checkReservations(options);
  yield* checkLists(options, seen);
  yield* checkSearch(options, seen);
  yield* checkLanguagesSearch(options, seen);
  yield* checkObjects(options);
}
