/**
 * Former addresses of documents and media, which transfers bring from other systems. Each is a row that
 * leads to an entity, so it follows every later change of the entity's own address.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Key } from "../keys.ts";
import { FORMER_ADDRESS_BYTES_MAX } from "../limits/transfers.ts";
import { canonicalPath, splitAddress, withoutSlash } from "../model/entities/redirect.ts";
import type { Operation } from "../store/operation.ts";
import {
  formerAddressesChangedKey,
  formerAddressKey,
  formerAddressPrefix,
} from "./redirect_keys.ts";

/** A former address. */
export interface FormerAddress {
  type: "document" | "media_metadata";
  id: string;
  /** The language of a translation of the document; absent for the document itself. */
  language?: string;
  /** The transfer that brought it. */
  transfer: string;
}

/** An address as its row is named; null for one that is too long to be kept. */
function formerAddressOf(path: string, query: string | null): string | null {
  const address = withoutSlash(canonicalPath(path)) + (query === null ? "" : `?${query}`);
  return new TextEncoder().encode(address).byteLength > FORMER_ADDRESS_BYTES_MAX ? null : address;
}

/** Adds a former address to a commit; false if it cannot be kept. */
export function stageFormerAddress(
  operation: Operation,
  address: string,
  row: FormerAddress,
): boolean {
  const key = keyOfFormerAddress(address);
  if (key === null) return false;
  operation.set(key, row).touch(formerAddressesChangedKey);
  return true;
}

/** Adds the removal of a former address to a commit. */
export function stageAddressRemoval(operation: Operation, address: string): void {
  operation.delete(formerAddressKey(address)).touch(formerAddressesChangedKey);
}

/** The key of an address; null if it cannot be kept. */
export function keyOfFormerAddress(address: string): Key | null {
  const { path, query } = splitAddress(address);
  const name = formerAddressOf(path, query);
  // The home page is never a former address of something else, unless a query tells them apart.
  if (name === null || name === "/" || !name.startsWith("/")) return null;
  return formerAddressKey(name);
}

/** The row of an address; null if no transfer has brought it. */
export async function findFormerAddress(
  { store }: Context,
  path: string,
  query: string | null,
): Promise<{ address: string; row: FormerAddress } | null> {
  const address = formerAddressOf(path, query);
  if (address === null) return null;
  const { value: row } = await store.get<FormerAddress>(formerAddressKey(address));
  return row && { address, row };
}

/** All former addresses, in order; with `after` those behind that one. */
export async function* listFormerAddresses(
  { store }: Context,
  after = "",
): AsyncGenerator<{ address: string; row: FormerAddress }> {
  const start = after === "" ? {} : { start: [...formerAddressKey(after), 0] };
  const range = { prefix: formerAddressPrefix, ...start };
  for await (const { key, value } of store.list<FormerAddress>(range, { batchSize: 500 })) {
    yield { address: key[1] as string, row: value };
  }
}
