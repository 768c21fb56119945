/**
 * A digest of the inputs that all pages share.
 *
 * @module
 */
import { sha256 } from "../../kv/model/values/sha256.ts";
import type { Rendering } from "../render/views/view.ts";

const LOOKS = new WeakMap<Rendering, string>();

/** Represents everything about pages except their documents. */
export function lookOf(rendering: Rendering): string {
  const known = LOOKS.get(rendering);
  if (known !== undefined) return known;
  const { site, schema, theme, release, empty } = rendering;
  const facts = [site, schema.stamp, theme.digest, release];
  const look = sha256(JSON.stringify(empty === undefined ? facts : [...facts, [...empty].sort()]));
  LOOKS.set(rendering, look);
  return look;
}
