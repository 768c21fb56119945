/**
 * A bare route that commits as many rows as a created document has, two of them with its text, and does nothing else:
 * in a process of its own, because one that has served would go on computing beside what is measured next.
 *
 *     deno run -A --unstable-kv tests/bench/bare_commits.ts <folder>
 *
 * Prints its port, and, once standard input ends, the milliseconds of processor time that it has taken since.
 *
 * @module
 */
import process from "node:process";
import { Hono } from "@hono/hono";

const ROWS = 7;
const WITH_TEXT = 2;
/** A value holds 64 KB at most; the service divides what is longer. */
const STATE_BYTES_MAX = 60_000;

const kv = await Deno.openKv(`${Deno.args[0]}/bare.sqlite3`);
const encoder = new TextEncoder();
let count = 0;
const app = new Hono().post("/bare", async (http) => {
  const { body } = await http.req.json();
  const commit = kv.atomic();
  const state = encoder.encode(body).slice(0, STATE_BYTES_MAX);
  const number = count++;
  for (let row = 0; row < ROWS; row++) {
    commit.set(["bare", row, number], row < WITH_TEXT ? { n: 1, body: state } : { n: 1 });
  }
  await commit.commit();
  return http.json({ body }, 201);
});
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.fetch);
const before = process.cpuUsage();
console.log(server.addr.port);
await Deno.stdin.readable.pipeTo(new WritableStream());
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
Deno.exit(0);
