/**
 * The order of commits in which documents of a release take over slugs and unique values from one another: the
 * document that gives one up goes first. Documents that take them from one another form a ring and go in one
 * commit.
 *
 * @module
 */

/** The position of a document in the order. */
export interface CommitOrder {
  /** Documents with a lower number go first. */
  turn: number;
  /** The documents of the same commit, including this one; empty if it goes alone. */
  ring: string[];
}

/** The orders of documents, from the documents that each waits for. */
export function commitOrders(
  waits: ReadonlyMap<string, readonly string[]>,
): Map<string, CommitOrder> {
  const before = new Map([...waits.keys()].map((id) => [id, reachableFrom(id, waits)]));
  return new Map([...before].map(([id, reached]) => {
    const ring = [...reached].filter((other) => before.get(other)?.has(id)).sort();
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
