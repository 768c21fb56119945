/**
 * The overview: what waits, what was changed, and what a new site still needs.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Stored } from "../../../kv/documents/write.ts";
import { type Status, STATUSES } from "../../../kv/model/document.ts";
import type { Deps } from "../../deps.ts";
import { Icon } from "../components/icon.tsx";
import { StatusBadge } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";

/** Documents that each list of the overview shows. */
const SHOWN = 8;

/** `/`. */
export function homePages(deps: Deps): Hono<StudioEnv> {
  return new Hono<StudioEnv>().get("/", async (c) => {
    const visit = c.get("visit");
    const overview = await findOverview(deps, visit);
    const welcome = c.req.query("welcome") !== undefined;
    const facts = { title: welcome ? `Welcome, ${visit.user.displayName}` : "Overview" };
    return await page(c, facts, <Overview visit={visit} overview={overview} />);
  });
}

interface Overview {
  counts: Record<Status, number>;
  recent: Stored[];
  scheduled: Stored[];
}

async function findOverview(deps: Deps, visit: Visit): Promise<Overview> {
  const { content, reader } = deps;
  const { collections } = visit.schema;
  const list = async (statuses: readonly Status[], by: "updatedAt" | "publishAt") => {
    if (!visit.can("documents.read")) return [];
    const sort = [{ by, descending: by === "updatedAt" }];
    const query = { collections, statuses, filters: [], sort, offset: 0, limit: SHOWN };
    return await reader.ofPage(await content.index.list(query));
  };
  const [counts, recent, scheduled] = await Promise.all([
    content.index.countByStatus(collections),
    list(STATUSES.filter((status) => status !== "trashed"), "updatedAt"),
    list(["scheduled"], "publishAt"),
  ]);
  return { counts, recent, scheduled };
}

function Overview({ visit, overview }: { visit: Visit; overview: Overview }) {
  const { counts, recent, scheduled } = overview;
  const isNew = recent.length === 0;
  return (
    <div class="stack">
      {visit.can("jobs.read") && <FailedJobs />}
      {isNew && <FirstSteps visit={visit} />}
      {visit.can("documents.read") && !isNew && <Counts counts={counts} />}
      {!isNew && (
        <div class="columns">
          <DocumentList
            heading="Recently changed"
            documents={recent}
            visit={visit}
            at={({ state }) => state.updatedAt}
            empty="Nothing has been written yet."
          />
          <DocumentList
            heading="Scheduled"
            documents={scheduled}
            visit={visit}
            at={({ state }) => state.publishAt}
            empty="Nothing waits to be published. Open a draft and choose “Schedule …” to set a time."
          />
        </div>
      )}
    </div>
  );
}

function Counts({ counts }: { counts: Record<Status, number> }) {
  const shown: [Status, string][] = [
    ["draft", "Drafts"],
    ["scheduled", "Scheduled"],
    ["published", "Published"],
    ["archived", "Archived"],
  ];
  return (
    <ul class="tiles">
      {shown.map(([status, label]) => (
        <li>
          <a class="tile" href={`/admin/content?status=${status}`}>
            <strong>{counts[status].toLocaleString("en")}</strong>
            <span>{label}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function DocumentList(
  { heading, documents, visit, at, empty }: {
    heading: string;
    documents: Stored[];
    visit: Visit;
    at: (stored: Stored) => number | null;
    empty: string;
  },
) {
  return (
    <section class="card">
      <h2>{heading}</h2>
      {documents.length === 0 && <p class="muted">{empty}</p>}
      <ul class="rows">
        {documents.map((stored) => (
          <li>
            <a href={`/admin/documents/${stored.state.id}`}>{stored.state.title || "Untitled"}</a>
            <span class="muted">{visit.schema.byId.get(stored.state.collectionId)?.name}</span>
            <StatusBadge status={stored.state.status} />
            <span class="muted when">
              {at(stored) !== null && <Time at={at(stored)!} clock={visit} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Filled by the browser's code: finding failed jobs means walking through all of them. */
function FailedJobs() {
  return (
    <section class="alert bad" data-island="failed-jobs" hidden>
      <p data-words></p>
      <a href="/admin/jobs?state=failed">Look at them</a>
    </section>
  );
}

function FirstSteps({ visit }: { visit: Visit }) {
  const collection = visit.schema.collections[0];
  const steps: [done: boolean, title: string, text: string, href: string, allowed: boolean][] = [
    [
      collection !== undefined,
      "Define a collection",
      "Say what kind of things you write about: posts, pages, recipes.",
      "/admin/collections",
      visit.can("collections.write"),
    ],
    [
      false,
      "Write the first document",
      "It is saved while you type, and public when you say so.",
      collection === undefined ? "/admin/content" : `/admin/content/${collection.slug}/new`,
      visit.can("documents.write") && collection !== undefined,
    ],
    [
      false,
      "Read it from your own code",
      "Mint an API token and fetch what you wrote as JSON.",
      "/admin/tokens",
      visit.can("tokens.manage"),
    ],
  ];
  return (
    <section class="card">
      <h2>Three steps to a site</h2>
      <ol class="steps">
        {steps.map(([done, title, text, href, allowed]) => (
          <li class={done ? "done" : ""}>
            <span class="step-mark">{done && <Icon name="check" />}</span>
            <div>
              {allowed && !done ? <a href={href}>{title}</a> : <strong>{title}</strong>}
              <p class="muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
