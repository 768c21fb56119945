/** Text that compression makes at most half as long. */
import { seededRandom } from "./seeded_random.ts";

/** So many Cyrillic letters by chance, two bytes each. */
export function noise(length: number, seed = 1): string {
  const random = seededRandom(seed);
  let text = "";
  for (let n = 0; n < length; n++) text += String.fromCharCode(0x400 + random() * 0x80);
  return text;
}
