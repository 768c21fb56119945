import { assertEquals } from "@std/assert";
import { fileIn } from "../../../../../routes/studio/editor/paste/image_uploads.ts";

Deno.test("fileIn() reads the image that an address holds, and nothing else", async () => {
  const read = async (address: string) => {
    const file = fileIn(address);
    return file === null ? null : [file.name, file.type, await file.text()];
  };

  assertEquals(await read("data:image/png;base64,bGFtcA=="), ["pasted.png", "image/png", "lamp"]);
  assertEquals(await read("data:image/PNG;x=1;base64,bGFt%63A=="), [
    "pasted.png",
    "image/png",
    "lamp",
  ]);
  assertEquals(await read("data:image/svg+xml,%3Csvg%3E"), [
    "pasted.svg",
    "image/svg+xml",
    "<svg>",
  ]);
  for (
    const address of [
      "data:image/png;base64,%%%",
      "data:image/png;base64,é",
      "data:image/png",
      "data:text/html,<p>",
      "data:,x",
      "https://example.org/a.png",
    ]
  ) assertEquals(await read(address), null, address);
});
