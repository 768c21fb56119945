import { assertEquals, assertThrows } from "@std/assert";
import { FUEL_EXPORT, meteredWasm } from "../../../jobs/plugins/metered_wasm.ts";

/** `(func (export "count") (param $n i32) (result i32))`: counts to n in a loop inside of a loop. */
const COUNTER = Uint8Array.from([
  [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  [0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, 0x7f],
  [0x03, 0x02, 0x01, 0x00],
  [0x06, 0x06, 0x01, 0x7f, 0x01, 0x41, 0x07, 0x0b],
  [0x07, 0x09, 0x01, 0x05, 0x63, 0x6f, 0x75, 0x6e, 0x74, 0x00, 0x00],
  // local $i; loop $l; i += 1; br_if $l (i < n); end; i
  [0x0a, 0x17, 0x01, 0x15, 0x01, 0x01, 0x7f, 0x03, 0x40, 0x20, 0x01, 0x41, 0x01, 0x6a, 0x22, 0x01],
  [0x20, 0x00, 0x48, 0x0d, 0x00, 0x0b, 0x20, 0x01, 0x0b],
].flat());

function counter(fuel: number): (n: number) => number {
  const module = new WebAssembly.Module(meteredWasm(COUNTER));
  const { exports } = new WebAssembly.Instance(module);
  (exports[FUEL_EXPORT] as WebAssembly.Global).value = fuel;
  return exports.count as (n: number) => number;
}

Deno.test("meteredWasm() changes nothing about what a module computes", () => {
  const plain = new WebAssembly.Instance(new WebAssembly.Module(COUNTER));
  const count = plain.exports.count as (n: number) => number;

  assertEquals([1, 5, 100].map(counter(1_000)), [1, 5, 100]);
  assertEquals([1, 5, 100].map(count), [1, 5, 100]);
});

Deno.test("meteredWasm() traps when the meter is empty, and not one turn earlier", () => {
  assertEquals(counter(10)(10), 10);
  assertThrows(() => counter(9)(10), WebAssembly.RuntimeError, "unreachable");
  assertThrows(() => counter(1_000_000)(2 ** 31 - 1), WebAssembly.RuntimeError);
});

/** `(func (export "fill") (param $bytes i32) (result i32))`: fills so many bytes and answers their number. */
const FILLER = Uint8Array.from([
  [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  [0x01, 0x06, 0x01, 0x60, 0x01, 0x7f, 0x01, 0x7f],
  [0x03, 0x02, 0x01, 0x00],
  [0x05, 0x03, 0x01, 0x00, 0x10],
  [0x06, 0x06, 0x01, 0x7f, 0x01, 0x41, 0x07, 0x0b],
  [0x07, 0x08, 0x01, 0x04, 0x66, 0x69, 0x6c, 0x6c, 0x00, 0x00],
  [0x0a, 0x0f, 0x01, 0x0d, 0x00, 0x41, 0x00, 0x41, 0x01, 0x20, 0x00, 0xfc, 0x0b, 0x00, 0x20, 0x00],
  [0x0b],
].flat());

Deno.test("meteredWasm() takes fuel by the bytes that an instruction fills", () => {
  const module = new WebAssembly.Module(meteredWasm(FILLER));
  const { exports } = new WebAssembly.Instance(module);
  const fuel = exports[FUEL_EXPORT] as WebAssembly.Global;
  const fill = exports.fill as (bytes: number) => number;

  fuel.value = 100_000;
  assertEquals(fill(160_000), 160_000);
  assertEquals(fuel.value, 90_000);
  assertThrows(() => fill(1_600_000 * 10), WebAssembly.RuntimeError);
});

Deno.test("meteredWasm() refuses what it does not understand", () => {
  const broken = COUNTER.slice();
  broken[broken.length - 4] = 0xff;
  assertThrows(() => meteredWasm(broken), RangeError, "unknown instruction");
  assertThrows(() => meteredWasm(COUNTER.subarray(0, 40)), RangeError, "ends too soon");
});
