/** The typed client in a browser: it reads, and an upload tells its progress through XMLHttpRequest. */
import { typesModule } from "../../routes/v1/types/types_module.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { headless } from "../support/sites/headless.ts";
import { IMAGES } from "../support/sites/images.ts";

/** The types module as JavaScript. */
async function clientModule(source: string): Promise<string> {
  const { default: ts } = await import("typescript");
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** Runs in the page. */
const UPLOAD = `async ({ token, png }) => {
  const { ApiError, createClient } = await import("/client.js");
  const client = createClient({ baseUrl: location.origin, token });
  const { meta } = await client.collection("posts").list({ fields: ["title"] });
  const progress = [];
  const onProgress = ({ sent, total }) => progress.push([sent, total]);
  const file = new File([new Uint8Array(png)], "lamp.png", { type: "image/png" });
  const medium = await client.media.upload(file, { alt: "A lamp", onProgress });
  const text = new File(["no picture"], "x.png", { type: "image/png" });
  const error = await client.media.upload(text, { onProgress }).catch((error) => error);
  const aborted = await client.media.upload(file, { onProgress, signal: AbortSignal.abort() })
    .catch((error) => error.name);
  return {
    total: meta.total,
    alt: medium.alt,
    progress,
    refused: error instanceof ApiError && [error.status, error.requestId !== null],
    aborted,
  };
}`;

browserTest("the client uploads with progress in a browser", async (browser) => {
  await using site = await headless();
  await site.setUp();
  await site.post({ title: "River", status: "published" });
  const code = await clientModule(
    typesModule(await site.deps.content.schema.current(), "http://localhost"),
  );
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request, info) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/client.js") {
        return new Response(code, { headers: { "content-type": "text/javascript" } });
      }
      if (pathname === "/page") {
        return new Response("<p>Page", { headers: { "content-type": "text/html" } });
      }
      return site.app.fetch(request, info);
    },
  );
  const page = await (await browser.newContext()).newPage();
  try {
    await page.goto(`http://127.0.0.1:${server.addr.port}/page`);
    const given = { token: await site.token(), png: [...IMAGES["image/png"]] };
    // deno-lint-ignore no-explicit-any
    const found: any = await page.evaluate(`(${UPLOAD})(${JSON.stringify(given)})`);
    assertEquals([found.total, found.alt], [1, "A lamp"]);
    const [sent, total] = found.progress.at(-1)!;
    assert(sent === total && total > given.png.length, JSON.stringify(found.progress));
    assertEquals(found.refused, [415, true]);
    assertEquals(found.aborted, "AbortError");
  } finally {
    await page.context().close();
    await server.shutdown();
  }
});
