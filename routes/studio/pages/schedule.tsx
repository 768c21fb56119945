/**
 * What goes public when, day by day.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Stored } from "../../../kv/documents/write.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { exactTime } from "../components/time.tsx";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";

/** Scheduled documents that are shown. */
const SHOWN_MAX = 500;

/** `/schedule`. */
export function schedulePages({ content, reader }: Deps): Hono<StudioEnv> {
  return new Hono<StudioEnv>().get("/schedule", may("documents.read"), async (c) => {
    const visit = c.get("visit");
    const found = await content.index.list({
      collections: visit.schema.collections,
      statuses: ["scheduled"],
      filters: [],
      sort: [{ by: "publishAt", descending: false }],
      offset: 0,
      limit: SHOWN_MAX,
    });
    const days = byDay(await reader.ofPage(found), visit.timezone);
    const facts = { title: "Schedule", intro: `What goes public when (${visit.timezone}).` };
    return await page(
      c,
      facts,
      days.size === 0
        ? (
          <div class="empty">
            <h2>Nothing is scheduled</h2>
            <p>Open a draft, choose “Publish …” and then “At a time”.</p>
          </div>
        )
        : (
          <div class="stack">
            {[...days].map(([day, documents]) => (
              <section class="card">
                <h2>{day}</h2>
                <ul class="rows">
                  {documents.map((stored) => <Entry stored={stored} visit={visit} />)}
                </ul>
              </section>
            ))}
          </div>
        ),
    );
  });
}

function Entry({ stored: { state }, visit }: { stored: Stored; visit: Visit }) {
  return (
    <li>
      <a href={`/admin/documents/${state.id}`}>{state.title || "Untitled"}</a>
      <span class="muted">{visit.schema.byId.get(state.collectionId)?.name}</span>
      <span class="number">
        {state.publishAt === null ? "–" : exactTime(state.publishAt, visit.timezone).split(", ")[1]}
      </span>
    </li>
  );
}

function byDay(documents: Stored[], timeZone: string): Map<string, Stored[]> {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone });
  const days = new Map<string, Stored[]>();
  for (const stored of documents) {
    const { publishAt } = stored.state;
    const day = publishAt === null ? "No time was set" : format.format(publishAt * 1000);
    days.set(day, [...days.get(day) ?? [], stored]);
  }
  return days;
}
