/**
 * A site with a published note, and a second browser of an author who may not publish.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { colleague, type StudioVisit } from "../browser/studio_visit.ts";

const BEA = { email: "bea@example.org", displayName: "Bea", roles: ["author"] };

/** Waits until what was typed is a version. */
export const saved = (page: Page): Promise<void> =>
  page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();

/** A published note, and a page of an author who may not publish. */
export async function reviewSite(visit: StudioVisit) {
  const { ask, test } = visit;
  const fields = [{ name: "lead", label: "Lead", type: "text" }];
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const note = { collection: "notes", title: "Light", lead: "The sea is dark at night." };
  const { json } = await ask("POST", "/documents", { ...note, status: "published" });
  await test.runner.drain();
  const { context, page: author } = await colleague(visit, BEA);
  return {
    context,
    id: json.id as string,
    author,
    /** What the public site and the headless API say. */
    publicly: async () => {
      await test.runner.drain();
      return (await test.call("GET", "/notes/light")).text;
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
