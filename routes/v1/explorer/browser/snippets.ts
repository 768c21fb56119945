/**
 * Runs in the browser. A request as a command or a program; the token is left to the reader.
 *
 * @module
 */

/** The request for `curl`, in a shell. */
export function asCurl(url: string, open: boolean): string {
  const quoted = `'${url.replaceAll("'", `'\\''`)}'`;
  return open ? `curl ${quoted}` : `curl ${quoted} \\\n  -H "Authorization: Bearer $TOKEN"`;
}

/** The request for `fetch`, in JavaScript. */
export function asFetch(url: string, open: boolean): string {
  const address = JSON.stringify(url);
  if (open) return `const response = await fetch(${address});`;
  return `const response = await fetch(${address}, {\n` +
    "  headers: { authorization: `Bearer ${token}` },\n});";
}
