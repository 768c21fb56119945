/**
 * Number literals of JSON that no double holds: a parser would round them without a word, and the value that was
 * sent could never be read back. Pure.
 *
 * @module
 */
/** Digits of the largest double; a whole number of more is none that a double holds. */
const LARGEST_DIGITS = BigInt(Number.MAX_VALUE).toString().length;

/** Sixteen digits may be more than a double holds; most bodies have no number of so many. */
const MAY_BE_ROUNDED = /[\d.]{16}/;

/** The first number of a JSON text that would come back as another one; null when there is none. */
export function findRounded(text: string): string | null {
  if (!MAY_BE_ROUNDED.test(text)) return null;
  let found: string | null = null;
  JSON.parse(text, (_key, value, { source }: { source?: string } = {}) => {
    if (found === null && typeof value === "number" && !isExact(source ?? "", value)) {
      found = source ?? "";
    }
    return value;
  });
  return found;
}

/**
 * Whether a number comes back as its literal says: its shortest form is the same decimal, as `0.1` is of 0.1, or
 * the literal is a whole number that the double holds exactly.
 */
export function isExact(literal: string, value: number): boolean {
  // What is out of range is refused as such.
  if (!Number.isFinite(value)) return true;
  const given = decimalOf(literal);
  const shortest = decimalOf(String(value));
  if (given === null || shortest === null) return false;
  if (given.digits === shortest.digits && given.exponent === shortest.exponent) return true;
  const isWhole = /^-?\d+$/.test(literal);
  return isWhole && literal.length <= LARGEST_DIGITS + 1 && BigInt(literal) === BigInt(value);
}

/** A decimal as its significant digits and the power of ten that they are multiplied by. */
function decimalOf(literal: string): { digits: string; exponent: number } | null {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (parts === null) return null;
  const [, whole = "", fraction = "", power = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return { digits: "", exponent: 0 };
  const zeros = digits.length - significant.length;
  return { digits: significant, exponent: Number(power) - fraction.length + zeros };
}
