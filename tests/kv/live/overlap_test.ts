/** Which operations change the same part of a document. */
import { assertEquals } from "@std/assert";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { overlap } from "../../../kv/live/overlap.ts";

const set = (set: { [path: string]: Json }, unset: string[] = []) => ({ set, unset });

Deno.test("overlap() finds equal, containing and contained paths, and nothing else", () => {
  const cases: [ReturnType<typeof set>, ReturnType<typeof set>, boolean][] = [
    [set({ title: "a" }), set({ title: "b" }), true],
    [set({ title: "a" }), set({ lead: "b" }), false],
    [set({ lead: "a" }), set({ leader: "b" }), false],
    [set({ rows: [] }), set({ "rows.1.a": "b" }), true],
    [set({ "rows.0.a": "a" }), set({ "rows.1.a": "b" }), false],
    [set({ "body.k1": {} }), set({}, ["body.k1"]), true],
    [set({ "body.k1": {} }), set({}, ["body.k2"]), false],
    [set({ "body.+k1": [] }), set({ "body.k1.style": "h2" }), true],
    [set({ "body.+k1": [{ _key: "k9" }] }), set({ "body.k9": {} }), true],
    [set({ "body.+k1": [{ id: "k9" }] }), set({ "body.+k2": { id: "k8" } }), false],
    [set({ "body.+": [] }), set({ "body.k1": {} }), false],
  ];
  for (const [one, other, expected] of cases) {
    assertEquals(overlap(one, other), expected, JSON.stringify([one, other]));
    assertEquals(overlap(other, one), expected, JSON.stringify([other, one]));
  }
});
