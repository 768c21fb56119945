/**
 * A value in memory that is loaded again when the versionstamp of a key has moved. A caller that asks while a load
 * is under way waits for it, if it will be new enough; no caller gets a value older than its own read.
 *
 * @module
 */

/** A value, and the versionstamp as of which it was loaded, or an earlier one. */
export interface Stamped {
  readonly version: string | null;
}

/**
 * Loads a value from what was kept of the one before. It is stamped with `version`, which was read before the
 * load began, or with a later reading.
 */
type Load<T> = (previous: T | undefined, version: string | null) => Promise<T>;

/** Keeps the newest value. */
export class ReferenceManager<T extends Stamped> {
  readonly #load: Load<T>;
  #newest: T | undefined;
  #loading: Promise<T> | null = null;

  constructor(load: Load<T>) {
    this.#load = load;
  }

  /** The newest value that this process has seen, if any. */
  get known(): T | undefined {
    return this.#newest;
  }

  /** The newest value, if it is as new as a versionstamp. */
  find(version: string | null): T | undefined {
    const known = this.#newest;
    return known !== undefined && isNewEnough(known, version) ? known : undefined;
  }

  /** The value at a versionstamp that was read just now, or a newer one. */
  async at(version: string | null): Promise<T> {
    for (;;) {
      const known = this.find(version);
      if (known !== undefined) return known;
      if (this.#loading === null) {
        return await this.#start(() => this.#load(this.#newest, version));
      }
      // It may have started before this request, and an error belongs to its initiator.
      await this.#loading.catch(() => {});
    }
  }

  /**
   * Starts to load, concurrently with the read of the versionstamp that will be requested; `load` stamps the
   * value with the versionstamp it reads itself.
   */
  begin(load: (previous: T | undefined) => Promise<T>): void {
    if (this.#loading !== null) return;
    // An error belongs to the caller.
    this.#start(() => load(this.#newest)).catch(() => {});
  }

  /** Loads again at the next request. */
  forget(value: T): void {
    if (this.#newest === value) this.#newest = undefined;
  }

  async #start(load: () => Promise<T>): Promise<T> {
    this.#loading = load();
    try {
      return this.#newest = await this.#loading;
    } finally {
      this.#loading = null;
    }
  }
}

/** Versionstamps grow with every commit and have one length; null is a key that does not exist. */
function isNewEnough(known: Stamped, version: string | null): boolean {
  if (version === null || known.version === null) return known.version === version;
  return known.version >= version;
}
