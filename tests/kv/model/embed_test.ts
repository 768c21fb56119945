import { assertEquals } from "@std/assert";
import { EMBED_ORIGINS, embedOf } from "../../../kv/model/embed.ts";

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
  assertEquals(EMBED_ORIGINS.includes(new URL(frame).origin), true);
});
