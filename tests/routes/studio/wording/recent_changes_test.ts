import { ADA, testApp } from "../../../support/sites/app.ts";
import { summaryText, versionNote } from "../../../../routes/studio/wording/job_words.ts";
import { parseNote } from "../../../../routes/studio/wording/recent_changes.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

Deno.test("recent changes are sentences that name the change", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = [
    { name: "lead", label: "Lead", type: "text" },
    { name: "city", label: "Place", type: "text" },
  ];
  await test.admin("POST", "/collections", { slug: "articles", name: "Articles", fields });
  const body = { collection: "articles", title: "Light" };
  const { json } = await test.admin("POST", "/documents", body);
  const path = `/documents/${json.id}`;
  await test.admin("PATCH", path, { title: "Lights", lead: "They shine." });
  await test.admin("POST", `${path}/publish`);
  await test.admin("PATCH", `${path}/working-copy`, {
    title: "Lamps",
    lead: "They glow.",
    city: "Ystad",
  });
  await test.admin("POST", `${path}/review`, { note: "" });
  await test.admin("POST", "/users", { email: "bea@example.org", displayName: "Bea", roles: [] });
  await test.admin("PATCH", "/settings", { "site.title": "By lantern light" });
  await test.admin("POST", "/documents", { collection: "articles", title: "Gone" });

  const cookie = (await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  })).headers.get("set-cookie")!.split(";")[0]!;
  for (const screen of ["/admin", "/admin/activity"]) {
    const { text } = await test.call("GET", screen, { headers: { cookie } });
    const words = text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    const settled = ["Ada changed Site title Setting", "Ada set up the site User"];
    for (
      const sentence of [
        ...(screen === "/admin" ? [] : settled),
        "Ada created Gone Articles",
        "Ada invited Bea User",
        "Ada requested a review of Lamps Articles",
        "Ada changed Title, Lead and 1 more of Lamps Articles",
        "Ada published Lights Articles",
        "Ada changed Title and Lead of Lights Articles",
      ]
    ) {
      assert(
        words.includes(sentence),
        `${screen} lacks "${sentence}": ${words.slice(words.indexOf("Recent changes"))}`,
      );
    }
  }
});

Deno.test("versionNote() names jobs as people do", () => {
  assertEquals(versionNote("INSTALL: installed 1.0.0"), "installed 1.0.0");
  assertEquals(versionNote("INSTALL"), "Install a package");
  assertEquals(versionNote("Front end: Published"), "Front end: Published");
  assertEquals(versionNote("A TITLE"), "A TITLE");
});

Deno.test("toldNote() takes the verb out of a note, and leaves the program that did it", () => {
  assertEquals(parseNote("Published"), { verb: "published", rest: null });
  assertEquals(parseNote("Front end: Published"), { verb: "published", rest: "Front end" });
  assertEquals(parseNote("Front end"), { verb: undefined, rest: "Front end" });
  assertEquals(parseNote("Edited live"), { verb: undefined, rest: null });
  assertEquals(parseNote(null), { verb: undefined, rest: null });
});

Deno.test("recent changes tell on the overview of documents, not of single fields", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.admin("POST", "/collections", {
    slug: "articles",
    name: "Articles",
    fields: [{ name: "lead", label: "Lead", type: "text" }],
  });
  const { json } = await test.admin("POST", "/documents", {
    collection: "articles",
    title: "Light",
  });
  const publishAt = Math.floor(test.context.now() / 1000) + 60;
  await test.admin("POST", `/documents/${json.id}/schedule`, { publishAt });
  test.context.advance(61_000);
  await test.runner.drain();

  const cookie = (await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  })).headers.get("set-cookie")!.split(";")[0]!;
  const wordsOf = async (screen: string) => {
    const { text } = await test.call("GET", screen, { headers: { cookie } });
    return text.replace(/<script.*?<\/script>|<[^>]*>/gs, " ").replace(/\s+/g, " ");
  };
  const [overview, activity] = await Promise.all(["/admin", "/admin/activity"].map(wordsOf));
  for (const words of [overview!, activity!]) {
    assert(words.includes("The service published Light"), words);
  }
  assert(activity!.includes("Ada created lead Articles"), activity);
  assert(!overview!.includes("created lead"), overview);
});

Deno.test("a created entity is called by its title, not by its first key", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.admin("POST", "/collections", { slug: "articles", name: "Articles", fields: [] });
  const { json } = await test.admin("POST", "/documents", { collection: "articles", title: "F" });
  await test.admin("PATCH", `/documents/${json.id}`, { title: "First light" });
  await test.admin("POST", `/documents/${json.id}/publish`);
  const cookie = (await test.call("POST", "/api/admin/session", {
    body: { email: ADA.email, password: ADA.password },
  })).headers.get("set-cookie")!.split(";")[0]!;
  for (const screen of ["/admin", "/admin/activity"]) {
    const { text } = await test.call("GET", screen, { headers: { cookie } });
    const words = text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    assert(words.includes("Ada created First light Articles"), words);
    assert(!words.includes("created F Articles"), words);
  }
});

Deno.test("summaryText() shows stored summaries in the words of the interface", () => {
  assertEquals(summaryText("Edited live"), "Edited");
  assertEquals(summaryText("Review asked for"), "Review requested");
  assertEquals(summaryText("INSTALL"), "Install a package");
  assertEquals(summaryText("Front end: Published"), "Front end: Published");
});
