/**
 * A server of pictures, and of what is none, on a port of this machine.
 *
 * @module
 */
import { MEDIA_BYTES_MAX } from "../../../kv/limits/media.ts";
import { IMAGES } from "../sites/images.ts";

/** Begins to serve; how often each path was asked for is counted. */
export function pictureServer() {
  const counts = new Map<string, number>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    switch (pathname) {
      case "/lamp%20two.png":
        return new Response(IMAGES["image/png"] as Uint8Array<ArrayBuffer>);
      case "/moved":
        return Response.redirect(new URL("/lamp%20two.png", request.url), 302);
      case "/page":
        return new Response("<html>", { headers: { "content-type": "image/png" } });
      case "/huge":
        return new Response(new Uint8Array(MEDIA_BYTES_MAX + 1));
      case "/loop":
        return Response.redirect(request.url, 302);
      default:
        return new Response(null, { status: 404 });
    }
  });
  return { at: `http://127.0.0.1:${server.addr.port}`, counts, close: () => server.shutdown() };
}
