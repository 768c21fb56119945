/**
 * The HTML of emails.
 *
 * @module
 */

/** A page with markup as its body, a line for each part. */
export function mailPage(...parts: string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${parts.join("\n")}
</body>
</html>
`;
}
