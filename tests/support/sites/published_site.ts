/**
 * A whole site in a simulation of its own, with one collection and its runner started.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { jobKinds } from "../../../jobs/kinds.ts";
import type { JobKind } from "../../../jobs/runner/job_kind.ts";
import { createDocument } from "../../../kv/documents/documents.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Harness } from "../harness/harness.ts";
import { SimulatedKv } from "../harness/simulated_kv.ts";
import { publicText } from "./pages.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../harness/simulated_site.ts";

/** A site with one collection in its own simulation, its runner started. */
export interface Site extends SimulatedSite {
  harness: Harness;
  kv: SimulatedKv;
  outside: Outside;
  /** The body of a page as text; null when there is none. */
  page(path: string): Promise<string | null>;
  create(body: Record<string, unknown>): Promise<DocumentState>;
}

/** Opens one; `kindsOf` may put its own kinds of jobs in the place of the service's. */
export async function openSite(kindsOf = (kinds: JobKind[]) => kinds): Promise<Site> {
  const harness = new Harness(3);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const one = simulatedSite(harness, kv, outside);
  const { content } = one;
  await harness.run(createCollection(
    content,
    UNATTENDED,
    parseCollection({
      slug: "posts",
      name: "Posts",
      fields: [
        { name: "lead", type: "text", label: "Lead", required: true },
        { name: "related", type: "reference", label: "Related", options: { collection: "posts" } },
      ],
    }),
  ));
  one.runner(kindsOf(jobKinds({ publishing: one.publishing }))).start();
  return {
    ...one,
    harness,
    kv,
    outside,
    page: (path) => harness.run(publicText(one, path)),
    create: async (body) => {
      const written = await harness.run(
        createDocument(content, UNATTENDED, "posts", { lead: "A lead", ...body } as never),
      );
      return written.state;
    },
  };
}

/** Whether pages contain a text. */
export async function assertPages(site: Site, text: string, paths: Record<string, boolean>) {
  for (const [path, expected] of Object.entries(paths)) {
    const body = await site.page(path) ?? "";
    assertEquals(body.includes(text), expected, `${text} on ${path}`);
  }
}
