/**
 * What was changed last, everywhere, and by whom; each entry leads to its history.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { type LiveRow, type VersionRow, versionState } from "../../../kv/entities.ts";
import { livePrefix, versionKey } from "../../../kv/keys.ts";
import { ENTITY_TYPES, type EntityType, isEntityType } from "../../../kv/model/entity.ts";
import { STATUSES } from "../../../kv/model/document.ts";
import { READ_PERMISSIONS } from "../../../kv/model/permission.ts";
import { may } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { Time } from "../components/time.tsx";
import { ListState } from "../list_state.ts";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";
import { nameOf } from "./versions.tsx";

/** Entries that are shown. */
const SHOWN_MAX = 60;

interface Entry {
  type: EntityType;
  id: string;
  n: number;
  at: number;
}

/** `/activity`. */
export function activityPages(deps: Deps): Hono<StudioEnv> {
  return new Hono<StudioEnv>().get("/activity", may("versions.read"), async (c) => {
    const visit = c.get("visit");
    const state = new ListState(visit.url);
    const seen = ENTITY_TYPES.filter((type) =>
      visit.can(READ_PERMISSIONS[type]) && type !== "permission"
    );
    const wanted = c.req.query("type") ?? "";
    const types = isEntityType(wanted) && seen.includes(wanted) ? [wanted] : seen;
    const found = (await Promise.all(types.map((type) => newestOf(deps, type, visit)))).flat();
    const entries = found.sort(newestFirst).slice(0, SHOWN_MAX);
    const facts = { title: "Activity", intro: "What was changed last, and by whom." };
    return await page(
      c,
      facts,
      <>
        <nav class="tabs" aria-label="By kind">
          {[null, ...seen].map((type) => (
            <a
              href={state.with({ type })}
              aria-current={(type ?? "") === wanted ? "page" : undefined}
            >
              {type === null ? "All" : words(type)}
            </a>
          ))}
        </nav>
        <section class="card">
          <ul class="rows">
            {(await described(deps, entries)).map(({ entry, name, summary, by }) => (
              <li>
                <a href={`/admin/versions/${entry.type}/${entry.id}`}>{name}</a>
                <span class="badge">{words(entry.type)}</span>
                <span class="muted">
                  <Time at={entry.at} clock={visit} />
                </span>
                <span class="muted when">
                  {`${summary ?? (entry.n === 1 ? "Created" : "Changed")} · ${by}`}
                </span>
              </li>
            ))}
          </ul>
          {entries.length === 0 && <p class="muted">Nothing yet.</p>}
        </section>
      </>,
    );
  });
}

/** The newest version of each entity of a type; of documents only of those that changed last. */
async function newestOf(
  { content, reader }: Deps,
  type: EntityType,
  visit: Visit,
): Promise<Entry[]> {
  if (type === "document") {
    const listed = await reader.ofPage(
      await content.index.list({
        collections: visit.schema.collections,
        statuses: STATUSES,
        filters: [],
        sort: [{ by: "updatedAt", descending: true }],
        offset: 0,
        limit: SHOWN_MAX,
      }),
    );
    return listed.map(({ state, n }) => ({ type, id: state.id, n, at: state.updatedAt }));
  }
  const entries: Entry[] = [];
  for await (
    const { key, value } of content.context.store.list<LiveRow>({ prefix: livePrefix(type) })
  ) {
    if (value !== null) entries.push({ type, id: key[2] as string, n: value.n, at: value.at });
  }
  return entries.sort(newestFirst).slice(0, SHOWN_MAX);
}

function newestFirst(a: Entry, b: Entry): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1);
}

async function described({ content: { context }, people }: Deps, entries: Entry[]) {
  const keys = entries.map(({ type, id, n }) => versionKey(type, id, n));
  const rows = await context.store.getMany(keys);
  const { users } = await people.access.current();
  return await Promise.all(entries.map(async (entry, place) => {
    const row = rows[place]!.value as VersionRow | null;
    const state = row === null ? null : await versionState(context, entry.type, entry.id, row);
    const by = row?.by ?? null;
    return {
      entry,
      name: nameOf(entry.type, state),
      summary: row?.summary ?? (row?.gone ? "Deleted" : null),
      by: by === null ? "Unattended" : users.get(by)?.displayName ?? "Somebody who is gone",
    };
  }));
}

function words(type: EntityType): string {
  const text = type.replaceAll("_", " ");
  return text[0]!.toUpperCase() + text.slice(1);
}
