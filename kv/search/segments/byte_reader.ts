/**
 * Reads what a byte writer wrote.
 *
 * @module
 */

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
    while (this.at < end) {
      const byte = bytes[this.at++]!;
      if (byte < 0x80) text += String.fromCharCode(byte);
      else if (byte < 0xe0) {
        text += String.fromCharCode(((byte & 0x1f) << 6) | (bytes[this.at++]! & 0x3f));
      } else {
        const middle = bytes[this.at++]! & 0x3f;
        text += String.fromCharCode(
          ((byte & 0x0f) << 12) | (middle << 6) | (bytes[this.at++]! & 0x3f),
        );
      }
    }
    return text;
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
