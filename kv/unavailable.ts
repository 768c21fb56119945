/**
 * Failures of the two stores, below everything that throws or answers them.
 *
 * @module
 */

/** The store did not answer in time: a read may be repeated, the outcome of a commit is unknown. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

/** The disk of an embedded store has no room left; nothing was applied. */
export class StoreFull extends StoreUnavailable {
  override name = "StoreFull";
}

/** The object store does not answer; a caller may try again. */
export class ObjectStoreUnavailable extends Error {
  override name = "ObjectStoreUnavailable";
}

/** The disk of the objects has no room left; nothing was stored. */
export class ObjectsFull extends ObjectStoreUnavailable {
  override name = "ObjectsFull";
}
