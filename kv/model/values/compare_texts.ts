/**
 * The order of texts by code point, which is that of their UTF-8 bytes.
 *
 * @module
 */

/** Compares well-formed texts by code point. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return pointOrder(left) - pointOrder(right);
  }
  return a.length - b.length;
}

/** Surrogates encode code points above all others, although their units are not the largest. */
function pointOrder(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
