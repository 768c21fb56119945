/**
 * A magazine in processes of their own over one store, and the people who write in it, each in a browser
 * of their own.
 *
 * @module
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type StartedService, startService } from "../../tour.ts";
import { assertEquals } from "../harness/assert.ts";
import { Client } from "../harness/client.ts";
import { POST_FIELDS } from "../sites/studio_site.ts";
import { ADA, WIDTHS } from "./studio_visit.ts";

const BEN = { email: "ben@example.org", displayName: "Ben Carter", password: ADA.password };

/** A user who writes. */
export interface Writer {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about. */
  complaints: string[];
}

/** A magazine with one post. */
export class LiveStory implements AsyncDisposable {
  readonly #services: StartedService[] = [];
  readonly #contexts: BrowserContext[] = [];
  readonly #dataDir: string;
  readonly client = new Client("");
  id = "";

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Starts a process, sets the site up and writes the post. */
  static async begin(post: Record<string, Json> = {}): Promise<LiveStory> {
    const story = new LiveStory(await Deno.makeTempDir({ prefix: "cms-live-" }));
    const { client } = story;
    client.origin = (await story.startProcess()).origin;
    const must = async (path: string, body: Json) => {
      const { status, json, headers } = await client.call("POST", `/api/admin${path}`, body);
      assertEquals([path, status], [path, path === "/session" ? 200 : 201]);
      return { json, cookie: headers.get("set-cookie")?.split(";")[0] ?? "" };
    };
    const setUp = { code: "the tour code", siteTitle: "The Lantern", ...ADA };
    client.cookie = (await must("/setup", setUp)).cookie;
    await must("/blocks", {
      name: "quote",
      label: "Quotation",
      fields: [{ name: "text", label: "Words", type: "text", options: { multiline: true } }],
    });
    const fields = POST_FIELDS.map((field) => {
      const { name } = field as { name: string };
      return name === "sections" ? { ...field as object, options: { allowed: ["quote"] } } : field;
    }).filter((field) => (field as { name: string }).name !== "author");
    await must("/collections", { slug: "posts", name: "Posts", fields: fields as Json });
    await must("/users", { ...BEN, roles: ["editor"] });
    const body = { collection: "posts", title: "A night at the lighthouse", ...post };
    story.id = (await must("/documents", body)).json.id;
    return story;
  }

  /** Another process over the same store; at a given port if one ran there before. */
  async startProcess(port = "0"): Promise<StartedService> {
    const service = await startService({ PORT: port }, this.#dataDir);
    this.#services.push(service);
    return service;
  }

  /** A user opens the post, as a process shows it; `onPage` is called with the page before it is opened. */
  async open(
    browser: Browser,
    origin: string,
    who: "ada" | "ben",
    onPage: (page: Page) => void = () => {},
  ): Promise<Writer> {
    const context = await browser.newContext({ viewport: WIDTHS.wide, reducedMotion: "reduce" });
    this.#contexts.push(context);
    const { email, password } = { ada: ADA, ben: BEN }[who];
    const client = new Client(origin);
    const { headers } = await client.call("POST", "/api/admin/session", { email, password });
    const [name, value] = headers.get("set-cookie")!.split(";")[0]!.split("=");
    await context.addCookies([{ name: name!, value: value!, url: origin }]);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    onPage(page);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${origin}/admin/documents/${this.id}`);
    await page.locator("html[data-ready]").waitFor();
    return { page, context, complaints };
  }

  /** The post as the API gives it. */
  // deno-lint-ignore no-explicit-any
  async read(): Promise<any> {
    return (await this.client.call("GET", `/api/admin/documents/${this.id}`)).json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.#contexts) await context.close();
    for (const service of this.#services) await service[Symbol.asyncDispose]();
    await Deno.remove(this.#dataDir, { recursive: true });
  }
}

/** Waits until something is so. */
export async function eventually(what: string, test: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await test())) {
    if (performance.now() > end) throw new Error(`It never came to this: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
