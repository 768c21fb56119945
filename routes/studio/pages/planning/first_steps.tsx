/**
 * The first steps of a site without documents.
 *
 * @module
 */
import { Icon } from "../../components/icon.tsx";
import type { Visit } from "../../serving/studio_env.ts";

interface Step {
  done: boolean;
  title: string;
  text: string;
  href: string;
  allowed: boolean;
}

/** Four steps to a site. */
export function FirstSteps({ visit, hasToken }: { visit: Visit; hasToken: boolean }) {
  const collection = visit.schema.collections[0];
  const steps: Step[] = [
    {
      done: collection !== undefined,
      title: "Define a collection",
      text:
        "Describe what you publish: posts, pages, recipes. Its fields become the editing form, and its API works immediately.",
      href: "/admin/collections",
      allowed: visit.can("collections.write"),
    },
    {
      done: false,
      title: "Write the first document",
      text:
        "Your work is saved as you type. Nothing is public until you publish it, and every earlier version stays in the history.",
      href: collection === undefined ? "/admin/content" : `/admin/content/${collection.slug}/new`,
      allowed: collection !== undefined && visit.documents.in("create", collection.id),
    },
    {
      done: false,
      title: "Publish it now, or schedule it",
      text:
        "A checklist shows what is missing. Once published, the document has a page on this site and appears in the feed, the sitemap and search.",
      href: "/admin/schedule",
      allowed: false,
    },
    {
      done: hasToken,
      title: "Read it from your code",
      text:
        "Create an API token and fetch your content as JSON. The token screen shows a command to start with.",
      href: "/admin/tokens",
      allowed: visit.can("tokens.manage"),
    },
  ];
  return (
    <section class="card">
      <h2>Four steps to a site</h2>
      <ol class="steps">
        {steps.map(({ done, title, text, href, allowed }) => (
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
