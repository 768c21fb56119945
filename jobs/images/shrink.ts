/**
 * Shrinks a picture by a whole factor: each pixel is the average of a square. Quick and without copies of
 * the whole, it leaves the last, fine step to a resampler that needs many times the memory.
 *
 * @module
 */

/** The largest whole factor that leaves at least the wanted size. */
export function shrinkFactor(
  source: { width: number; height: number },
  wanted: { width: number; height: number },
): number {
  const factor = Math.min(source.width / wanted.width, source.height / wanted.height);
  return Math.max(1, Math.floor(factor));
}

/** The average of each square of `factor` pixels; colors count as much as they are opaque. */
export function shrink(source: ImageData, factor: number): ImageData {
  if (factor === 1) return source;
  const width = Math.floor(source.width / factor);
  const height = Math.floor(source.height / factor);
  const small = new ImageData(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      averageInto(small.data, (y * width + x) * 4, source, x * factor, y * factor, factor);
    }
  }
  return small;
}

function averageInto(
  target: ImageData["data"],
  offset: number,
  { data: pixels, width }: ImageData,
  left: number,
  top: number,
  factor: number,
): void {
  let red = 0, green = 0, blue = 0, alpha = 0;
  for (let row = top; row < top + factor; row++) {
    const end = (row * width + left + factor) * 4;
    for (let pixel = end - factor * 4; pixel < end; pixel += 4) {
      const weight = pixels[pixel + 3]!;
      red += pixels[pixel]! * weight;
      green += pixels[pixel + 1]! * weight;
      blue += pixels[pixel + 2]! * weight;
      alpha += weight;
    }
  }
  if (alpha === 0) return;
  target[offset] = red / alpha;
  target[offset + 1] = green / alpha;
  target[offset + 2] = blue / alpha;
  target[offset + 3] = alpha / (factor * factor);
}
