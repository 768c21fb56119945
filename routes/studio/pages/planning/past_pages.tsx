/**
 * The public pages as they were at a moment, with working links.
 *
 * @module
 */
import { hasPages } from "../../../../kv/model/entities/collection.ts";
import { exactTime } from "../../components/time.tsx";
import type { Visit } from "../../serving/studio_env.ts";

/** The frame in which such pages open. */
export const PAST_FRAME = "past-site";

/** The path below which the pages of an instant are. */
export function pastSite(at: number): string {
  return `/admin/time-travel/${at}/site`;
}

/** A frame with the home page of an instant, and links to what else there was. */
export function PastPages({ at, visit }: { at: number; visit: Visit }) {
  const base = pastSite(at);
  return (
    <section class="past-pages" aria-label="Pages at that moment">
      <p class="muted small">
        Every page as it was then, with working links, rendered with today's theme, settings, fields
        and images.
      </p>
      <ul class="chips" aria-label="Pages">
        <li>
          <a class="badge large" href={`${base}/`} target={PAST_FRAME}>Home page</a>
        </li>
        {visit.schema.collections.filter(hasPages).map(({ slug, name }) => (
          <li>
            <a class="badge large" href={`${base}/${slug}`} target={PAST_FRAME}>{name}</a>
          </li>
        ))}
      </ul>
      <iframe
        name={PAST_FRAME}
        src={`${base}/`}
        title={`The site at ${exactTime(at, visit)}`}
        loading="lazy"
      >
      </iframe>
    </section>
  );
}
