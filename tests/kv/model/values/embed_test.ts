import { assertEquals } from "@std/assert";
import {
  embedHostOf,
  embedOf,
  embedOrigin,
  playerOrigins,
} from "../../../../kv/model/values/embed.ts";

const frameOf = (address: unknown) => embedOf(address)?.frame ?? null;

Deno.test("embedOf() knows the pages of the allowed services", () => {
  const youTube = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ";
  for (
    const [address, frame] of [
      ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", youTube],
      [" https://youtu.be/dQw4w9WgXcQ?si=abc ", youTube],
      ["https://m.youtube.com/shorts/dQw4w9WgXcQ", youTube],
      ["https://youtu.be/dQw4w9WgXcQ?t=42s", `${youTube}?start=42`],
      ["https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"],
      [
        "https://vimeo.com/76979871/8272103f6e",
        "https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e",
      ],
      [
        "https://open.spotify.com/intl-de/track/4cOdK2wGLETKBW3PvgPWqT?si=1",
        "https://open.spotify.com/embed/track/4cOdK2wGLETKBW3PvgPWqT",
      ],
      [
        "https://soundcloud.com/forss/flickermood",
        "https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fforss%2Fflickermood",
      ],
    ]
  ) assertEquals(frameOf(address), frame, address);
});

Deno.test("embedOf() answers null for every other address", () => {
  for (
    const address of [
      null,
      "",
      "dQw4w9WgXcQ",
      "https://example.org/watch?v=dQw4w9WgXcQ",
      "https://youtube.com.example.org/watch?v=dQw4w9WgXcQ",
      "https://youtube.com/",
      "https://youtube.com/watch?v=dQw4w9WgX%22%3E",
      "https://youtube.com:8443/watch?v=dQw4w9WgXcQ",
      "javascript://youtube.com/watch?v=dQw4w9WgXcQ",
      "https://vimeo.com/about",
      "https://soundcloud.com/forss",
      `https://youtube.com/watch?v=dQw4w9WgXcQ&x=${"y".repeat(10_000)}`,
    ]
  ) assertEquals(frameOf(address), null, String(address).slice(0, 60));
});

Deno.test("every player comes from one of the origins that pages allow", () => {
  const { frame } = embedOf("https://vimeo.com/76979871")!;
  assertEquals(playerOrigins([]).includes(new URL(frame).origin), true);
});

Deno.test("embedOf() takes every address of a host that the site allows, and of no other", () => {
  const hosts = ["player.example.org"];
  const of = (address: string) => embedOf(address, hosts)?.frame ?? null;

  assertEquals(embedOf("https://player.example.org/v/1?x=%22#t=3", hosts), {
    name: "player.example.org",
    shape: "video",
    frame: "https://player.example.org/v/1?x=%22#t=3",
  });
  assertEquals(
    of('https://PLAYER.example.org/"><script>'),
    `${embedOrigin(hosts[0]!)}/%22%3E%3Cscript%3E`,
  );
  assertEquals(embedOf("https://youtu.be/dQw4w9WgXcQ", hosts)?.name, "YouTube");
  for (
    const address of [
      "http://player.example.org/v/1",
      "https://player.example.org:8443/v/1",
      "https://ada:secret@player.example.org/v/1",
      "https://www.player.example.org/v/1",
      "https://example.org/v/1",
      "https://player.example.org.evil.example/v/1",
      "javascript://player.example.org/%0Aalert(1)",
    ]
  ) assertEquals(of(address), null, address);
});

Deno.test("embedHostOf() reads a host as such, or from an address on it", () => {
  for (
    const [words, host] of [
      ["player.example.org", "player.example.org"],
      [" Player.Example.ORG ", "player.example.org"],
      ["https://player.example.org/embed/1?x=2", "player.example.org"],
      ["müller.example", "xn--mller-kva.example"],
      ["player.example.org/", "player.example.org"],
    ]
  ) assertEquals(embedHostOf(words!), host, words);
  for (
    const words of [
      "",
      "*",
      "*.example.org",
      "localhost",
      "127.0.0.1",
      "2130706433",
      "[::1]",
      "player.example.org:8443",
      "ada@player.example.org",
      "player.example.org/path",
      "http://player.example.org",
      "javascript:alert(1)",
      "data:text/html,x",
      "a; script-src *",
      "player.example.org frame-src",
      "-.example.org",
    ]
  ) assertEquals(embedHostOf(words), null, words);
});
