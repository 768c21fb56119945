/**
 * The first steps of a site without documents.
 *
 * @module
 */
import { Button, ButtonLink } from "../../components/button.tsx";
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
    <>
      {collection === undefined && visit.can("transfers.manage") && <Beginnings />}
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
    </>
  );
}

/** The three ways to begin a site. */
function Beginnings() {
  return (
    <ul class="cards">
      <li class="card">
        <h2>Start from an example</h2>
        <p class="muted">A small magazine with authors, posts and pages, to try everything on.</p>
        <p>
          <Button
            data-action="POST /api/admin/example-site/seed"
            data-then="/admin/jobs/{jobId}"
            icon="rocket"
          >
            Add the example site
          </Button>
        </p>
      </li>
      <li class="card">
        <h2>Import a site</h2>
        <p class="muted">
          From WordPress, Ghost, Contentful, Sanity, Strapi, Directus, Payload, Markdown or CSV.
        </p>
        <p>
          <ButtonLink href="/admin/transfers#new-transfer" icon="download">
            Start a transfer
          </ButtonLink>
        </p>
      </li>
      <li class="card">
        <h2>Start from scratch</h2>
        <p class="muted">Define your first collection. You can change its fields at any time.</p>
        <p>
          <ButtonLink href="/admin/collections#new-collection" icon="plus">
            Define a collection
          </ButtonLink>
        </p>
      </li>
    </ul>
  );
}
