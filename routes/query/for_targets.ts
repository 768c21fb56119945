/**
 * References may lead to several collections, of which those count that have what a request names.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";

/** Does something for each target that does not refuse it; refused if all do, or any in another way. */
export function forTargets<T>(
  targets: readonly T[],
  without: Refusal,
  work: (target: T) => void,
  isPassedOver: (refusal: Refusal) => boolean = () => true,
): void {
  const refusals: Refusal[] = [];
  for (const target of targets) {
    try {
      work(target);
    } catch (error) {
      if (!(error instanceof Refusal) || !isPassedOver(error)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === targets.length) throw refusals[0] ?? without;
}
