/**
 * What a site without documents still needs, step by step.
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
      text: "Say what kind of things you write about: posts, pages, recipes. Its fields become " +
        "the form, and its addresses in the API exist at once.",
      href: "/admin/collections",
      allowed: visit.can("collections.write"),
    },
    {
      done: false,
      title: "Write the first document",
      text: "It is saved while you type. Nobody else sees it before you publish it, and every " +
        "earlier state stays in its history.",
      href: collection === undefined ? "/admin/content" : `/admin/content/${collection.slug}/new`,
      allowed: collection !== undefined && visit.documents.in("create", collection.id),
    },
    {
      done: false,
      title: "Publish it, now or at a time",
      text: "A checklist says what is missing. Then it has a page on this site, and a place in " +
        "the feed, the sitemap and the search.",
      href: "/admin/schedule",
      allowed: false,
    },
    {
      done: hasToken,
      title: "Read it from your own code",
      text: "Mint an API token and fetch what you wrote as JSON: the token screen has a line for " +
        "the shell to begin with.",
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
