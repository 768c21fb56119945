/** Lists of the documents that some users created: the admin API, the studio, and what their filters say. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { testApp } from "../../support/sites/app.ts";
import { type Admin, setUpAdmin, signIn } from "../../support/sites/backups.ts";

const GRACE = {
  email: "grace@example.org",
  password: "another correct horse",
  displayName: "Grace Hopper",
};

Deno.test("createdBy lists the documents of some users, with other filters and in the studio", async () => {
  await using app = await testApp();
  const ada = await setUpAdmin(app);
  for (const slug of ["posts", "notes"]) {
    answered(await ada.ask("POST", "/collections", { slug, name: slug }), 201);
  }
  const user = { ...GRACE, roles: ["editor"] };
  const { id: graceId } = answered(await ada.ask("POST", "/users", user), 201);
  const grace = await signIn(app, GRACE);
  const write = async ({ ask }: Admin, collection: string, title: string) =>
    answered(await ask("POST", "/documents", { collection, title }), 201);
  await write(grace, "posts", "Compilers");
  await write(grace, "notes", "Nanoseconds");
  await write(ada, "posts", "Engines");
  const { id: adaId } = answered(await ada.ask("GET", "/session"), 200).user;
  const titles = async (query: string) =>
    answered(await ada.ask("GET", `/documents?sort=title&${query}`), 200).data
      .map(({ title }: { title: string }) => title);

  assertEquals(await titles(`createdBy=${graceId}`), ["Compilers", "Nanoseconds"]);
  assertEquals(await titles(`createdBy=${graceId}&collection=posts`), ["Compilers"]);
  assertEquals(await titles(`createdBy=${graceId}&q=nano`), ["Nanoseconds"]);
  const all = ["Compilers", "Engines", "Nanoseconds"];
  assertEquals(await titles(`createdBy=${graceId},${adaId}`), all);
  for (const value of ["", "grace", `${graceId},`, Array(101).fill(graceId).join()]) {
    const { status, json } = await ada.ask("GET", `/documents?createdBy=${value}`);
    assertEquals([status, json.error.code], [400, "PARAMETER_INVALID"], value);
  }

  const session = await app.call("POST", "/api/admin/session", {
    body: { email: GRACE.email, password: GRACE.password },
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = async (path: string) =>
    (await app.call("GET", `/admin/content${path}`, { headers: { cookie } })).text;
  const mine = await page(`?createdBy=${graceId}`);
  assert(mine.includes("Compilers") && !mine.includes("Engines"));
  assert(mine.includes("Remove filter: Created by Grace Hopper"));
  assert(mine.includes(`<option value="${graceId}" selected`));
  const gone = await page(`/posts?createdBy=01KT1GW6G005PBZSBZ4QXXJHNT`);
  assert(gone.includes("Remove filter: Created by Deleted user"));
  assert(gone.includes("No document matches these filters."));
});
