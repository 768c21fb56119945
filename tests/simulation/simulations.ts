/**
 * Every simulation whose run a seed determines.
 *
 * @module
 */
import { simulateBackups } from "./backups.ts";
import { simulateChanges } from "./changes.ts";
import { simulateColdAndWarm } from "./cold_and_warm.ts";
import { simulateDocuments } from "./documents.ts";
import { simulateHistory } from "./history/history.ts";
import { simulateIdempotency } from "./idempotency.ts";
import { simulateImportEdits } from "./live/import_edits.ts";
import { simulateImportSweep } from "./import_sweep.ts";
import { simulateLive } from "./live/live.ts";
import { simulateLiveLanguages } from "./live/live_languages.ts";
import { simulateNarrowing } from "./live/narrowing.ts";
import { simulateNights } from "./nights.ts";
import { simulateOptimisticWrites } from "./optimistic.ts";
import { simulateRemovals } from "./site/removals.ts";
import { simulateReservations } from "./reservations.ts";
import { simulateSessions } from "./live/live_sessions.ts";
import { simulateSite } from "./site/site.ts";
import { simulateSiteLanguages } from "./site/site_languages.ts";
import { simulateWithdrawals } from "./site/withdrawals.ts";

/** A run that a seed determines; throws when something that must hold does not. */
export interface Simulation {
  name: string;
  /** Seeds in one round of a soak: about as much work for each. */
  seeds: number;
  run: (seed: number) => Promise<unknown>;
}

export const SIMULATIONS: Simulation[] = [
  { name: "back-ups, migrations and seeds under deaths", seeds: 2, run: simulateBackups },
  { name: "imports beside sweeps", seeds: 40, run: simulateImportSweep },
  { name: "imports beside people who type", seeds: 10, run: simulateImportEdits },
  { name: "documents under faults", seeds: 50, run: simulateDocuments },
  { name: "titles and unique values from many sides", seeds: 30, run: simulateReservations },
  { name: "live editing under faults", seeds: 50, run: simulateLive },
  { name: "live editing in several languages", seeds: 50, run: simulateLiveLanguages },
  { name: "the browser's side of live editing", seeds: 50, run: simulateSessions },
  { name: "definitions narrowed while people type", seeds: 20, run: simulateNarrowing },
  { name: "nights without a machine", seeds: 10, run: simulateNights },
  { name: "many documents leave the public", seeds: 1, run: simulateRemovals },
  { name: "history over HTTP", seeds: 4, run: simulateHistory },
  { name: "pages and search of a site", seeds: 3, run: simulateSite },
  { name: "pages and search in several languages", seeds: 10, run: simulateSiteLanguages },
  { name: "what leaves the public while it is shown", seeds: 10, run: simulateWithdrawals },
  { name: "writes sent again under their keys", seeds: 20, run: simulateIdempotency },
  { name: "writes that begin without a read", seeds: 20, run: simulateOptimisticWrites },
  { name: "processes that know more or less", seeds: 5, run: simulateColdAndWarm },
  { name: "mirrors by the change feed", seeds: 2, run: simulateChanges },
];
