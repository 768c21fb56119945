/** How long a piece of work takes when it is done again and again, milliseconds. */
export async function timesOf(
  rounds: number,
  work: () => Promise<unknown>,
): Promise<{ median: number; p99: number }> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { median: times[rounds >> 1]!, p99: times[Math.floor(rounds * 0.99)]! };
}
