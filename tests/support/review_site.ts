/**
 * A site with a published note, and a second browser of an author who may not publish.
 *
 * @module
 */
import type { Page } from "playwright-core";
import type { StudioVisit } from "./studio_visit.ts";

const AUTHOR = {
  email: "bea@example.org",
  displayName: "Bea",
  password: "a password of some length",
};

/** Waits until what was typed is a version. */
export const saved = (page: Page): Promise<void> =>
  page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();

/** A published note, and a page of an author who may not publish. */
export async function reviewSite(visit: StudioVisit) {
  const { ask, page, origin, test } = visit;
  const fields = [{ name: "lead", label: "Lead", type: "text" }];
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const note = { collection: "notes", title: "Light", lead: "The sea is dark at night." };
  const { json } = await ask("POST", "/documents", { ...note, status: "published" });
  await test.runner.drain();
  await ask("POST", "/users", { ...AUTHOR, roles: ["author"] });
  const context = await page.context().browser()!.newContext({ reducedMotion: "reduce" });
  const author = await context.newPage();
  author.setDefaultTimeout(15_000);
  await author.goto(`${origin}/admin/sign-in`);
  await author.getByLabel("Email").fill(AUTHOR.email);
  await author.getByLabel("Password").fill(AUTHOR.password);
  await author.getByRole("button", { name: "Sign in" }).click();
  await author.getByRole("heading", { name: /^Good / }).waitFor();
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
