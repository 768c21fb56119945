/**
 * Time travel: the whole site as it was at an instant, what going back would change, and going back.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { seconds } from "../../../kv/context.ts";
import { ENTITY_TYPES, type EntityType } from "../../../kv/model/entity.ts";
import {
  type Sample,
  type SiteAt,
  siteAt,
  type SiteDiff,
  siteDiff,
} from "../../../kv/history/state_at.ts";
import { Timeline } from "../../../kv/history/timeline/timeline.ts";
import { administratorOnly } from "../../admin/admin_env.ts";
import type { Deps } from "../../deps.ts";
import { Icon } from "../components/icon.tsx";
import { exactTime } from "../components/time.tsx";
import { page } from "../page.tsx";
import type { StudioEnv, Visit } from "../studio_env.ts";

const JUMPS: [label: string, seconds: number][] = [
  ["10 minutes ago", 600],
  ["An hour ago", 3_600],
  ["Yesterday", 86_400],
  ["A week ago", 604_800],
  ["30 days ago", 2_592_000],
];

/** `/time-travel`. */
export function timeTravelPages({ content: { context } }: Deps): Hono<StudioEnv> {
  const timeline = new Timeline(context.store);
  return new Hono<StudioEnv>().get("/time-travel", administratorOnly, async (c) => {
    const visit = c.get("visit");
    const now = seconds(context);
    const given = Number(c.req.query("at") ?? "");
    const at = Number.isSafeInteger(given) && given > 0 && given <= now ? given : null;
    const facts = {
      title: "Time travel",
      intro:
        "Look at the whole site as it was at an instant, and go back if you like. Going back " +
        "adds new versions, so it can be undone the same way.",
    };
    const found = at === null ? null : {
      site: await siteAt(context, timeline, at),
      // What is done since then, read from the other end: what going back would do.
      diff: await siteDiff(context, timeline, now, at),
    };
    return await page(
      c,
      facts,
      <div class="stack" data-island="time-travel" data-now={now}>
        <Chooser at={at} now={now} />
        {found !== null && <Preview at={at!} {...found} visit={visit} />}
      </div>,
    );
  });
}

function Chooser({ at, now }: { at: number | null; now: number }) {
  return (
    <section class="card">
      <form class="row" data-instant-form>
        <div class="field">
          <label for="instant">Instant, in your time zone</label>
          <input
            id="instant"
            type="datetime-local"
            step={1}
            data-epoch={at ?? undefined}
            required
          />
        </div>
        <button type="submit" class="button primary">Look</button>
      </form>
      <p class="row padded">
        {JUMPS.map(([label, back]) => (
          <a class="button small" href={`/admin/time-travel?at=${now - back}`}>{label}</a>
        ))}
      </p>
    </section>
  );
}

function Preview(
  { at, site, diff, visit }: { at: number; site: SiteAt; diff: SiteDiff; visit: Visit },
) {
  const touched = ENTITY_TYPES.filter((type) => total(diff, type) > 0);
  return (
    <>
      {!site.complete && (
        <p class="alert warn">
          Some old versions were pruned away. What depends on them is left as it is now.
        </p>
      )}
      <section class="card">
        <h2>{`The site at ${exactTime(at, visit.timezone)}`}</h2>
        <ul class="tiles">
          {ENTITY_TYPES.filter((type) => site.entities[type].count > 0).map((type) => (
            <li class="tile">
              <strong>{site.entities[type].count.toLocaleString("en")}</strong>
              <span>{words(type)}</span>
              <small class="muted">{sampleText(site.entities[type].sample)}</small>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>What going back would change</h2>
        {touched.length === 0
          ? <p class="muted">Nothing: the site is as it was.</p>
          : (
            <ul class="rows what">
              {touched.map((type) => <TypeChanges type={type} diff={diff} />)}
            </ul>
          )}
        {touched.length > 0 && <Confirmation at={at} visit={visit} />}
      </section>
    </>
  );
}

function TypeChanges({ type, diff }: { type: EntityType; diff: SiteDiff }) {
  const { created, changed, removed } = diff.entities[type];
  const parts: [one: string, many: string, typeof created, string][] = [
    ["comes back", "come back", created, "good"],
    ["changes", "change", changed, "warn"],
    ["goes", "go", removed, "bad"],
  ];
  return (
    <li>
      <strong>{words(type)}</strong>
      <span class="row">
        {parts.filter(([, , { count }]) => count > 0).map(([one, many, { count }, mood]) => (
          <span class={`badge ${mood}`}>{`${count} ${count === 1 ? one : many}`}</span>
        ))}
      </span>
      <span class="muted when">
        {sampleText([...created.sample, ...changed.sample, ...removed.sample])}
      </span>
    </li>
  );
}

function Confirmation({ at, visit }: { at: number; visit: Visit }) {
  return (
    <form class="form padded" data-restore-form data-at={at} data-title={visit.siteTitle}>
      <p class="alert info">
        <Icon name="info" />{" "}
        Everybody may go on working. What is changed while the site goes back stays.
      </p>
      <div class="field">
        <label for="typed">{`Type “${visit.siteTitle}” to go back`}</label>
        <input id="typed" type="text" autocomplete="off" />
      </div>
      <button type="submit" class="button danger primary" disabled>Go back to this instant</button>
    </form>
  );
}

function total({ entities }: SiteDiff, type: EntityType): number {
  const { created, changed, removed } = entities[type];
  return created.count + changed.count + removed.count;
}

function words(type: EntityType): string {
  return {
    user: "Users",
    role: "Roles",
    permission: "Permissions",
    user_role: "Roles of users",
    setting: "Settings",
    collection: "Collections",
    field_definition: "Fields",
    document: "Documents",
    api_token: "API tokens",
    block_definition: "Blocks",
    theme: "Themes",
    plugin: "Plugins",
    plugin_config: "Plugin settings",
    media_metadata: "Images",
  }[type];
}

function sampleText(sample: Sample[]): string {
  return sample.map((one) => one.title ?? one.displayName ?? one.name ?? one.key ?? "")
    .filter((text) => text !== "").slice(0, 5).join(", ");
}
