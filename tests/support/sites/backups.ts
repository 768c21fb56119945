/**
 * Back-ups in tests: a site with something of everything, its administrator, and tarballs taken apart and
 * put together again.
 *
 * @module
 */
import { packTar, unpackTar } from "modern-tar";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { JobRecord } from "../../../kv/jobs/job.ts";
import { jobKey } from "../../../kv/jobs/job_keys.ts";
import { type Answer, callApp, type TestApp } from "./app.ts";
import { IMAGES } from "./images.ts";

/** The administrator of the sites below. */
export const ADMIN = {
  email: "ada@example.org",
  password: "correct horse battery",
  displayName: "Ada",
};

/** A user who is signed in. */
export interface Admin {
  cookie: string;
  ask(method: string, path: string, body?: Json, raw?: BodyInit): Promise<Answer>;
}

/** Sets a site up and signs its administrator in. */
export async function setUpAdmin(app: TestApp, facts = ADMIN): Promise<Admin> {
  const body = { code: "setup-code", siteTitle: "The Lantern", ...facts };
  const { status, headers, text } = await app.call("POST", "/api/admin/setup", { body });
  if (status !== 201) throw new Error(text);
  return adminOf(app, headers);
}

/** Signs an administrator in. */
export async function signIn(app: TestApp, facts = ADMIN): Promise<Admin> {
  const { email, password } = facts;
  const answer = await app.call("POST", "/api/admin/session", { body: { email, password } });
  if (answer.status !== 200) throw new Error(answer.text);
  return adminOf(app, answer.headers);
}

function adminOf(app: TestApp, headers: Headers): Admin {
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  return {
    cookie,
    ask: (method, path, body, raw) =>
      callApp(app.app, method, `/api/admin${path}`, {
        ...(body !== undefined && { body }),
        ...(raw !== undefined && { raw }),
        headers: {
          cookie,
          ...(raw instanceof Uint8Array && { "content-type": "application/gzip" }),
        },
      }),
  };
}

/** Runs what is due; answers a job as the store has it. */
export async function finishJob(app: TestApp, jobId: string): Promise<JobRecord> {
  for (let round = 0; round < 200; round++) {
    await app.runner.drain();
    const { value } = await app.context.store.get<JobRecord>(jobKey(jobId));
    if (value!.state === "done" || value!.state === "failed") return value!;
    app.context.advance(1_000);
  }
  throw new Error("The job comes to no end");
}

/** Makes a back-up and downloads it. */
export async function download(
  app: TestApp,
  admin: Admin,
  options: Record<string, Json> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { json } = await admin.ask("POST", "/exports", options);
  const job = await finishJob(app, json.jobId);
  if (job.state !== "done") throw new Error(`${job.error}`);
  const request = new Request(`http://localhost/api/admin/exports/${json.jobId}`, {
    headers: { cookie: admin.cookie },
  });
  const response = await app.app.fetch(request, { remoteAddr: { hostname: "192.0.2.1" } });
  return new Uint8Array(await response.arrayBuffer());
}

/** Imports a tarball; answers the finished job. */
export async function importTarball(
  app: TestApp,
  admin: Admin,
  tarball: Uint8Array<ArrayBuffer>,
): Promise<JobRecord> {
  const { json, status, text } = await admin.ask("POST", "/imports", undefined, tarball);
  if (status !== 202) throw new Error(text);
  return await finishJob(app, json.jobId);
}

/** The files of a tarball, by name. */
export async function filesOf(tarball: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const plain = await gunzip(tarball);
  const files = await unpackTar(plain, { strict: true });
  const decoder = new TextDecoder();
  return new Map(files.map(({ header, data }) => [header.name, decoder.decode(data)]));
}

/** What `tables/…` hold, for comparison. */
export async function tablesOf(tarball: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const files = await filesOf(tarball);
  return Object.fromEntries([...files].filter(([name]) => name !== "manifest.json"));
}

/** Something to put into a tarball. */
export interface Entry {
  name: string;
  body?: string | Uint8Array<ArrayBuffer>;
  type?: "file" | "symlink" | "link" | "directory";
  linkname?: string;
}

/** A gzip tarball of entries. */
export async function tarballOf(entries: Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const packed = await packTar(entries.map(({ name, body = "", type = "file", linkname }) => {
    const bytes = typeof body === "string" ? encoder.encode(body) : body;
    const header = { name, type, size: bytes.byteLength, ...(linkname && { linkname }) };
    return { header, body: bytes };
  }));
  return await gzip(packed);
}

/** A tarball with some files changed; null takes one away. */
export async function changedTarball(
  tarball: Uint8Array<ArrayBuffer>,
  changes: Record<string, ((text: string) => string) | null>,
): Promise<Uint8Array<ArrayBuffer>> {
  const entries: Entry[] = [];
  for (const [name, text] of await filesOf(tarball)) {
    const change = changes[name];
    if (change === null) continue;
    entries.push({ name, body: change === undefined ? text : change(text) });
  }
  return await tarballOf(entries);
}

export function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream("gzip"));
}

function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream("gzip"));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** A picture in a form. */
export function pictureForm(): FormData {
  const form = new FormData();
  form.set("file", new Blob([IMAGES["image/png"]]), "lamp.png");
  form.set("alt", "A lamp");
  return form;
}
