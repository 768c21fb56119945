/**
 * The explorer as a visitor uses it: with hostile content, by keyboard, by day and by night.
 * `SCREENSHOTS=<folder>` keeps pictures of what was checked.
 */
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type DescribedApp, describedApp } from "../../contract/described_app.ts";
import { everyField } from "../../contract/sites.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";

const HOSTILE = `</script><img src=x onerror="globalThis.pwned=1"><b>"'\`\${globalThis.pwned=1}`;

interface Visit extends AsyncDisposable {
  test: DescribedApp;
  page: Page;
  address: string;
  /** Addresses and Authorization headers of all requests. */
  requests: { url: string; authorization: string | undefined }[];
  /** What the browser complained about. */
  complaints: string[];
}

/** A site with hostile names and content, and a page on it. */
async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const test = await describedApp();
  await test.define({ slug: "posts", name: HOSTILE, description: HOSTILE, fields: everyField() });
  await test.define({
    slug: "pages",
    fields: [{
      name: "kind",
      type: "select",
      indexed: true,
      label: HOSTILE,
      options: {
        choices: [HOSTILE, "plain"],
      },
    }],
  });
  const token = await test.token();
  for (const title of [HOSTILE, "Second", "Third"]) {
    const body = { title, status: "published", textField: HOSTILE.slice(0, 60) };
    const { status } = await test.call("POST", "/api/v1/posts", { token, body });
    assertEquals(status, 201);
  }
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.fetch);
  const address = `http://127.0.0.1:${server.addr.port}`;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: Visit["requests"] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const { authorization } = request.headers();
    requests.push({ url: request.url(), authorization });
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`${address}/api/v1/_explorer`);
  return {
    test,
    page,
    address,
    requests,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}

async function enterToken(page: Page, token: string): Promise<void> {
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Use" }).click();
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("SCREENSHOTS");
  if (folder) await page.screenshot({ path: `${folder}/explorer-${name}.png`, fullPage: true });
}

/** What an accessibility checker finds wrong. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // deno-lint-ignore no-explicit-any
  const found = await page.evaluate(() => (globalThis as any).axe.run());
  // deno-lint-ignore no-explicit-any
  return found.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html}`);
}

browserTest("explorer lists, asks and shows hostile content as text", async (browser) => {
  await using visited = await visit(browser);
  const { page, test, requests, complaints } = visited;
  const token = await test.token();

  await enterToken(page, token);
  await page.getByRole("link", { name: "List documents in posts" }).click();
  await page.getByLabel("sort", { exact: true }).selectOption("title");
  await page.getByLabel("sort, value 2").selectOption("createdAt");
  await page.getByLabel("perPage").fill("2");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByLabel("Field", { exact: true }).selectOption("textField");
  await page.getByLabel("Value for textField").fill(HOSTILE.slice(0, 60));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("200 OK").waitFor();

  const tree = await page.locator(".tree").innerText();
  assertStringIncludes(tree, JSON.stringify(HOSTILE));
  assertStringIncludes(await page.locator("#operations").innerText(), HOSTILE);
  const sent = new URL(requests.at(-1)!.url);
  assertEquals(sent.searchParams.get("sort"), "title,createdAt");
  assertEquals(sent.searchParams.get("field.textField"), HOSTILE.slice(0, 60));
  assertEquals(await page.evaluate("globalThis.pwned"), undefined);
  assertEquals(await page.locator("img, b, script:not([type=module])").count(), 0);
  assertEquals(complaints, []);
  await picture(page, "light");
});

browserTest(
  "explorer builds conditions, projections and facets, and shows refusals beside them",
  async (browser) => {
    await using visited = await visit(browser);
    const { page, test, requests, complaints } = visited;
    const sent = () => new URL(requests.at(-1)!.url).searchParams;
    const send = async (status: string) => {
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText(status).waitFor();
    };
    await enterToken(page, await test.token());
    await page.getByRole("link", { name: "List documents in posts" }).click();

    for (const [i, operator, value] of [[0, "gte", "1"], [1, "in", "2,3"]] as const) {
      await page.getByRole("button", { name: "Add filter" }).click();
      const row = page.locator(".condition").nth(i);
      await row.getByLabel("Field", { exact: true }).selectOption("numberField");
      await row.getByLabel("Operator", { exact: true }).selectOption(operator);
      const values = value.split(",");
      for (const [index, text] of values.entries()) {
        await row.locator(".values input").nth(index).fill(text);
      }
    }
    await page.getByLabel("fields", { exact: true }).selectOption("title");
    await page.getByLabel("include", { exact: true }).selectOption("referenceField");
    await page.getByLabel("facets", { exact: true }).selectOption("numberField");
    await page.getByLabel("q", { exact: true }).fill("second");
    await send("200 OK");
    assertEquals(Object.fromEntries(sent()), {
      "fields": "title",
      "include": "referenceField",
      "facets": "numberField",
      "q": "second",
      "field.numberField[gte]": "1",
      "field.numberField[in]": "2,3",
    });

    await page.locator(".values input").nth(0).waitFor();
    await page.getByLabel("q", { exact: true }).fill("");
    await page.getByLabel("Value for numberField[gte]").fill("many");
    await send("422 Unprocessable Entity");
    const condition = page.locator(".condition").nth(0);
    assertStringIncludes(await condition.locator(".refused").innerText(), "number");
    assertEquals(
      await page.getByLabel("Value for numberField[gte]").getAttribute("aria-invalid"),
      "true",
    );
    await page.getByRole("button", { name: "Remove filter" }).first().click();
    await page.getByLabel("filter", { exact: true }).fill("{");
    await send("400 Bad Request");
    assertStringIncludes(await page.locator("form .refused").innerText(), "position 1");
    assertEquals(
      await page.getByLabel("filter", { exact: true }).getAttribute("aria-invalid"),
      "true",
    );
    await page.getByLabel("filter", { exact: true }).fill("");
    await page.getByLabel("Send empty").check();
    await send("200 OK");
    assertEquals(sent().get("cursor"), "");
    assertStringIncludes(await page.locator(".tree").innerText(), "nextCursor");
    assertEquals(await page.locator(".refused:not(:empty)").count(), 0);
    assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
    await picture(page, "conditions");
  },
);

browserTest("explorer shows drafts, and what a release will make of the list", async (browser) => {
  await using visited = await visit(browser);
  const { page, test, complaints } = visited;
  const token = await test.token();
  const draft = await test.call("POST", "/api/v1/pages", { token, body: { title: "Autumn" } });
  await test.setUp();
  const release = await test.admin("POST", "/releases", { name: "Autumn" });
  const part = `/releases/${release.json.id}/documents/${draft.json.id}`;
  assertEquals((await test.admin("PUT", part, { action: "publish" })).status, 200);
  // The answer before stays until the next is there.
  const showsAfterSending = async (text: string) => {
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".tree", { hasText: text }).waitFor();
    await page.getByText("200 OK").waitFor();
  };

  await enterToken(page, token);
  await page.getByRole("link", { name: "List documents in pages" }).click();
  await page.getByLabel("draft", { exact: true }).selectOption("true");
  await showsAfterSending('"draft"');
  await page.getByLabel("release", { exact: true }).fill(release.json.id);
  await showsAfterSending('"published"');
  assertEquals(complaints, []);
});

browserTest("explorer sends the token in the header and nowhere else", async (browser) => {
  await using visited = await visit(browser);
  const { page, test, requests } = visited;
  const token = await test.token();

  await enterToken(page, token);
  await page.getByRole("link", { name: "List documents in pages" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("200 OK").waitFor();

  // Fonts come without it.
  const api = requests.filter(({ url }) => url.includes("/api/") && !url.endsWith("_explorer"));
  assert(api.length >= 2);
  for (const { url, authorization } of api) {
    assertEquals(authorization, `Bearer ${token}`);
    assert(!url.includes(token));
  }
  assert(requests.every(({ url }) => url.startsWith(visited.address) || url === "data:,"));
  assert(!page.url().includes(token));
  assert(!(await page.content()).includes(token));
  assertEquals(await page.evaluate("[localStorage.length, sessionStorage.length]"), [0, 0]);
  assertEquals(await page.context().cookies(), []);
});

browserTest(
  "explorer keeps the token in the tab only when told, and forgets it",
  async (browser) => {
    await using visited = await visit(browser);
    const { page, test } = visited;
    const token = await test.token();

    await page.getByLabel("Remember in this tab").check();
    await enterToken(page, token);
    await page.getByText("2 collections").waitFor();
    await page.reload();
    await page.getByText("2 collections").waitFor();
    await page.getByText("Use a token").click();
    await page.getByRole("button", { name: "Forget" }).click();
    await page.reload();

    assertEquals(await page.evaluate("sessionStorage.length"), 0);
    assertEquals(await page.getByRole("link", { name: "List documents" }).count(), 0);
  },
);

browserTest("explorer says when a token is not valid", async (browser) => {
  await using visited = await visit(browser);
  await enterToken(visited.page, "svc_pk_wrong");
  await visited.page.getByText("The token is not valid.").waitFor();
});

browserTest("explorer is used by keyboard alone", async (browser) => {
  await using visited = await visit(browser);
  const { page, test } = visited;
  const { keyboard } = page;

  await page.getByLabel("Token", { exact: true }).focus();
  await keyboard.type(await test.token());
  await keyboard.press("Enter");
  await page.getByText("2 collections").waitFor();
  await keyboard.press("/");
  await keyboard.type("pages");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "List documents in pages" }).waitFor();
  await page.getByLabel("perPage").focus();
  await keyboard.type("0");
  await keyboard.press("Control+Enter");
  await page.getByText("400 Bad Request").waitFor();

  assertMatch(await page.locator(".tree").innerText(), /PAGINATION_INVALID/);
});

browserTest("explorer collapses trees and copies requests without the token", async (browser) => {
  await using visited = await visit(browser, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page, test, address } = visited;
  const token = await test.token();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await enterToken(page, token);
  await page.getByRole("link", { name: "List documents in posts" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("200 OK").waitFor();
  await page.getByRole("button", { name: "Collapse all", exact: true }).click();
  assertEquals(await page.locator(".tree details[open]").count(), 0);
  await page.getByRole("button", { name: "Expand all" }).click();
  assert(await page.locator(".tree details[open]").count() > 3);

  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("curl command copied").waitFor();
  assertEquals(
    await clipboard(),
    `curl '${address}/api/v1/posts' \\\n  -H "Authorization: Bearer $TOKEN"`,
  );
  await page.getByRole("button", { name: "Copy as fetch" }).click();
  await page.getByText("JavaScript code copied").waitFor();
  assertStringIncludes(await clipboard(), `fetch("${address}/api/v1/posts"`);
  assert(!(await clipboard()).includes(token));
});

browserTest(
  "explorer brings an answer below the window into it, and a form stays beside one",
  async (browser) => {
    await using visited = await visit(browser, { viewport: { width: 390, height: 800 } });
    const { page, test } = visited;
    const topOf = (selector: string) =>
      page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().top`);

    await enterToken(page, await test.token());
    await page.getByRole("link", { name: "List documents in posts" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("200 OK").waitFor();
    const top = await topOf("#answer") as number;
    assert(top >= 0 && top < 400, `on a phone the answer is at ${top}`);

    await page.setViewportSize({ width: 1300, height: 800 });
    await page.evaluate("scrollTo(0, 600)");
    const beside = await topOf("#answer") as number;
    assert(beside >= 0 && beside < 400, `beside the form it is at ${beside}`);
  },
);

browserTest("explorer's page stays where it is when a request is sent", async (browser) => {
  await using visited = await visit(browser, { viewport: { width: 1440, height: 720 } });
  const { page, test } = visited;
  const places = () =>
    page.evaluate(() => {
      const form = document.querySelector("#request")!;
      return [scrollY, document.documentElement.scrollHeight, form.scrollTop, form.scrollHeight];
    });

  await enterToken(page, await test.token());
  await page.locator('#operations a[href="#op=getPost"]').click();
  await page.getByLabel(/^id/).fill("nothing");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const before = await places();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("404 Not Found").waitFor();
  await page.locator("form .refused:not(:empty)").waitFor();

  assertEquals(await places(), before);
  assertEquals(before.slice(0, 2), [0, 720], "only the parts of the page scroll");
});

for (const colorScheme of ["light", "dark"] as const) {
  browserTest(`explorer is legible and accessible when it is ${colorScheme}`, async (browser) => {
    const viewport = { width: 1200, height: 900 };
    await using visited = await visit(browser, { colorScheme, viewport });
    const { page, test } = visited;
    await enterToken(page, await test.token());
    await page.getByRole("link", { name: "List documents in posts" }).click();
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByLabel("perPage").fill("0");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("400 Bad Request").waitFor();
    await page.locator(".headers summary").click();

    await picture(page, `${colorScheme}-wide`);
    assertEquals(await violations(page), []);
    await page.setViewportSize({ width: 390, height: 800 });
    await picture(page, `${colorScheme}-narrow`);
    assertEquals(
      await page.evaluate("document.documentElement.scrollWidth > innerWidth"),
      false,
      "The page is wider than the window",
    );
  });
}
