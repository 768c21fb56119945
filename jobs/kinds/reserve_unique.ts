/**
 * RESERVE_UNIQUE: makes a field unique whose collection has documents, after a crash or for as long as it
 * takes. The request that created it may carry it out at the same time.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import {
  abandonUnique,
  type BuildingId,
  finishUnique,
  openReservations,
} from "../../kv/schema/unique_building.ts";
import { reservePortion, wipeReservations } from "../../kv/schema/unique_reservations.ts";
import type { CursorOf } from "../runner/job_cursors.ts";
import { again, giveUp, type JobKind, jobKind, next, type Work } from "../runner/job_kind.ts";

/** The kind of job that makes a field unique. */
export function reserveUniqueKind(content: Content): JobKind<"RESERVE_UNIQUE"> {
  return jobKind("RESERVE_UNIQUE", {
    wipe: async (work) => {
      if (!await wipeReservations(content, idOf(work))) return again(null);
      await openReservations(content, actorOf(work), idOf(work));
      return next();
    },
    reserve: async (work) => {
      const { after, done } = work.cursor ?? START;
      const portion = await reservePortion(content, idOf(work), after);
      if (portion.kind === "gone") return next({ documents: done });
      if (portion.kind === "duplicate") {
        await abandonUnique(content, actorOf(work), idOf(work));
        return giveUp("Two documents have the same value");
      }
      const reserved = done + portion.done;
      if (portion.kind === "done") return next({ documents: reserved });
      return again({ after: portion.after, done: reserved }, { done: reserved, total: reserved });
    },
    finish: async (work) => {
      await finishUnique(content, actorOf(work), idOf(work));
      return next();
    },
  });
}

const START: CursorOf<"RESERVE_UNIQUE", "reserve"> = { after: "start", done: 0 };

function idOf({ jobId, payload }: Work<"RESERVE_UNIQUE">): BuildingId {
  return { jobId, collectionId: payload.collectionId, fieldId: payload.fieldId };
}

/** The user who requested it is the author of the versions. */
function actorOf({ payload }: Work<"RESERVE_UNIQUE">) {
  return { userId: payload.userId };
}
