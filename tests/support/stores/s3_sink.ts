/**
 * A process that takes uploads as S3 does and keeps nothing of them, so that a test can measure what its
 * own process needs. Prints its port.
 *
 * @module
 */
const XML = { "content-type": "application/xml" };

async function answer(request: Request): Promise<Response> {
  let bytes = 0;
  for await (const piece of request.body ?? []) bytes += piece.byteLength;
  const { searchParams } = new URL(request.url);
  if (request.method === "PUT") return new Response(null, { headers: { etag: `"${bytes}"` } });
  if (searchParams.has("uploads")) {
    const result = "<InitiateMultipartUploadResult><UploadId>1</UploadId>" +
      "</InitiateMultipartUploadResult>";
    return new Response(result, { headers: XML });
  }
  const result = "<CompleteMultipartUploadResult><ETag>1</ETag></CompleteMultipartUploadResult>";
  return request.method === "POST"
    ? new Response(result, { headers: XML })
    : new Response(null, { status: request.method === "HEAD" ? 404 : 204 });
}

if (import.meta.main) {
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) }, answer);
}

/** Starts the process. */
export async function startS3Sink(): Promise<{ endpoint: string } & AsyncDisposable> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net", "--no-check", import.meta.url],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = new TextDecoder().decode(value).trim();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await reader.cancel();
      child.kill();
      await child.status;
    },
  };
}
