/**
 * Answers with a page.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { html } from "@hono/hono/html";
import type { Child } from "@hono/hono/jsx";
import { Document } from "../components/document.tsx";
import { Mark } from "../components/icon.tsx";
import { type Crumb, Layout } from "../components/navigation/layout.tsx";
import { pageHeaders } from "./policy.ts";
import type { Frame, StudioContext, StudioEnv } from "./studio_env.ts";

/** The facts of a page that its layout shows. */
export interface PageFacts {
  title: string;
  /** The pages above this one. */
  crumbs?: Crumb[];
  /** Actions next to the title. */
  actions?: Child;
  /** A line below the title. */
  intro?: Child;
  /** The line above the title of a plain page, instead of the site's title. */
  eyebrow?: string;
  /** An additional origin whose pages it frames. */
  framed?: string | null;
  /** Lets the page use the whole width. */
  wide?: boolean;
  /** The title is a field of the form below; the heading is for screen readers. */
  editing?: boolean;
  /** Another page of the studio frames it, so it has no navigation. */
  sheet?: boolean;
  status?: 200 | 403 | 404 | 500 | 503;
}

/** A page inside the frame with navigation. */
export async function page(
  c: StudioContext,
  facts: PageFacts,
  children: Child,
): Promise<Response> {
  const visit = c.get("visit");
  const pins = await visit.pins;
  const body = <Layout visit={visit} facts={facts} pins={pins}>{children}</Layout>;
  return await send(c, visit, facts, body);
}

/** A page without navigation: sign-in, setup. */
export function plainPage(c: StudioContext, facts: PageFacts, children: Child): Promise<Response> {
  const frame = c.get("frame");
  const body = (
    <main class="plain">
      <div class="plain-card">
        <p class="brand">
          <Mark />
          <span>{facts.eyebrow ?? frame.siteTitle}</span>
        </p>
        <h1>{facts.title}</h1>
        {children}
      </div>
    </main>
  );
  return send(c, frame, facts, body);
}

async function send(
  c: HttpContext<StudioEnv>,
  frame: Frame,
  { title, framed, sheet = false, status = 200 }: PageFacts,
  body: Child,
): Promise<Response> {
  const whole = await html`<!doctype html>
    ${<Document frame={frame} title={title} sheet={sheet}>{body}</Document>}`;
  return c.html(whole, status, pageHeaders(frame.nonce, framed, sheet));
}
