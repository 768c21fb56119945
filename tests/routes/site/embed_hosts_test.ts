/** Hosts that a site allows to be embedded: the setting, the pages that show them, and the policy of these. */
import { answered } from "../../support/sites/admin_answers.ts";
import { testApp } from "../../support/sites/app.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "../../support/harness/assert.ts";
import { setUpAdmin } from "../../support/sites/backups.ts";

const embed = (url: string, key: string) => ({ _type: "embed", _key: key, url });

Deno.test("a host that the site allows is framed by its pages, and a link once it is taken out", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const fields = [{ name: "body", type: "rich_text" }];
  answered(await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields }), 201);
  const post = async (title: string, url: string) => {
    const body = [embed(url, "a")];
    answered(
      await admin.ask("POST", "/documents", {
        collection: "posts",
        title,
        status: "published",
        body,
      }),
      201,
    );
  };
  await post("Film", "https://player.example.org/v/1?x=2");
  await post("Song", "https://vimeo.com/76979871");
  const read = async (slug: string) => {
    // The rendering of a whole site waits for further changes.
    for (let n = 0; n < 4; n++) {
      await app.runner.drain();
      app.context.advance(3_000);
    }
    const response = await app.app.request(`/posts/${slug}`);
    assertEquals(response.status, 200);
    const policy = response.headers.get("content-security-policy")!;
    return { html: await response.text(), frames: /frame-src ([^;]*)/.exec(policy)?.[1] ?? null };
  };
  const services = (await read("song")).frames!;
  assertMatch(services, /^https:\/\/www\.youtube-nocookie\.com /);
  const link = '<a href="https://player.example.org/v/1?x=2" rel="noopener">';
  const before = await read("film");
  assertStringIncludes(before.html, link);
  assert(!before.html.includes("iframe") && before.frames === null, before.html);
  assert(!("embeds.hosts" in answered(await admin.ask("GET", "/settings"), 200)));

  const hosts = ["Player.example.org", "https://player.example.org/v/2", "other.example"];
  const set = answered(await admin.ask("PATCH", "/settings", { "embeds.hosts": hosts }), 200);
  assertEquals(set["embeds.hosts"], ["player.example.org", "other.example"]);
  const shown = await read("film");
  assertStringIncludes(shown.html, '<iframe src="https://player.example.org/v/1?x=2"');
  assertStringIncludes(shown.html, link);
  // A page allows what it frames, and no other host of the setting.
  assertEquals(shown.frames, `${services} https://player.example.org`);
  assertEquals((await read("song")).frames, services);

  answered(await admin.ask("PATCH", "/settings", { "embeds.hosts": ["other.example"] }), 200);
  const after = await read("film");
  assertStringIncludes(after.html, link);
  assert(!after.html.includes("iframe") && after.frames === null, after.html);
  answered(await admin.ask("PATCH", "/settings", { "embeds.hosts": null }), 200);
  assertEquals((await read("song")).frames, services);
});

Deno.test("PATCH of embeds.hosts refuses invalid hosts, and names them", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const refused = async (value: unknown) => {
    const answer = await admin.ask("PATCH", "/settings", { "embeds.hosts": value } as never);
    assertEquals(answer.status, 422, JSON.stringify(value));
    return answer.json.error.details.map(({ field }: { field: string }) => field);
  };

  assertEquals(await refused(["player.example.org", "a; script-src *"]), ["embeds.hosts.1"]);
  assertEquals(await refused("player.example.org"), ["embeds.hosts"]);
  assertEquals(await refused([1]), ["embeds.hosts.0"]);
  await refused(Array.from({ length: 51 }, (_, n) => `h${n}.example`));
});
