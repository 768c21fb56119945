/** Colors of pictures with a profile are shown as they are meant: variants are sRGB. */
import { decode, encode } from "@jsquash/png";
import { deflateSync } from "node:zlib";
import { transformPicture } from "../../../jobs/images/codec.ts";
import { colorProfile, toSrgb } from "../../../jobs/images/color_profile.ts";
import { parseTransform } from "../../../kv/model/values/transform.ts";
import { joinBytes } from "../../../kv/objects/object_bytes.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { IMAGES, jpegSegment, pngChunk } from "../../support/sites/images.ts";

/** Columns of XYZ under D50, as Apple's profile of Display P3 has them. */
const P3 = [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407]];
const SRGB = [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]];
/** The curve of sRGB, as a parametric curve of kind 3. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

function profile(columns: number[][], space = "RGB "): Uint8Array {
  const ascii = (text: string) => [...new TextEncoder().encode(text)];
  const uint32 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
  const fixed = (value: number) => uint32(Math.round(value * 65_536));
  const names = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"];
  const start = 128 + 4 + names.length * 12;
  const data: number[] = [];
  const tags = names.flatMap((name, index) => {
    const at = start + data.length;
    data.push(
      ...index < 3
        ? [...ascii("XYZ "), ...uint32(0), ...columns[index]!.flatMap(fixed)]
        : [...ascii("para"), ...uint32(0), 0, 3, 0, 0, ...CURVE.flatMap(fixed)],
    );
    return [...ascii(name), ...uint32(at), ...uint32(start + data.length - at)];
  });
  const head = [...new Array(16).fill(0), ...ascii(`${space}XYZ `), ...new Array(104).fill(0)];
  return Uint8Array.from([...head, ...uint32(names.length), ...tags, ...data]);
}

/** A PNG of one color with a profile. */
async function pngWith(icc: Uint8Array | null, color: number[]): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = Uint8ClampedArray.from(
    { length: 8 * 8 * 4 },
    (_, at) => [...color, 255][at % 4]!,
  );
  const png = new Uint8Array(await encode(new ImageData(pixels, 8, 8)));
  if (icc === null) return png;
  const named = joinBytes([new TextEncoder().encode("p3\0\0"), deflateSync(icc)]);
  return joinBytes([png.subarray(0, 33), pngChunk("iCCP", named), png.subarray(33)]);
}

async function shown(bytes: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const transform = parseTransform(new URLSearchParams("w=160&format=png"));
  const made = await transformPicture({ bytes, mime: "image/png", transform });
  return [...(await decode(made.buffer)).data.slice(0, 3)];
}

Deno.test("a variant of a picture in Display P3 has the colors of sRGB", async () => {
  assertEquals(await shown(await pngWith(null, [200, 100, 100])), [200, 100, 100]);
  assertEquals(await shown(await pngWith(profile(SRGB), [200, 100, 100])), [200, 100, 100]);
  const wanted = [215, 93, 97];
  const found = await shown(await pngWith(profile(P3), [200, 100, 100]));
  assert(found.every((value, at) => Math.abs(value - wanted[at]!) <= 1), found.join());
  assertEquals(await shown(await pngWith(profile(P3), [128, 128, 128])), [128, 128, 128]);
});

Deno.test("colorProfile() finds profiles where each type keeps them, and takes none that is broken", () => {
  const icc = profile(P3);
  const ascii = (text: string) => new TextEncoder().encode(text);
  const jpeg = IMAGES["image/jpeg"];
  const half = icc.length >> 1;
  const segment = (part: Uint8Array, n: number) =>
    jpegSegment(0xe2, joinBytes([ascii("ICC_PROFILE\0"), Uint8Array.of(n, 2), part]));
  const inJpeg = joinBytes([
    jpeg.subarray(0, 2),
    segment(icc.subarray(half), 2),
    segment(icc.subarray(0, half), 1),
    jpeg.subarray(2),
  ]);
  const webp = IMAGES["image/webp"];
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, icc.length, true);
  const inWebp = joinBytes([webp.subarray(0, 12), ascii("ICCP"), length, icc, webp.subarray(12)]);
  for (const [mime, bytes] of [["image/jpeg", inJpeg], ["image/webp", inWebp]] as const) {
    const found = colorProfile(mime, bytes)!;
    const { data } = toSrgb(new ImageData(Uint8ClampedArray.of(200, 100, 100, 255), 1, 1), found);
    assert(Math.abs(data[0]! - 215) <= 1 && Math.abs(data[1]! - 93) <= 1, `${mime} ${data}`);
    assertEquals(colorProfile(mime, IMAGES[mime]), null);
  }
  for (const broken of [icc.subarray(0, 150), profile(P3, "CMYK"), new Uint8Array(3)]) {
    const bytes = joinBytes([webp.subarray(0, 12), ascii("ICCP"), length, broken]);
    assertEquals(colorProfile("image/webp", bytes), null);
  }
});
