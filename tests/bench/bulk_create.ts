/**
 * Documents made by bulk requests, to begin a benchmark with.
 *
 * @module
 */
import type { StartedService } from "./service/started_service.ts";

/** Lines of one request. */
const LINES_PER_REQUEST = 5_000;

/** Creates posts of these bodies; answers their ids, in order. */
export async function createByBulk(
  { origin, token }: StartedService,
  bodies: readonly object[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < bodies.length; start += LINES_PER_REQUEST) {
    const lines = bodies.slice(start, start + LINES_PER_REQUEST)
      .map((body) => `${JSON.stringify({ op: "create", body })}\n`);
    const response = await fetch(`${origin}/api/v1/posts/_bulk`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
      body: lines.join(""),
    });
    const answers = (await response.text()).trim().split("\n").slice(0, -1);
    ids.push(...answers.map((answer) => JSON.parse(answer).id as string));
  }
  return ids;
}
