/**
 * Reads what a byte writer wrote.
 *
 * @module
 */

/** Units of the text being read: most terms fit. */
const units = new Uint16Array(64);

/** A position in a run of bytes that moves on as it is read. */
export class ByteReader {
  constructor(readonly bytes: Uint8Array, public at = 0) {}

  byte(): number {
    return this.bytes[this.at++]!;
  }

  number(): number {
    const bytes = this.bytes;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let shift = 7;
    do {
      byte = bytes[this.at++]!;
      value = shift < 28 ? value | ((byte & 0x7f) << shift) : value + (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte >= 0x80);
    return value;
  }

  text(): string {
    const end = this.number() + this.at;
    const { bytes } = this;
    let text = "";
    let length = 0;
    while (this.at < end) {
      if (length === units.length) {
        text += Reflect.apply(String.fromCharCode, null, units);
        length = 0;
      }
      const byte = bytes[this.at++]!;
      if (byte < 0x80) units[length++] = byte;
      else if (byte < 0xe0) {
        units[length++] = ((byte & 0x1f) << 6) | (bytes[this.at++]! & 0x3f);
      } else {
        const middle = bytes[this.at++]! & 0x3f;
        units[length++] = ((byte & 0x0f) << 12) | (middle << 6) | (bytes[this.at++]! & 0x3f);
      }
    }
    // Of all units at once: a string that grows by one at a time is a rope, which maps would have to flatten.
    return text + Reflect.apply(String.fromCharCode, null, units.subarray(0, length));
  }

  /** Moves past `count` numbers. */
  skipNumbers(count: number): void {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.at;
    for (let left = count; left > 0 && at <= length;) if (bytes[at++]! < 0x80) left -= 1;
    if (at > bytes.length) throw new RangeError(`Read ${at - bytes.length} bytes past the end`);
    this.at = at;
  }
}
