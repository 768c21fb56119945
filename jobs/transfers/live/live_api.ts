/**
 * The API of another system, read page by page through the guarded request. Every answer is stored, so that an analysis
 * that is cut off continues where it was.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import { TRANSFER_BYTES_MAX } from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { transferAnswerPath, transferAnswersPrefix } from "../../../kv/objects/paths.ts";
import {
  REDIRECTS_MAX,
  TRANSFER_API_PAGE_BYTES_MAX,
  TRANSFER_API_PAGE_MS_MAX,
  TRANSFER_API_REQUESTS_MAX,
  TRANSFER_API_WAIT_MS_MAX,
} from "../../limits.ts";
import {
  type GuardedAnswer,
  type GuardedRequest,
  isTemporary,
} from "../../network/guarded_request.ts";
import { BadSource } from "../reading/source_file.ts";

/** Attempts of a request that the API cannot answer now. */
const ATTEMPTS = 5;

/** An answer of an API. */
export interface ApiAnswer {
  body: Json;
  headers: Readonly<Record<string, string>>;
}

/** How an API is called. */
export interface ApiOptions {
  context: Context;
  request: GuardedRequest;
  transferId: string;
  /** The analysis that reads it. */
  generation: string;
  /** The address that all others begin with. */
  base: string;
  /** Headers that prove who is calling. */
  headers: () => Promise<Record<string, string>>;
  signal: AbortSignal;
  /** Called with the number of answers after each. */
  onAnswer: (answers: number) => Promise<void>;
}

/** Reads an API. */
export class LiveApi {
  readonly #options: ApiOptions;
  #answers = 0;
  #bytes = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** The address of the source, without a slash at its end. */
  get base(): string {
    return this.#options.base.replace(/\/+$/, "");
  }

  /** The JSON at a path; null if the API has nothing there or does not show it, or with one of these statuses. */
  async find(path: string, refused: readonly number[] = []): Promise<ApiAnswer | null> {
    const answer = await this.#load(path);
    if ([401, 403, 404, ...refused].includes(answer.status)) return null;
    return jsonOf(path, answer);
  }

  /** The JSON at a path. */
  async get(path: string): Promise<ApiAnswer> {
    return jsonOf(path, await this.#load(path));
  }

  async #load(path: string): Promise<StoredAnswer> {
    const { context: { objects }, transferId, generation, signal } = this.#options;
    signal.throwIfAborted();
    if (this.#answers >= TRANSFER_API_REQUESTS_MAX) {
      throw new BadSource(
        `A source can have at most ${TRANSFER_API_REQUESTS_MAX.toLocaleString("en")} pages`,
      );
    }
    const url = `${this.base}${path}`;
    const object = transferAnswerPath(transferId, generation, sha256(url).slice(0, 40));
    const known = await objects.get(object);
    const bytes = known ?? new TextEncoder().encode(JSON.stringify(await this.#fetch(url)));
    if (known === null) await objects.put(object, bytes);
    this.#answers += 1;
    this.#bytes += bytes.byteLength;
    if (this.#bytes > TRANSFER_BYTES_MAX) throw new BadSource("The source is too large");
    await this.#options.onAnswer(this.#answers);
    return JSON.parse(new TextDecoder().decode(bytes)) as StoredAnswer;
  }

  async #fetch(url: string): Promise<StoredAnswer> {
    const { context } = this.#options;
    for (let attempt = 1;; attempt++) {
      const { status, headers, body } = await this.#follow(url);
      if (!isTemporary(status)) {
        const { "x-wp-totalpages": totalPages } = headers;
        return {
          status,
          headers: totalPages === undefined ? {} : { "x-wp-totalpages": totalPages },
          text: new TextDecoder().decode(body),
        };
      }
      if (attempt >= ATTEMPTS) throw new Error(`The source was answered with status ${status}`);
      const seconds = Number(headers["retry-after"] ?? attempt);
      const wait = Number.isFinite(seconds) ? seconds * 1_000 : attempt * 1_000;
      await context.store.sleep(Math.min(wait, TRANSFER_API_WAIT_MS_MAX));
    }
  }

  /** The answer of an address, or of the one on the same host that it leads to: no other host gets the token. */
  async #follow(given: string): Promise<GuardedAnswer> {
    const { request, headers, signal } = this.#options;
    let url = given;
    for (let redirects = 0;; redirects++) {
      const answer = await request({
        url,
        headers: { accept: "application/json", ...await headers() },
        bytesMax: TRANSFER_API_PAGE_BYTES_MAX,
        msMax: TRANSFER_API_PAGE_MS_MAX,
        signal,
      });
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status > 399 || location === undefined) return answer;
      const next = URL.parse(location, url);
      if (next?.hostname !== new URL(url).hostname || redirects >= REDIRECTS_MAX) {
        throw new BadSource("The source leads to another host: use its address");
      }
      url = next.href;
    }
  }
}

/** Deletes the stored answers of a transfer. */
export async function forgetAnswers({ objects }: Context, transferId: string): Promise<void> {
  for await (const { key } of objects.list(transferAnswersPrefix(transferId))) {
    await objects.delete(key);
  }
}

interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

function jsonOf(path: string, { status, headers, text }: StoredAnswer): ApiAnswer {
  if (status === 401 || status === 403) {
    throw new BadSource(`The source does not accept the token for ${shown(path)}`);
  }
  if (status < 200 || status > 299) {
    throw new BadSource(`The source has status ${status} for ${shown(path)}`);
  }
  try {
    return { body: JSON.parse(text) as Json, headers };
  } catch (cause) {
    throw new BadSource(`The source has no JSON at ${shown(path)}`, { cause });
  }
}

/** A path without its query, which can hold a key. */
function shown(path: string): string {
  return path.split("?")[0] ?? path;
}

/** The objects in a list of an answer. */
export function objectsOf(body: Json, name: string | null = null): JsonObject[] {
  const value = name === null ? body : isJsonObject(body) ? body[name] : null;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Objects as a JSON array. */
export async function* jsonArray(objects: AsyncIterable<object>): AsyncGenerator<string> {
  yield "[";
  let separator = "";
  for await (const one of objects) {
    yield `${separator}${JSON.stringify(one)}`;
    separator = ",\n";
  }
  yield "]";
}
