/**
 * Packages for tests: good ones, and ones that no honest tool would make.
 *
 * @module
 */
import {
  newSigningKey,
  packFiles,
  signatureLine,
  type SigningKey,
} from "../../../jobs/packages/pack_package.ts";
import type { PublisherKey } from "../../../jobs/packages/verify_package.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { MANIFEST_FILE, SIGNATURE_FILE } from "../../../kv/model/entities/package_manifest.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { ADA, type Answer, type TestApp } from "./app.ts";
import { assertEquals } from "../harness/assert.ts";
import { NOON } from "../harness/context.ts";

/** A key that lives as long as the tests. */
export const ACME: SigningKey = newSigningKey("acme-1");

/** The setting that makes a key believed. */
export function publisher(key = ACME, facts: Partial<PublisherKey> = {}): PublisherKey {
  return {
    id: key.id,
    publicKey: key.publicKey,
    label: "Acme",
    prefix: "com.acme.",
    from: NOON / 1000 - 1_000,
    until: null,
    revoked: false,
    ...facts,
  };
}

/** Text as bytes. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A manifest's facts with what a test says otherwise. */
export function manifestOf(
  files: Record<string, string | Uint8Array>,
  facts: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id: "com.acme.sample",
    kind: "plugin",
    version: "1.0.0",
    api: ">=1 <2",
    name: "Sample",
    publisher: ACME.id,
    capabilities: [],
    hosts: [],
    hooks: [],
    settings: {},
    files: Object.fromEntries(
      Object.entries(files).map(([path, body]) => [path, sha256(body)]),
    ),
    ...facts,
  };
}

/** What a package is made of, each part as a test wants it. */
export interface Parts {
  files?: Record<string, string | Uint8Array>;
  facts?: Record<string, unknown>;
  /** The manifest's exact text, instead of one made from `facts`. */
  manifest?: string;
  key?: SigningKey;
  /** Files put in besides, unlisted. */
  more?: [string, string | Uint8Array][];
  /** Changes the manifest after it was signed. */
  tamper?: (manifest: string) => string;
}

/** A package, signed, whatever is in it. */
export async function packageOf(parts: Parts = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { files = {}, facts = {}, key = ACME, more = [], tamper = (text) => text } = parts;
  const text = parts.manifest ?? JSON.stringify(manifestOf(files, facts));
  const entries = [...Object.entries(files), ...more].map(([path, body]) =>
    [path, typeof body === "string" ? bytes(body) : body] as const
  );
  return await packFiles([
    [MANIFEST_FILE, bytes(tamper(text))],
    [SIGNATURE_FILE, signatureLine(bytes(text), key)],
    ...entries,
  ]);
}

/** A theme that says who it is. */
export function themeParts(word: string, facts: Record<string, unknown> = {}): Parts {
  return {
    files: {
      "theme.json": "{}",
      "templates/home.liquid": `<!doctype html><title>${word}</title><h1>{{ site.title }}</h1>` +
        `<link rel="stylesheet" href="{{ "site.css" | asset }}">`,
      "assets/site.css": `/* ${word} */`,
    },
    facts: { id: "com.acme.look", kind: "theme", name: "Look", ...facts },
  };
}

/** An application that is set up and believes {@linkcode ACME}. */
export async function trusting(test: TestApp, publishers = [publisher()]): Promise<TestApp> {
  await test.setUp();
  await trust(test, publishers);
  return test;
}

/** Sets whose signatures are believed. */
export async function trust(test: TestApp, publishers: PublisherKey[]): Promise<void> {
  // The clock of a test may have passed the sign-in by far.
  assertEquals(
    (await test.admin("POST", "/session/prove", { password: ADA.password })).status,
    200,
  );
  const body = { "packages.publishers": publishers as unknown as Json };
  assertEquals((await test.admin("PATCH", "/settings", body)).status, 200);
}

/** Uploads a package and answers the job as it ended. */
export async function install(
  test: TestApp,
  kind: "themes" | "plugins",
  packed: Uint8Array<ArrayBuffer>,
  fields: { accept?: string[]; downgrade?: boolean } = {},
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  const form = new FormData();
  for (const capability of fields.accept ?? []) form.append("accept", capability);
  if (fields.downgrade !== undefined) form.append("downgrade", String(fields.downgrade));
  form.append("package", new Blob([packed]), "package.tar.gz");
  // The boundary is in the header that a Response of the form has.
  const whole = new Response(form);
  const headers = { "content-type": whole.headers.get("content-type")! };
  const raw = await whole.arrayBuffer();
  return await ended(test, await test.admin("POST", `/${kind}`, undefined, { raw, headers }));
}

/** The INSTALL job that an answer names, as it ended after one round of work. */
// deno-lint-ignore no-explicit-any
export async function ended(test: TestApp, started: Answer): Promise<any> {
  assertEquals(started.status, 202, started.text);
  await test.runner.drain();
  return (await test.admin("GET", `/jobs/${started.json.jobId}`)).json;
}
