/** The part of a text before the first separator; the whole text if it has none. */
export function textBefore(text: string, separator: string): string {
  const end = text.indexOf(separator);
  return end < 0 ? text : text.slice(0, end);
}
