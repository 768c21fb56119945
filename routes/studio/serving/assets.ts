/**
 * Browser code and styles under `/admin/assets/`: named by content hash and cached indefinitely.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { Hono } from "@hono/hono";
import { acceptsGzip } from "../../answers/accepts_gzip.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { readStyleSheet } from "./stylesheet.ts";

/** The font's file that every page needs. */
const LATIN = /-latin-wght-normal-/;

/** A chunk that the entry imports before it runs, as the bundler writes it. */
const IMPORTED = /(?:from|import)"\.\/([\w-]+\.js)"/g;

interface Asset {
  type: string;
  body: Uint8Array<ArrayBuffer>;
  /** Absent if the body is already compressed. */
  zipped?: Uint8Array<ArrayBuffer>;
}

/** The addresses that a page names. */
export interface AssetNames {
  script: string;
  /** The imports of the script, which pages preload. */
  imported: string[];
  style: string;
  /** The font's file for Latin letters, which every page needs. */
  font: string;
}

interface LoadedAssets {
  names: AssetNames;
  files: Map<string, Asset>;
}

/** The files are part of the program, so all instances in a process share what was read of them. */
let loaded: Promise<LoadedAssets> | null = null;

/** The assets of the admin application, read when first asked for. */
export class Assets {
  /** The URLs that pages link to. */
  async names(): Promise<AssetNames> {
    return (await loadAssets()).names;
  }

  /** `/admin/assets`. */
  routes(): Hono {
    return new Hono().get("/:name", async (c) => {
      const { files } = await loadAssets();
      const asset = files.get(c.req.param("name"));
      if (asset === undefined) throw new Refusal("NOT_FOUND");
      const zipped = acceptsGzip(c.req.header("accept-encoding")) ? asset.zipped : undefined;
      return new Response(zipped ?? asset.body, {
        headers: {
          "content-type": asset.type,
          "cache-control": "public, max-age=31536000, immutable",
          "cross-origin-resource-policy": "same-origin",
          "vary": "Accept-Encoding",
          "x-content-type-options": "nosniff",
          ...(zipped && { "content-encoding": "gzip" }),
        },
      });
    });
  }
}

function loadAssets(): Promise<LoadedAssets> {
  return loaded ??= readAssets();
}

async function readAssets(): Promise<LoadedAssets> {
  const files = new Map<string, Asset>();
  const style = await readStyleSheet();
  const styleName = `studio-${sha256(style).slice(0, 12)}.css`;
  files.set(styleName, asset(style, "text/css; charset=utf-8"));
  let script = "";
  let imported: string[] = [];
  let font = "";
  for await (const { name } of Deno.readDir(new URL("../built/", import.meta.url))) {
    if (name.endsWith(".woff2")) {
      if (LATIN.test(name)) font = name;
      files.set(name, {
        type: "font/woff2",
        body: await Deno.readFile(locate(`../built/${name}`)),
      });
    }
    if (!name.endsWith(".js")) continue;
    const source = await read(`../built/${name}`);
    // The bundler puts a hash into the names of all files but the entry's.
    const address = name === "studio.js" ? `studio-${sha256(source).slice(0, 12)}.js` : name;
    if (name === "studio.js") {
      script = address;
      imported = [...source.matchAll(IMPORTED)].map(([, chunk]) => `/admin/assets/${chunk}`);
    }
    files.set(address, asset(source, "text/javascript; charset=utf-8"));
  }
  const names = {
    script: `/admin/assets/${script}`,
    imported,
    style: `/admin/assets/${styleName}`,
    font: `/admin/assets/${font}`,
  };
  return { names, files };
}

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(locate(path));
}

function locate(path: string): URL {
  return new URL(path, import.meta.url);
}

function asset(text: string, type: string): Asset {
  const body = new TextEncoder().encode(text);
  return { type, body, zipped: new Uint8Array(gzipSync(body, { level: 9 })) };
}
