/**
 * HTTP requests to addresses that users have entered. Every address that the name resolves to must be public,
 * and the connection goes to the address that was checked: a later DNS change has no effect.
 *
 * @module
 */
import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { joinBytes } from "../../kv/objects/object_bytes.ts";
import { isAllowedPrivately, isPublicAddress } from "./public_address.ts";

/** An address that must not be called; no repetition mends that. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** An outgoing request. */
export interface GuardedCall {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Bytes of the answer; a longer one is refused. */
  bytesMax: number;
  /** How long the whole call may take. */
  msMax: number;
  /** How many redirects are followed, each looked at like the first address. */
  redirectsMax?: number;
  signal?: AbortSignal;
}

/** The complete response. */
export interface GuardedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Whether a repeated request may get another answer: the server is busy, or it has failed. */
export function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Makes a guarded call; throws an {@linkcode AddressRefused} for an address that must not be called. */
export type GuardedRequest = (call: GuardedCall) => Promise<GuardedAnswer>;

/** How the guard is set. */
export interface GuardOptions {
  /** Whether private addresses and plain HTTP are allowed: for development. */
  allowLocal: boolean;
  /** Whether plain HTTP is allowed nevertheless. */
  allowPlain?: boolean;
  /** Which addresses may be called where private ones may not. */
  isPublic?: (address: string) => boolean;
  /**
   * Hosts in private networks, with or without a port, that may be called all the same, also over plain HTTP. Never
   * link-local addresses, where clouds keep credentials.
   */
  allowedHosts?: () => Promise<readonly string[]>;
  /** Resolves a host name to its addresses. */
  resolve?: (hostname: string) => Promise<string[]>;
}

/** A guard with these options. */
export function guardedRequest(options: GuardOptions): GuardedRequest {
  const resolve = options.resolve ?? systemResolve;
  return async function request(call) {
    const timeout = AbortSignal.timeout(call.msMax);
    const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
    let url = call.url;
    for (let redirects = 0;; redirects++) {
      const allowed = await optionsFor(url, options);
      const target = parseTarget(url, allowed);
      const addresses = await within(signal, addressesOf(target.hostname, resolve));
      if (!options.allowLocal) refusePrivate(target, addresses, allowed);
      const answer = await send(target, addresses[0]!, call, signal);
      const location = answer.headers.location;
      const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location;
      if (!isRedirect || call.redirectsMax === undefined) return answer;
      if (redirects >= call.redirectsMax) throw new AddressRefused("There are too many redirects");
      const next = URL.parse(location, target.href);
      if (next === null) throw new AddressRefused("A redirect leads to no address");
      url = next.href;
    }
  };
}

/** Refuses an address that must not be called, as far as this can be decided without calling it. */
export async function refuseAddress(url: string, given: GuardOptions): Promise<void> {
  const options = await optionsFor(url, given);
  const target = parseTarget(url, options);
  if (options.allowLocal) return;
  const addresses = await addressesOf(target.hostname, options.resolve ?? systemResolve)
    // A name that does not resolve now may do so when it is called.
    .catch(() => []);
  refusePrivate(target, addresses, options);
}

/** The options for one address: those of an allowed host are wider. */
async function optionsFor(url: string, options: GuardOptions): Promise<GuardOptions> {
  const target = URL.parse(url);
  if (options.allowedHosts === undefined || target === null) return options;
  const hosts = await options.allowedHosts();
  if (!hosts.includes(target.host) && !hosts.includes(target.hostname)) return options;
  return { ...options, allowPlain: true, isPublic: isAllowedPrivately };
}

/** The address, if it may be called as far as its text tells. */
function parseTarget(text: string, { allowLocal, allowPlain = allowLocal }: GuardOptions): URL {
  const url = URL.parse(text);
  if (url === null) throw new AddressRefused(`${text.slice(0, 200)} is no address`);
  const isPlain = url.protocol === "http:" && allowPlain;
  if (url.protocol !== "https:" && !isPlain) throw new AddressRefused(`${url.origin} is not HTTPS`);
  if (url.username !== "" || url.password !== "") {
    throw new AddressRefused(`The address of ${url.host} carries a password`);
  }
  return url;
}

async function addressesOf(
  hostname: string,
  resolve: (hostname: string) => Promise<string[]>,
): Promise<string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLiteral(literal)) return [literal];
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw new Error(`The name ${hostname} cannot be resolved`);
  return addresses;
}

/** One private address among several is enough: such an answer is hostile. */
function refusePrivate(
  { hostname }: URL,
  addresses: string[],
  { isPublic = isPublicAddress }: GuardOptions,
): void {
  const wrong = addresses.find((address) => !isPublic(address));
  if (wrong === undefined) return;
  throw new AddressRefused(
    wrong === hostname
      ? `${hostname} is not on the public internet`
      : `${hostname} (${wrong}) is not on the public internet`,
  );
}

async function systemResolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

function send(
  url: URL,
  address: string,
  call: GuardedCall,
  signal: AbortSignal,
): Promise<GuardedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GuardedAnswer>();
  const family = address.includes(":") ? 6 : 4;
  const pinned = (
    _name: string,
    { all }: { all?: boolean },
    done: (error: null, address: unknown, family?: number) => void,
  ) => all ? done(null, [{ address, family }]) : done(null, address, family);
  let request: http.ClientRequest;
  try {
    request = (url.protocol === "https:" ? https : http).request(url, {
      method: call.method ?? "GET",
      headers: headersOf(call),
      lookup: pinned as never,
      agent: false,
    });
  } catch (error) {
    if (!isUnpinnable(error)) throw error;
    return sendByFetch(url, address, call, signal);
  }
  const abort = () => {
    reject(asError(signal.reason));
    request.destroy();
  };
  signal.addEventListener("abort", abort, { once: true });
  request.on("error", reject);
  request.on("response", (response) => {
    gather(response, call.bytesMax).then((body) =>
      resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body })
    ).catch((error) => {
      request.destroy();
      reject(error);
    });
  });
  request.end(call.body);
  return promise.finally(() => signal.removeEventListener("abort", abort));
}

/** Deno 2.5 takes no `lookup`. */
function isUnpinnable(error: unknown): boolean {
  return error instanceof Error && /Not implemented.*lookup/.test(error.message);
}

/**
 * For Deno 2.5: plain HTTP is sent to the address as to a proxy that passes everything on. HTTPS cannot be, so it
 * goes to the name's current address; an internal host has no certificate for that name and receives nothing.
 */
async function sendByFetch(
  url: URL,
  address: string,
  call: GuardedCall,
  signal: AbortSignal,
): Promise<GuardedAnswer> {
  using client = url.protocol === "http:" ? clientOf(address, Number(url.port || 80)) : null;
  const response = await fetch(url, {
    method: call.method ?? "GET",
    headers: headersOf(call),
    redirect: "manual",
    signal,
    ...(client && { client }),
    ...(call.body !== undefined && { body: call.body as Uint8Array<ArrayBuffer> }),
  });
  const stream = response.body ?? new ReadableStream<Uint8Array>({ start: (it) => it.close() });
  const body = await gather(stream, call.bytesMax);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Connects to this address, whatever host a request names. */
function clientOf(hostname: string, port: number): Deno.HttpClient {
  return Deno.createHttpClient({ proxy: { transport: "tcp", hostname, port } });
}

function headersOf({ headers }: GuardedCall): Record<string, string> {
  return { "user-agent": "cms", "accept-encoding": "identity", ...headers };
}

async function gather(response: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw new AddressRefused(`The answer has over ${bytesMax} bytes`);
    pieces.push(new Uint8Array(piece));
  }
  return joinBytes(pieces);
}

function flat(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value ?? "",
    ]),
  );
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(asError(signal.reason));
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function isLiteral(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || text.includes(":");
}
