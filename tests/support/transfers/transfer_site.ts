/**
 * A site that content is transferred to, and what tests do with it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { answered } from "../sites/admin_answers.ts";
import { type Answer, type TestApp, testApp } from "../sites/app.ts";

/** A file of an upload. */
export type UploadedFile = [name: string, content: string | Uint8Array];

/** The site, and its transfers. */
export interface TransferSite extends TestApp {
  upload(files: UploadedFile[], query?: string): Promise<Answer>;
  /** Uploads and analyses; answers the transfer. */
  // deno-lint-ignore no-explicit-any
  analysed(files: UploadedFile[], query?: string): Promise<any>;
  // deno-lint-ignore no-explicit-any
  transfer(id: string): Promise<any>;
  /** Runs to the end; answers the transfer. */
  // deno-lint-ignore no-explicit-any
  run(id: string, body?: Json): Promise<any>;
  // deno-lint-ignore no-explicit-any
  report(id: string, query?: string): Promise<any[]>;
  // deno-lint-ignore no-explicit-any
  documents(collection: string): Promise<any[]>;
}

/** A form with files. */
export function formOf(files: UploadedFile[]): FormData {
  const form = new FormData();
  for (const [name, content] of files) {
    form.append("file", new File([content as Uint8Array<ArrayBuffer>], name));
  }
  return form;
}

/** A fresh site. */
export async function transferSite(
  options: Parameters<typeof testApp>[0] = {},
): Promise<TransferSite> {
  const test = await testApp(options);
  await test.setUp();
  const post = (path: string, files: UploadedFile[]) =>
    test.admin("POST", path, undefined, { raw: formOf(files) });
  const transfer = async (id: string) => answered(await test.admin("GET", `/transfers/${id}`), 200);
  return Object.assign(test, {
    upload: (files: UploadedFile[], query = "") => post(`/transfers${query}`, files),
    async analysed(files: UploadedFile[], query = "") {
      const { id } = answered(await post(`/transfers${query}`, files), 202);
      await test.runner.drain();
      return await transfer(id);
    },
    transfer,
    async run(id: string, body: Json = {}) {
      answered(await test.admin("POST", `/transfers/${id}/run`, body), 202);
      await test.runner.drain();
      return await transfer(id);
    },
    async report(id: string, query = "") {
      const { text } = await test.admin("GET", `/transfers/${id}/report${query}`);
      return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
    },
    async documents(collection: string) {
      const path = `/documents?collection=${collection}&perPage=100&sort=createdAt`;
      return answered(await test.admin("GET", path), 200).data;
    },
  });
}
