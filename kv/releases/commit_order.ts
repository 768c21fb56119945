/**
 * In which order the documents of a release take over slugs and unique values from one another: who gives one
 * up goes before who takes it. Documents that take them from one another in a ring go in one commit.
 *
 * @module
 */

/** When a document has its turn. */
export interface CommitOrder {
  /** Documents with a lower one go before it. */
  turn: number;
  /** The documents that go in the same commit, itself among them; empty when it goes alone. */
  ring: string[];
}

/** The turns of documents, from those that each waits for. */
export function commitOrders(
  waits: ReadonlyMap<string, readonly string[]>,
): Map<string, CommitOrder> {
  const before = new Map([...waits.keys()].map((id) => [id, reachableFrom(id, waits)]));
  return new Map([...before].map(([id, reached]) => {
    const ring = [...reached].filter((other) => before.get(other)!.has(id)).sort();
    // A document that waits for another reaches all that the other reaches, and the other.
    return [id, { turn: reached.size - ring.length, ring }];
  }));
}

function reachableFrom(id: string, waits: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [...waits.get(id) ?? []];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...waits.get(next) ?? []);
  }
  return reached;
}
