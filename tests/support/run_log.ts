/**
 * The log of a simulation: what its scheduler picks, what its stores are asked, what its requests are answered. Two
 * runs of one seed have the same log, byte for byte.
 *
 * @module
 */

let lines: string[] | null = null;

/** Adds a line to the log of the run that is being recorded, if one is. */
export function logLine(line: () => string): void {
  lines?.push(line());
}

/** Identifiers and cursors that hold real randomness. */
const RANDOM_PART = /[0-9A-HJKMNP-TV-Z]{26}|(?<=[?&](?:since|cursor|page|token)=)[^&\s]+/g;

/** Runs a simulation and answers its log. Identifiers become numbers by the order of their first appearance. */
export async function recordRun(run: () => Promise<unknown>): Promise<string> {
  const own: string[] = lines = [];
  try {
    const result = await run();
    own.push(`result ${JSON.stringify(result)}`);
  } catch (error) {
    own.push(`failure ${error}`);
  } finally {
    lines = null;
  }
  const numbers = new Map<string, number>();
  return own.join("\n").replaceAll(RANDOM_PART, (id) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return `#${number}`;
  });
}
