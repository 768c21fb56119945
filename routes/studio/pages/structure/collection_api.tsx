/**
 * The API page of a collection: endpoints, a token, examples to copy, and recent webhook deliveries.
 *
 * @module
 */
import { type Collection, getCollection } from "../../../../kv/model/entities/collection.ts";
import { listDeliveries } from "../../../../kv/deliveries/deliveries.ts";
import { webhookView } from "../../../../kv/webhooks/webhooks.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { DeliveryList, type ShownDelivery } from "../../components/delivery_list.tsx";
import { Table } from "../../components/table.tsx";
import { page } from "../../serving/page.tsx";
import type { Handlers } from "../../screens.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { webhookDelivery } from "../system/webhook_parts.tsx";

/** Messages of each webhook that are looked through. */
const DELIVERIES_READ = 50;

/** `/collections/:slug/api`. */
export function collectionApiScreens(deps: Deps): Handlers<"collectionApi"> {
  return {
    collectionApi: async (c) => {
      const visit = c.get("visit");
      const collection = getCollection(visit.schema, c.req.param("slug"));
      const deliveries = visit.can("tokens.manage")
        ? await deliveriesOf(deps, visit, collection)
        : null;
      const crumbs = [
        { label: "Collections", href: "/admin/collections" },
        { label: collection.name, href: `/admin/collections/${collection.slug}` },
      ];
      const actions = (
        <ButtonLink href="/api/v1/_explorer" icon="external">
          Explorer
        </ButtonLink>
      );
      return await page(
        c,
        { title: `API of ${collection.name}`, crumbs, actions },
        <div class="stack">
          {!collection.exposed && (
            <p class="alert warn">
              This collection is hidden from the API. You can change that in its settings.
            </p>
          )}
          <div data-island="api-examples" class="stack">
            <Addresses visit={visit} collection={collection} />
            {visit.can("tokens.manage") && <Token collection={collection} />}
            <Examples visit={visit} collection={collection} />
          </div>
          {deliveries !== null && <Deliveries deliveries={deliveries} visit={visit} />}
        </div>,
      );
    },
  };
}

function Addresses({ visit, collection }: { visit: Visit; collection: Collection }) {
  const address = `${originOf(visit)}/api/v1/${collection.slug}`;
  const base = `/${collection.slug}`;
  const rows: [method: string, path: string, what: string][] = [
    ["GET", base, "Lists documents, with filters, sorting, facets and full-text search"],
    ["GET", `${base}/{id}`, "Reads a document"],
    ["GET", `${base}/by-slug/{slug}`, "Reads a document by its slug"],
    ["GET", `${base}/{id}/versions`, "Reads the history of a document"],
    [
      "GET",
      `/_changes?collection=${collection.slug}`,
      "Reads all documents and their changes, also as an event stream",
    ],
    ["POST", base, "Creates a document"],
    ["PATCH", `${base}/{id}`, "Updates a document"],
    ["PUT", `${base}/by-slug/{slug}`, "Creates or updates a document"],
    ["DELETE", `${base}/{id}`, "Moves a document to the trash"],
    ["POST", `${base}/_bulk`, "Up to 100,000 writes in one request"],
  ];
  return (
    <section class="card">
      <h2>Endpoints</h2>
      <div class="secret">
        <code id="api-address">{address}</code>
        <Button data-copy="api-address" icon="copy">Copy</Button>
      </div>
      <Table
        label="Endpoints"
        head={
          <>
            <th scope="col">Request</th>
            <th scope="col">Description</th>
          </>
        }
      >
        {rows.map(([method, path, what]) => (
          <tr>
            <th scope="row">
              <code>{`${method} ${path}`}</code>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Token({ collection: { slug, name } }: { collection: Collection }) {
  return (
    <section class="card">
      <h2>Token</h2>
      <p data-no-token>
        {"Create a token that reads the published documents of this collection; the examples will use it. "}
        <a href="/admin/tokens/new">Create a different token</a>
      </p>
      <Button
        icon="key"
        data-action="POST /api/admin/tokens"
        data-body={JSON.stringify({ name: `${name}, read`, scopes: [`${slug}:read`] })}
      >
        Create token
      </Button>
      <div data-minted hidden>
        <div class="secret">
          <code id="api-token"></code>
          <Button variant="primary" data-copy="api-token" icon="copy">Copy</Button>
        </div>
        <p class="small">
          {"It won't be shown again. "}
          <a href="/admin/tokens">Scopes, quota and expiry</a>
        </p>
      </div>
    </section>
  );
}

function Examples({ visit, collection }: { visit: Visit; collection: Collection }) {
  return (
    <section class="card">
      <h2>Examples</h2>
      {examplesOf(originOf(visit), collection).map(({ id, title, code }) => (
        <div class="stack">
          <p class="label">{title}</p>
          <div class="secret">
            <pre id={`example-${id}`} tabindex={0} aria-label={title}>{code}</pre>
            <Button data-copy={`example-${id}`} icon="copy">Copy</Button>
          </div>
        </div>
      ))}
    </section>
  );
}

/** Examples to copy; `$TOKEN` is the placeholder of a token. */
export function examplesOf(
  origin: string,
  { slug, fields }: Pick<Collection, "slug" | "fields">,
): { id: string; title: string; code: string }[] {
  const sortable = fields.find((field) => field.sortable)?.name ?? "publishedAt";
  return [
    {
      id: "curl",
      title: "curl",
      code:
        `curl -H "Authorization: Bearer $TOKEN" \\\n  "${origin}/api/v1/${slug}?sort=-${sortable}&perPage=10"`,
    },
    {
      id: "fetch",
      title: "fetch",
      code: `const response = await fetch("${origin}/api/v1/${slug}?sort=-${sortable}", {
  headers: { authorization: "Bearer $TOKEN" },
});
if (!response.ok) throw new Error(await response.text());
const { data, meta } = await response.json();`,
    },
    {
      id: "types",
      title: "TypeScript, with the types of this site",
      code: `// curl -H "Authorization: Bearer $TOKEN" ${origin}/api/v1/_meta/types.ts > content.ts
import { createClient } from "./content.ts";

const client = createClient({ baseUrl: "${origin}", token: "$TOKEN" });
const page = await client.collection("${slug}").list({ sort: ["-${sortable}"], perPage: 10 });`,
    },
  ];
}

function Deliveries({ deliveries, visit }: { deliveries: ShownDelivery[]; visit: Visit }) {
  return (
    <section class="card" id="deliveries" data-island="live-part">
      <h2>Deliveries</h2>
      <p class="muted">
        {"What "}
        <a href="/admin/webhooks">webhooks</a>
        {" received about these documents, newest first."}
      </p>
      <DeliveryList
        deliveries={deliveries}
        visit={visit}
        empty="Nothing was sent in the last seven days."
      />
    </section>
  );
}

/** The newest messages about a collection's documents, of all webhooks. */
async function deliveriesOf(
  { content: { context }, webhooks }: Deps,
  visit: Visit,
  { slug }: Collection,
): Promise<ShownDelivery[]> {
  const found = await Promise.all((await webhooks.webhooks.current()).map(async (state) => {
    const webhook = webhookView(state, visit.schema);
    const deliveries = await listDeliveries(context, webhook.id, DELIVERIES_READ);
    return deliveries.filter(({ body }) => JSON.parse(body).data.collection === slug)
      .map((delivery) => webhookDelivery(webhook, delivery));
  }));
  return found.flat().sort((a, b) => b.createdAt - a.createdAt);
}

function originOf(visit: Visit): string {
  return visit.siteUrl || visit.url.origin;
}
