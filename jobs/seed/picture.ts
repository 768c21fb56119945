/**
 * Landscapes for the example site, drawn by the project itself: a sky, a low sun or moon and ridges that
 * fade into mist; always the same for the same name, as JPEG.
 *
 * @module
 */
import { sha256 } from "../../kv/model/values/sha256.ts";

const WIDTH = 1_600;
const HEIGHT = 900;
const QUALITY = 84;
const RIDGES = 6;
/** Waves that make up the outline of a ridge, each half as high and about twice as dense as the one before. */
const WAVES = 7;
/** The radius of the glow around the sun, in radii of the sun. */
const GLOW = 9;
/** How far a grain is from the color that is drawn: steps of a smooth sky would show as bands. */
const GRAIN = 3;

type Color = readonly [red: number, green: number, blue: number];

/** The sky at the top and at the horizon, the sun, the farthest ridge and the nearest. */
type Palette = readonly [top: Color, horizon: Color, sun: Color, far: Color, near: Color];

const PALETTES: readonly Palette[] = [
  [[38, 52, 98], [248, 177, 128], [255, 236, 200], [196, 134, 128], [32, 28, 52]],
  [[12, 20, 44], [62, 96, 136], [236, 240, 222], [52, 82, 116], [8, 14, 28]],
  [[122, 158, 190], [244, 222, 206], [255, 250, 236], [170, 176, 186], [48, 66, 78]],
  [[88, 128, 132], [232, 226, 200], [255, 246, 214], [148, 168, 152], [30, 52, 46]],
  [[92, 64, 112], [240, 150, 150], [255, 222, 196], [180, 112, 140], [38, 24, 54]],
  [[148, 184, 204], [250, 232, 190], [255, 248, 220], [206, 178, 138], [92, 60, 44]],
];

interface Ridge {
  /** The height of its outline at each column, in pixels from the top. */
  outline: Float64Array;
  middle: number;
  color: Color;
}

/** Draws the picture of this name. */
export async function drawPicture(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const random = randomOf(name);
  const [top, horizon, sun, far, near] = PALETTES[Math.floor(random() * PALETTES.length)]!;
  const disc = {
    x: WIDTH * (0.2 + 0.6 * random()),
    y: HEIGHT * (0.2 + 0.2 * random()),
    radius: HEIGHT * (0.03 + 0.04 * random()),
  };
  const ridges = Array.from({ length: RIDGES }, (_, index): Ridge => {
    const nearness = index / (RIDGES - 1);
    const middle = HEIGHT * (0.46 + 0.4 * nearness);
    const height = HEIGHT * (0.05 + 0.05 * nearness);
    const color = mixed(far, near, nearness ** 1.3);
    return { outline: outline(middle, height, random), middle, color };
  });
  const pixels = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    const sky = mixed(top, horizon, Math.min(1, (y / HEIGHT) * 1.6) ** 1.2);
    for (let x = 0; x < WIDTH; x++, at += 4) {
      const distance = Math.hypot(x - disc.x, y - disc.y) / disc.radius;
      let color = mixed(sky, sun, 0.55 * Math.max(0, 1 - distance / GLOW) ** 2);
      color = mixed(color, sun, covered((1 - distance) * disc.radius));
      for (const ridge of ridges) {
        const depth = y - ridge.outline[x]!;
        if (depth < -1) continue;
        // Mist lies at the foot of each ridge, before the next one.
        const mist = Math.min(0.5, Math.max(0, y - ridge.middle) / HEIGHT);
        color = mixed(color, mixed(ridge.color, horizon, mist), covered(depth));
      }
      const grain = (random() - 0.5) * GRAIN;
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = color[channel]! + grain;
      pixels[at + 3] = 255;
    }
  }
  const { encode } = await import("@jsquash/jpeg");
  const picture = new ImageData(pixels, WIDTH, HEIGHT);
  // Progressive pictures take a third longer to encode.
  return new Uint8Array(await encode(picture, { quality: QUALITY, progressive: false }));
}

/** Numbers from 0 to 1 that a name gives, the same everywhere (mulberry32). */
function randomOf(name: string): () => number {
  let state = parseInt(sha256(name).slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The outline of a ridge: waves around its middle, the first of this height. */
function outline(middle: number, height: number, random: () => number): Float64Array {
  const waves = Array.from({ length: WAVES }, (_, index) => ({
    length: WIDTH / (1.1 + random()) / 1.9 ** index,
    height: height / 1.85 ** index,
    phase: random() * 2 * Math.PI,
  }));
  return Float64Array.from({ length: WIDTH }, (_, x) => {
    let y = middle;
    for (const wave of waves) {
      y += wave.height * Math.sin((2 * Math.PI * x) / wave.length + wave.phase);
    }
    return y;
  });
}

/** How much of a pixel is covered by something whose edge is `depth` pixels away. */
function covered(depth: number): number {
  return Math.min(1, Math.max(0, depth + 0.5));
}

function mixed(one: Color, other: Color, share: number): Color {
  if (share <= 0) return one;
  return [
    one[0] + (other[0] - one[0]) * share,
    one[1] + (other[1] - one[1]) * share,
    one[2] + (other[2] - one[2]) * share,
  ];
}
