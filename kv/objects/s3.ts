/**
 * Objects in an S3 bucket, or in what speaks its protocol. The AWS client is loaded when it is first
 * used; no other file imports it. Bodies are sent as whole arrays, never as streams, so that the
 * client's checksums are plain headers which every server understands.
 *
 * @module
 */
import { ObjectStoreUnavailable } from "../unavailable.ts";
import type { S3Client } from "@aws-sdk/client-s3";
import type { FetchHttpHandler } from "@smithy/fetch-http-handler";
import { AnswerTimeouts } from "./answer_timeouts.ts";
import { fillParts, firstBytes, joinBytes, readWithin } from "./object_bytes.ts";
import { type ObjectInfo, type ObjectRange, type ObjectStore } from "./object_store.ts";
import { assertObjectKey } from "./paths.ts";
import { isBroken, type PiecewiseRequest, sendInPieces } from "./sent_pieces.ts";

/** The location of the bucket, and the timeouts of calls to it. */
export interface S3Options {
  bucket: string;
  /** Given for anything that is not Amazon's own; addresses are path-style then. */
  endpoint?: string;
  region?: string;
  /** Without credentials the client looks for them in its usual places. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Until an attempt is answered, and between two pieces of a body, milliseconds. */
  answerMs?: number;
  /** Until something that is not large is answered, with all attempts, milliseconds. */
  waitMs?: number;
  /** How often a request is made before the store counts as unavailable. */
  attemptsMax?: number;
}

/** Bytes of one part of a multipart upload, the fewest allowed: with 10,000 parts, 50 GB fit. */
const PART_BYTES = 5_242_880;
/** Bodies from this size on are sent in pieces. */
const PIECEWISE_BYTES = 1_000_000;

/** With what may follow it, a request is answered within 5 s. */
const WAIT_MS = 4_000;

type Sdk = typeof import("@aws-sdk/client-s3");
type LoadedSdk = { sdk: Sdk; client: S3Client };
/** Options of each SDK call. */
type Sending = { abortSignal?: AbortSignal };
type Call<T> = (loaded: LoadedSdk, sending: Sending) => Promise<T>;
type Part = { PartNumber: number; ETag: string; ChecksumCRC32?: string };

/** An object store over one bucket. */
export class S3Objects implements ObjectStore {
  readonly #options: S3Options;
  readonly #answerMs: number;
  readonly #attemptsMax: number;
  readonly #answers: AnswerTimeouts;
  #loaded: Promise<LoadedSdk> | undefined;

  constructor(options: S3Options) {
    this.#options = options;
    this.#answerMs = options.answerMs ?? 20_000;
    this.#attemptsMax = options.attemptsMax ?? 3;
    this.#answers = new AnswerTimeouts(options.waitMs ?? WAIT_MS, (signal) => this.#reach(signal));
  }

  /** Throws one clear line, which names the variable at fault, unless the bucket can be used. */
  async assertReady(): Promise<void> {
    const { bucket, endpoint } = this.#options;
    const server = endpoint === undefined ? "Amazon S3" : endpoint;
    try {
      const { sdk, client } = await this.#load();
      // Unlike the answer to a HEAD, that to a GET has a body, which tells what is wrong.
      await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
    } catch (error) {
      const lines: { [status: number]: string } = {
        301: `S3_REGION: the bucket "${bucket}" is in another region`,
        400: `S3_BUCKET: ${server} refuses the name "${bucket}" or the request's signature`,
        403: `AWS_ACCESS_KEY_ID: ${server} refuses these credentials the bucket "${bucket}"`,
        404: `S3_BUCKET: there is no bucket "${bucket}" at ${server}`,
      };
      const line = describe(error, server, bucket) ?? lines[statusOf(error) ?? 0] ??
        `S3_ENDPOINT: ${server} does not answer (${nameOf(error)})`;
      throw new ObjectStoreUnavailable(line, { cause: error });
    }
  }

  async put(
    key: string,
    body: Uint8Array,
    options: { contentType?: string } = {},
  ): Promise<void> {
    assertObjectKey(key);
    const isLarge = body.byteLength >= PIECEWISE_BYTES;
    await this.#call("put", key, ({ sdk, client }, sending) =>
      client.send(
        new sdk.PutObjectCommand({ ...this.#at(key), Body: body, ...contentType(options) }),
        sending,
      ), isLarge);
  }

  async putStream(
    key: string,
    body: ReadableStream<Uint8Array>,
    options: { contentType?: string } = {},
  ): Promise<{ bytes: number }> {
    assertObjectKey(key);
    const parts = fillParts(body, PART_BYTES);
    const { value: first, done } = await parts.next();
    if (done || first.last) {
      await this.put(key, done ? new Uint8Array() : first.bytes, options);
      return { bytes: done ? 0 : first.bytes.byteLength };
    }
    return await this.#putParts(key, first.bytes, parts, options);
  }

  async get(key: string): Promise<Uint8Array | null> {
    assertObjectKey(key);
    for (let attempt = 1;; attempt++) {
      try {
        const stream = await this.getStream(key);
        return stream === null ? null : joinBytes(await Array.fromAsync(stream));
      } catch (error) {
        if (!(error instanceof BrokenBody) || attempt >= this.#attemptsMax) throw error;
      }
    }
  }

  async getStream(key: string, range?: ObjectRange): Promise<ReadableStream<Uint8Array> | null> {
    assertObjectKey(key);
    if (range?.end !== undefined && range.end <= range.start) {
      // HTTP cannot spell an empty range: a server would answer the whole object.
      return await this.head(key) === null ? null : new Blob().stream();
    }
    const last = range?.end === undefined ? "" : range.end - 1;
    const wanted = range === undefined ? {} : { Range: `bytes=${range.start}-${last}` };
    const found = await this.#find("get", key, async ({ sdk, client }, sending) => {
      const input = { ...this.#at(key), ...wanted };
      const body = client.send(new sdk.GetObjectCommand(input), sending).then(({ Body }) =>
        Body?.transformToWebStream() as ReadableStream<Uint8Array>
      );
      return await body.catch((error) => {
        if (statusOf(error) === 416) return new Blob().stream();
        throw error;
      });
    });
    if (found === null) return null;
    const stream = readWithin(
      found,
      this.#answerMs,
      (cause) => new BrokenBody(`The body of ${key} broke off`, { cause }),
    );
    // Some servers answer more than was asked for.
    return range?.end === undefined ? stream : stream.pipeThrough(
      firstBytes(range.end - range.start),
    );
  }

  async head(key: string): Promise<ObjectInfo | null> {
    assertObjectKey(key);
    return await this.#find("head", key, async ({ sdk, client }, sending) => {
      const found = await client.send(new sdk.HeadObjectCommand(this.#at(key)), sending);
      return {
        key,
        bytes: found.ContentLength ?? 0,
        modifiedAt: found.LastModified?.getTime() ?? 0,
      };
    });
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await this.#find(
      "delete",
      key,
      ({ sdk, client }, sending) =>
        client.send(new sdk.DeleteObjectCommand(this.#at(key)), sending),
    );
  }

  async *list(prefix: string, after?: string): AsyncIterable<ObjectInfo> {
    let from: { ContinuationToken?: string; StartAfter?: string } = after === undefined
      ? {}
      : { StartAfter: after };
    for (;;) {
      const page = await this.#call("list", prefix, ({ sdk, client }, sending) =>
        client.send(
          new sdk.ListObjectsV2Command({ Bucket: this.#options.bucket, Prefix: prefix, ...from }),
          sending,
        ));
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        yield { key: Key, bytes: Size ?? 0, modifiedAt: LastModified?.getTime() ?? 0 };
      }
      if (page.NextContinuationToken === undefined) return;
      from = { ContinuationToken: page.NextContinuationToken };
    }
  }

  /** Closes the connections that are kept open. */
  async close(): Promise<void> {
    this.#answers.stop();
    if (this.#loaded !== undefined) (await this.#loaded).client.destroy();
  }

  async #putParts(
    key: string,
    first: Uint8Array,
    rest: AsyncIterable<{ bytes: Uint8Array }>,
    options: { contentType?: string },
  ): Promise<{ bytes: number }> {
    const UploadId = await this.#call("put", key, async ({ sdk, client }) => {
      // Said at the start, or a strict server finds no part by the checksum that its own upload gave.
      const checksums = { ChecksumAlgorithm: "CRC32" } as const;
      const input = { ...this.#at(key), ...contentType(options), ...checksums };
      return (await client.send(new sdk.CreateMultipartUploadCommand(input))).UploadId;
    }, true);
    const upload = { ...this.#at(key), UploadId };
    const parts: Part[] = [];
    let bytes = 0;
    const send = async (body: Uint8Array) => {
      parts.push(await this.#putPart(key, upload, parts.length + 1, body));
      bytes += body.byteLength;
    };
    try {
      await send(first);
      for await (const part of rest) await send(part.bytes);
      await this.#call("put", key, ({ sdk, client }) =>
        client.send(
          new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
        ), true);
    } catch (error) {
      await this.#abort(upload);
      throw error;
    }
    return { bytes };
  }

  #putPart(
    key: string,
    upload: { Bucket: string; Key: string; UploadId: string | undefined },
    PartNumber: number,
    Body: Uint8Array,
  ): Promise<Part> {
    return this.#call("put", key, async ({ sdk, client }) => {
      const input = { ...upload, PartNumber, Body };
      const { ETag, ChecksumCRC32 } = await client.send(new sdk.UploadPartCommand(input));
      const checksum = ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 };
      return { PartNumber, ETag: ETag ?? "", ...checksum };
    }, true);
  }

  /** Aborts an upload. If that fails, it stays invisible until the bucket's lifecycle rule removes it. */
  async #abort(upload: { Bucket: string; Key: string; UploadId: string | undefined }) {
    const { sdk, client } = await this.#load();
    await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {});
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: key };
  }

  /** The same as a call, for what may be absent. */
  async #find<T>(verb: string, key: string, work: Call<T>): Promise<T | null> {
    return await this.#call<T | null>(
      verb,
      key,
      (loaded, sending) =>
        work(loaded, sending).catch((error) => {
          if (statusOf(error) === 404 && nameOf(error) !== "NoSuchBucket") return null;
          throw error;
        }),
    );
  }

  /** Makes a call; one with a large body takes as long as something moves. */
  async #call<T>(verb: string, key: string, work: Call<T>, isLarge = false): Promise<T> {
    try {
      const loaded = await this.#load();
      if (!isLarge) return await this.#answers.ask((abortSignal) => work(loaded, { abortSignal }));
      await this.#answers.pass();
      return await work(loaded, {});
    } catch (error) {
      throw unavailable(verb, key, error);
    }
  }

  /** Any answer will do. */
  async #reach(abortSignal: AbortSignal): Promise<void> {
    const { sdk, client } = await this.#load();
    const asked = client.send(new sdk.HeadBucketCommand({ Bucket: this.#options.bucket }), {
      abortSignal,
    });
    await asked.catch((error) => {
      if (statusOf(error) === undefined) throw error;
    });
  }

  #load(): Promise<LoadedSdk> {
    return this.#loaded ??= this.#connect();
  }

  async #connect(): Promise<LoadedSdk> {
    const sdk = await import("@aws-sdk/client-s3");
    const { FetchHttpHandler } = await import("@smithy/fetch-http-handler");
    const { endpoint, region, credentials } = this.#options;
    const client = new sdk.S3Client({
      region: region || "us-east-1",
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials === undefined ? {} : { credentials }),
      maxAttempts: this.#attemptsMax,
      requestHandler: sending(
        new FetchHttpHandler({ requestTimeout: this.#answerMs }),
        this.#answerMs,
      ),
    });
    return { sdk, client };
  }
}

/**
 * Sends large bodies in pieces, and marks a connection that failed as worth another attempt, which the
 * client knows of Node's errors only. The handler gives an attempt up without telling `fetch`, whose response
 * would then arrive unread and keep its connection.
 */
function sending<H extends FetchHttpHandler>(handler: H, answerMs: number): H {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const { body } = request;
    if (body instanceof Uint8Array && body.byteLength >= PIECEWISE_BYTES) {
      const signal = options?.abortSignal as AbortSignal | undefined;
      const sent = request as PiecewiseRequest;
      try {
        return { response: await sendInPieces(sent, { ms: answerMs, signal }) as never };
      } catch (error) {
        // Only fetch knows authorities that were added to the runtime's own: it may trust this server.
        if (sent.protocol !== "https:" || !isBroken(error)) throw error;
      }
    }
    const attempt = new AbortController();
    const given = options?.abortSignal as AbortSignal | undefined;
    const abortSignal = AbortSignal.any([attempt.signal, ...given === undefined ? [] : [given]]);
    try {
      return await handle(request, { ...options, abortSignal });
    } catch (error) {
      attempt.abort();
      throw error instanceof TypeError ? Object.assign(error, { $retryable: {} }) : error;
    }
  };
  return handler;
}

/** A body that ended too early or stood still; reading it again may work. */
class BrokenBody extends ObjectStoreUnavailable {
  override name = "BrokenBody";
}

function contentType(options: { contentType?: string }): { ContentType?: string } {
  return options.contentType === undefined ? {} : { ContentType: options.contentType };
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}

/**
 * The line for what the server, or the client before it asks at all, calls by a name; undefined for
 * anything else.
 */
function describe(error: unknown, server: string, bucket: string): string | undefined {
  const lines: { [name: string]: string } = {
    CredentialsProviderError: "AWS_ACCESS_KEY_ID: there are no credentials",
    InvalidAccessKeyId: `AWS_ACCESS_KEY_ID: ${server} does not know this key`,
    // What versitygw calls the same, with the status of a missing bucket.
    XAdminUserNotFound: `AWS_ACCESS_KEY_ID: ${server} does not know this key`,
    SignatureDoesNotMatch: `AWS_SECRET_ACCESS_KEY: ${server} finds a wrong signature`,
    AuthorizationHeaderMalformed: `S3_REGION: the bucket "${bucket}" is in another region`,
    InvalidBucketName: `S3_BUCKET: "${bucket}" is no name of a bucket`,
    RequestTimeTooSkewed: `The clock of this machine differs too much from that of ${server}`,
  };
  return lines[nameOf(error)];
}

function unavailable(verb: string, key: string, cause: unknown): ObjectStoreUnavailable {
  const status = statusOf(cause) ?? "no answer";
  return new ObjectStoreUnavailable(`S3 ${verb} ${key} failed: ${nameOf(cause)}, ${status}`, {
    cause,
  });
}
