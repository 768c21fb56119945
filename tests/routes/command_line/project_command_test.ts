/** `cms client` writes a package that works, `cms init` a project that has what its starter has. */
import { commandAlone } from "../../../routes/command_line/command.ts";
import { typeCheck } from "../../contract/type_check.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { headless } from "../../support/sites/headless.ts";

const ORIGIN = "http://cms.test";

async function project() {
  const test = await headless();
  await test.setUp();
  const folder = await Deno.makeTempDir({ prefix: "project-" });
  const printed: string[] = [];
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  return {
    folder,
    printed,
    run: async (token: string | null, ...args: string[]) => {
      printed.length = 0;
      const context = {
        local: null,
        token: token ?? await test.token({ scopes: ["posts:read"] }),
        print: (line: string) => void printed.push(line),
        fetch: async (address: string, init: RequestInit) =>
          await test.app.fetch(new Request(address, init), { remoteAddr }),
      };
      return await commandAlone(context, args);
    },
    [Symbol.asyncDispose]: async () => {
      await Deno.remove(folder, { recursive: true });
      await test[Symbol.asyncDispose]();
    },
  };
}

Deno.test("cms client writes JavaScript and declarations of the served module", async () => {
  await using test = await project();
  const dir = `${test.folder}/client`;
  const named = ["--dir", dir, "--name", "@acme/cms", "--version", "1.2.0"];
  assertEquals(await test.run(null, "client", "--from", ORIGIN, ...named), 0);
  assertStringIncludes(test.printed.join(), "@acme/cms@1.2.0");
  const manifest = JSON.parse(await Deno.readTextFile(`${dir}/package.json`));
  assertEquals([manifest.name, manifest.version, manifest.type], ["@acme/cms", "1.2.0", "module"]);
  const { createClient, ApiError } = await import(`file://${dir}/index.js`);
  const client = createClient({
    baseUrl: ORIGIN,
    retries: 0,
    fetch: (request: Request) => {
      const body = { error: { code: "NOT_FOUND", message: request.url } };
      return Promise.resolve(Response.json(body, { status: 404 }));
    },
  });
  const error = await client.collection("posts").get("x").catch((error: unknown) => error);
  assert(error instanceof ApiError);
  assertEquals([error.status, error.message], [404, `${ORIGIN}/api/v1/posts/x`]);
  const uses = `
import { createClient, type Post } from "./index.d.ts";
export async function titles(): Promise<string[]> {
  const { data } = await createClient({ baseUrl: "" }).collection("posts").list({ fields: ["title"] });
  // @ts-expect-error The key was not asked for.
  data[0]?.slug;
  const posts: Pick<Post, "id" | "title">[] = data;
  return posts.map(({ title }) => title);
}
`;
  const declarations = await Deno.readTextFile(`${dir}/index.d.ts`);
  const folder = `${test.folder}/check`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/index.d.ts`, declarations);
  assertEquals(await typeCheck(folder, { "uses.ts": uses }), "");
});

Deno.test("cms client says what it lacks", async () => {
  await using test = await project();
  assertEquals(await test.run("", "client"), 2);
  assertStringIncludes(test.printed[0]!, "--from");
  assertEquals(await test.run("", "client", "--from", ORIGIN, "--name", "No Name"), 2);
  assertEquals(await test.run("svc_pk_none", "client", "--from", ORIGIN), 1);
  assertStringIncludes(test.printed[0]!, "CMS_TOKEN is not an API token of this service");
});

Deno.test("cms init copies a starter into a new folder, with the types of a service", async () => {
  await using test = await project();
  for (const starter of ["astro", "hono", "next"]) {
    const folder = `${test.folder}/${starter}`;
    assertEquals(await test.run(null, "init", starter, folder, "--from", ORIGIN), 0);
    assertStringIncludes(await Deno.readTextFile(`${folder}/.env`), `CMS_URL=${ORIGIN}\n`);
    assertStringIncludes(await Deno.readTextFile(`${folder}/.gitignore`), ".env\n");
    assertStringIncludes(await Deno.readTextFile(`${folder}/cms.ts`), "export interface Post ");
    assertEquals(await test.run(null, "init", starter, folder), 1);
    assertEquals(test.printed, [`${folder} is not empty`]);
  }
  const page = await Deno.readTextFile(`${test.folder}/next/app/posts/[slug]/page.tsx`);
  assertEquals(page, await Deno.readTextFile("docs/starters/next/app/posts/[slug]/page.tsx"));
  assertEquals(await test.run(null, "init", "theme", `${test.folder}/theme`), 2);
});
