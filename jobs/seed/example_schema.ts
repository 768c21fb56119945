/**
 * The schema of the example site, a magazine: every field type is used somewhere. Collections come in the
 * order in which they are created, because references name collections that exist.
 *
 * @module
 */
import type { Json } from "../../kv/model/entities/entity.ts";
import SCHEMA from "./example_schema.json" with { type: "json" };

/** A definition as a body of the admin API. */
type Definition = { [key: string]: Json };

/** The block definitions. */
export const BLOCKS: readonly Definition[] = SCHEMA.blocks satisfies readonly Definition[];
/** The collections, in the order of their creation. */
export const COLLECTIONS: readonly Definition[] = SCHEMA
  .collections satisfies readonly Definition[];
