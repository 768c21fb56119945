/**
 * The room for former addresses: how many more a site can keep. Counting them reads them all, so a step of a transfer
 * does it once, and again only where its own additions may have filled the rest.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { FORMER_ADDRESSES_MAX } from "../limits/transfers.ts";
import { keyText } from "../store/operation.ts";
import { FormerAddressPages } from "./former_address_pages.ts";
import { keyOfFormerAddress } from "./former_addresses.ts";

/** Counts the former addresses that a step adds. */
export class AddressRoom {
  readonly #context: Context;
  readonly #pages: FormerAddressPages;
  readonly #max: number;
  #left: number | null = null;
  /** Whether something was added since they were counted. */
  #isDirty = false;

  constructor(context: Context, max = FORMER_ADDRESSES_MAX) {
    this.#context = context;
    this.#pages = new FormerAddressPages(context);
    this.#max = max;
  }

  /** Takes room for those of `addresses` that are not kept yet; false if there is too little, and nothing is taken. */
  async take(addresses: readonly string[]): Promise<boolean> {
    let left = this.#left ??= await this.#count();
    let more = addresses.length;
    if (more > left) {
      if (this.#isDirty) left = await this.#count();
      more = await this.#newOf(addresses);
    }
    if (more > left) return false;
    this.#left = left - more;
    this.#isDirty ||= more > 0;
    return true;
  }

  async #count(): Promise<number> {
    const { total } = await this.#pages.read(0, 0);
    this.#isDirty = false;
    return this.#left = this.#max - total;
  }

  async #newOf(addresses: readonly string[]): Promise<number> {
    const keys = addresses.map(keyOfFormerAddress).filter((key) => key !== null);
    const distinct = [...new Map(keys.map((key) => [keyText(key), key])).values()];
    const entries = await this.#context.store.getMany(distinct);
    return entries.filter(({ value }) => value === null).length;
  }
}
