/**
 * The error page of the studio.
 *
 * @module
 */
import type { Refusal } from "../../../../kv/refusals.ts";
import { page, type PageFacts, plainPage } from "../../serving/page.tsx";
import { ButtonLink } from "../../components/button.tsx";
import type { StudioContext } from "../../serving/studio_env.ts";

/** The page of a refusal. */
export function refusalPage(c: StudioContext, refusal: Refusal, status: number): Promise<Response> {
  const [title, text] = wordsOf(status);
  const shown = status === 403 || status === 404 || status === 503 ? status : 500;
  const facts: PageFacts = { title, status: status < 500 && shown === 500 ? 404 : shown };
  const body = (
    <div class="stack">
      <p>{text}</p>
      {status < 500 && refusal.facts.about && <p class="muted">{refusal.message}</p>}
      {status >= 500 && (
        <p class="muted">
          Request <code>{c.get("requestId")}</code>
        </p>
      )}
      <ButtonLink href="/admin">Go to the overview</ButtonLink>
    </div>
  );
  return c.get("visit") === undefined ? plainPage(c, facts, body) : page(c, facts, body);
}

function wordsOf(status: number): [string, string] {
  if (status === 403) {
    return ["You don't have access", "Ask an administrator for a role with access to this page."];
  }
  if (status === 503) {
    return ["One moment", "The database is not responding. Try again in a few seconds."];
  }
  if (status >= 500) {
    return [
      "Something went wrong",
      "Something failed on our side; it has been logged. Try again, or go back.",
    ];
  }
  if (status === 400 || status === 422) {
    return ["Invalid URL", "Part of this URL is not valid."];
  }
  return ["Not found", "There is no page at this URL. It may have been deleted or renamed."];
}
