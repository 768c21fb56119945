/**
 * Pages of the former addresses of a site. Their number, and every thousandth of them, are kept in memory until a
 * commit adds or removes one: a page then reads about as many rows as it shows, wherever it is.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { FORMER_ADDRESSES_PER_MARK } from "../tuning.ts";
import { type FormerAddress, listFormerAddresses } from "./former_addresses.ts";
import { formerAddressesChangedKey } from "./redirect_keys.ts";

/** What is known of all former addresses as of a change of them. */
interface KnownAddresses {
  versionstamp: string | null;
  total: number;
  /** The address before each page of a thousand. */
  marks: string[];
}

/** Lists former addresses by position. */
export class FormerAddressPages {
  readonly #context: Context;
  #known: Promise<KnownAddresses> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The addresses from position `start` to before `end`, and how many there are. */
  async read(
    start: number,
    end: number,
  ): Promise<{ rows: { address: string; row: FormerAddress }[]; total: number }> {
    const { total, marks } = await this.#current();
    const rows: { address: string; row: FormerAddress }[] = [];
    if (start >= Math.min(end, total)) return { rows, total };
    const page = Math.floor(start / FORMER_ADDRESSES_PER_MARK);
    let position = page * FORMER_ADDRESSES_PER_MARK;
    for await (const found of listFormerAddresses(this.#context, marks[page])) {
      if (position >= start) rows.push(found);
      position += 1;
      if (position >= end) break;
    }
    return { rows, total };
  }

  async #current(): Promise<KnownAddresses> {
    const { versionstamp } = await this.#context.store.get(formerAddressesChangedKey);
    const known = await this.#known?.catch(() => null);
    if (known?.versionstamp === versionstamp) return known;
    return await (this.#known = this.#count(versionstamp));
  }

  async #count(versionstamp: string | null): Promise<KnownAddresses> {
    let total = 0;
    const marks = [""];
    for await (const { address } of listFormerAddresses(this.#context)) {
      total += 1;
      if (total % FORMER_ADDRESSES_PER_MARK === 0) marks.push(address);
    }
    return { versionstamp, total, marks };
  }
}
