/**
 * Gives a WebAssembly module a meter: every turn of every loop, and every few bytes that are filled, copied
 * or added to the memory, take one from a counter, and the module traps when none is left. The caller sets the counter through an export. What cannot be
 * interrupted otherwise, such as a search in a list of 2^53 places, ends that way.
 *
 * @module
 */

/** The export that holds the counter: a mutable `i32` global. */
export const FUEL_EXPORT = "fuel";

const HEADER_BYTES = 8;
const SECTION = { custom: 0, import: 2, global: 6, export: 7, code: 10 } as const;
const I32 = 0x7f;
const LOOP = 0x03;

/** Operands of an instruction, by how they are encoded. */
const LEB = "leb";
const MEMORY = "memory";

/** Instructions with operands; all others below 0xc5 have none. */
const OPERANDS: Readonly<Record<number, readonly (typeof LEB | typeof MEMORY | number)[]>> = {
  0x02: [LEB], // block
  0x03: [LEB], // loop
  0x04: [LEB], // if
  0x0c: [LEB], // br
  0x0d: [LEB], // br_if
  0x10: [LEB], // call
  0x11: [LEB, LEB], // call_indirect
  0x12: [LEB], // return_call
  0x13: [LEB, LEB], // return_call_indirect
  0x20: [LEB], // local.get
  0x21: [LEB], // local.set
  0x22: [LEB], // local.tee
  0x23: [LEB], // global.get
  0x24: [LEB], // global.set
  0x25: [LEB], // table.get
  0x26: [LEB], // table.set
  0x3f: [LEB], // memory.size
  0x40: [LEB], // memory.grow
  0x41: [LEB], // i32.const
  0x42: [LEB], // i64.const
  0x43: [4], // f32.const
  0x44: [8], // f64.const
  0xd0: [LEB], // ref.null
  0xd2: [LEB], // ref.func
};
/** Operands of the instructions behind 0xfc. */
const BULK_OPERANDS: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/** The instructions behind 0xfc that work on bytes, as many as the top of the stack says. */
const MEMORY_INIT = 8;
const MEMORY_COPY = 10;
const MEMORY_FILL = 11;
const MEMORY_GROW = 0x40;
/** Bytes that cost as much as a turn of a loop, as a power of two. */
const BYTES_PER_TURN_LOG = 4;
const PAGE_BYTES_LOG = 16;
/** The fuel that a module starts with, since its start may fill its memory. Its signed and unsigned LEB128 are equal. */
const STARTING_FUEL = 20_000_000;

const BR_TABLE = 0x0e;
const SELECT_TYPED = 0x1c;
const BULK = 0xfc;
const LOADS_AND_STORES = { first: 0x28, last: 0x3e };
const LAST_PLAIN = 0xc4;

/** The module with its meter; throws for instructions that it does not know. */
export function meteredWasm(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  const source = new Reader(wasm, HEADER_BYTES);
  const sections: { id: number; body: Uint8Array }[] = [];
  while (!source.atEnd) {
    const id = source.byte();
    const body = source.bytes(source.leb());
    if (id !== SECTION.custom) sections.push({ id, body });
  }
  const bodyOf = (id: number) => sections.find((section) => section.id === id)?.body;
  const fuel = importedGlobals(bodyOf(SECTION.import)) + countOf(bodyOf(SECTION.global));
  const changed = sections.map(({ id, body }) => {
    if (id === SECTION.global) {
      // The meter, and behind it a place for the top of the stack.
      const counter = [I32, 1, 0x41, ...leb(STARTING_FUEL), 0x0b];
      return section(id, appended(appended(body, counter), counter));
    }
    if (id === SECTION.export) return section(id, appended(body, fuelExport(fuel)));
    if (id === SECTION.code) return section(id, meteredCode(body, fuel));
    return section(id, body);
  });
  return joined([wasm.subarray(0, HEADER_BYTES), ...changed]);
}

function countOf(body: Uint8Array | undefined): number {
  if (body === undefined) throw new RangeError("The module has no globals");
  return new Reader(body).leb();
}

function importedGlobals(body: Uint8Array | undefined): number {
  if (body === undefined) return 0;
  const source = new Reader(body);
  let globals = 0;
  for (let left = source.leb(); left > 0; left--) {
    source.bytes(source.leb());
    source.bytes(source.leb());
    const kind = source.byte();
    if (kind === 0) source.leb();
    else if (kind === 3) {
      source.bytes(2);
      globals += 1;
    } else {
      if (kind === 1) source.byte();
      if (kind > 2) throw new RangeError(`An import has the unknown kind ${kind}`);
      const hasMaximum = source.leb() & 1;
      source.leb();
      if (hasMaximum) source.leb();
    }
  }
  return globals;
}

function fuelExport(fuel: number): number[] {
  const name = new TextEncoder().encode(FUEL_EXPORT);
  return [name.byteLength, ...name, 3, ...leb(fuel)];
}

/** A vector with one element more. */
function appended(body: Uint8Array, element: number[]): Uint8Array {
  const source = new Reader(body);
  const count = source.leb();
  return joined([leb(count + 1), source.rest(), element]);
}

function meteredCode(body: Uint8Array, fuel: number): Uint8Array {
  const trapWhenEmpty = [0x23, ...leb(fuel), 0x41, 0, 0x48, 0x04, 0x40, 0x00, 0x0b];
  // fuel -= 1; if (fuel < 0) trap;
  const turn = [0x23, ...leb(fuel), 0x41, 1, 0x6b, 0x24, ...leb(fuel), ...trapWhenEmpty];
  // held = top; fuel -= cost(held); if (fuel < 0) trap; push held;
  const byTop = (cost: number[]) => [
    ...[0x24, ...leb(fuel + 1), 0x23, ...leb(fuel), 0x23, ...leb(fuel + 1), ...cost],
    ...[0x6b, 0x24, ...leb(fuel), ...trapWhenEmpty, 0x23, ...leb(fuel + 1)],
  ];
  const charges: Charges = {
    turn,
    // held >>> BYTES_PER_TURN_LOG
    bytes: byTop([0x41, BYTES_PER_TURN_LOG, 0x76]),
    // (held & 0xffff) << …: more pages than that are refused by the memory itself.
    pages: byTop([0x41, 0xff, 0xff, 0x03, 0x71, 0x41, PAGE_BYTES_LOG - BYTES_PER_TURN_LOG, 0x74]),
  };
  const source = new Reader(body);
  const pieces: ArrayLike<number>[] = [];
  const count = source.leb();
  pieces.push(leb(count));
  for (let left = count; left > 0; left--) {
    const metered = meteredFunction(source.bytes(source.leb()), charges);
    pieces.push(leb(metered.byteLength), metered);
  }
  return joined(pieces);
}

/** Code that takes from the meter. */
interface Charges {
  /** Behind the head of a loop. */
  turn: number[];
  /** In front of an instruction on as many bytes, or pages, as the top of the stack says. */
  bytes: number[];
  pages: number[];
}

function meteredFunction(body: Uint8Array, { turn, bytes, pages }: Charges): Uint8Array {
  const source = new Reader(body);
  for (let groups = source.leb(); groups > 0; groups--) {
    source.leb();
    source.leb();
  }
  const pieces: ArrayLike<number>[] = [];
  let copied = 0;
  while (!source.atEnd) {
    const start = source.position;
    const opcode = source.byte();
    const bulk = opcode === BULK ? new Reader(body, source.position).leb() : -1;
    skipOperands(source, opcode);
    const isBytes = bulk === MEMORY_INIT || bulk === MEMORY_COPY || bulk === MEMORY_FILL;
    if (opcode === LOOP) {
      pieces.push(body.subarray(copied, source.position), turn);
      copied = source.position;
    } else if (isBytes || opcode === MEMORY_GROW) {
      pieces.push(body.subarray(copied, start), isBytes ? bytes : pages);
      copied = start;
    }
  }
  return joined([...pieces, body.subarray(copied)]);
}

function skipOperands(source: Reader, opcode: number): void {
  const { first, last } = LOADS_AND_STORES;
  if (opcode >= first && opcode <= last) {
    source.leb();
    source.leb();
  } else if (opcode === BR_TABLE || opcode === SELECT_TYPED) {
    for (let left = source.leb() + (opcode === BR_TABLE ? 1 : 0); left > 0; left--) source.leb();
  } else if (opcode === BULK) {
    const operands = BULK_OPERANDS[source.leb()];
    if (operands === undefined) throw new RangeError("The module has an unknown instruction");
    for (let left = operands; left > 0; left--) source.leb();
  } else if (OPERANDS[opcode] !== undefined) {
    for (const operand of OPERANDS[opcode]) {
      if (typeof operand === "number") source.bytes(operand);
      else source.leb();
    }
  } else if (opcode > LAST_PLAIN || (opcode >= 0x06 && opcode <= 0x0a)) {
    throw new RangeError(`The module has the unknown instruction 0x${opcode.toString(16)}`);
  }
}

/** Reads a module's bytes in their order. */
class Reader {
  constructor(readonly source: Uint8Array, public position = 0) {}

  get atEnd(): boolean {
    return this.position >= this.source.byteLength;
  }

  byte(): number {
    const byte = this.source[this.position++];
    if (byte === undefined) throw new RangeError("The module ends too soon");
    return byte;
  }

  bytes(count: number): Uint8Array {
    const bytes = this.source.subarray(this.position, this.position + count);
    if (bytes.byteLength < count) throw new RangeError("The module ends too soon");
    this.position += count;
    return bytes;
  }

  rest(): Uint8Array {
    return this.bytes(this.source.byteLength - this.position);
  }

  /** An integer; longer ones than 32 bits are passed over without their value. */
  leb(): number {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      const byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128)) {
    bytes.push(rest % 128 | (rest >= 128 ? 0x80 : 0));
  }
  return bytes;
}

function section(id: number, body: Uint8Array): Uint8Array {
  return joined([[id], leb(body.byteLength), body]);
}

function joined(pieces: ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
