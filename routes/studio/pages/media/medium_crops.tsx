/**
 * The crops of an image, edited one shape at a time.
 *
 * @module
 */
import { SegmentedChoice } from "../../components/navigation/segmented_choice.tsx";
import { type CropPreset, lowestTerms, presetsOf } from "../../../../kv/model/values/crop.ts";
import { type MediaState, mediaUrl } from "../../../../kv/model/entities/media.ts";
import { Button } from "../../components/button.tsx";
import { EmbeddedJson } from "../../components/embedded_json.tsx";

/** A shape to choose; several presets may be of one ratio. */
interface Shape {
  ratio: string;
  label: string;
}

/** Draws crops; `presets` are those that the site adds. */
export function MediumCrops(
  { medium, presets }: { medium: MediaState; presets: readonly CropPreset[] | null },
) {
  const { crops = {}, focus = { x: 0.5, y: 0.5 } } = medium;
  const shapes = shapesOf(presetsOf(presets));
  return (
    <section class="card">
      <details class="crops" data-island="crops" data-medium={medium.id}>
        <summary>Crops</summary>
        <EmbeddedJson of={{ crops, focus }} />
        <p class="muted small">
          The part of the image that each shape shows. Without a crop, the image is cropped around
          the focal point.
        </p>
        <SegmentedChoice
          class="crop-shapes"
          legend="Shape"
          name="crop-shape"
          choices={shapes.map(({ ratio, label }) => [ratio, label])}
          chosen={shapes[0]?.ratio}
        />
        <p class="small" data-drawn aria-live="polite"></p>
        <div class="crop-frame" data-crop-frame>
          <img
            src={mediaUrl(medium)}
            alt=""
            width={medium.width}
            height={medium.height}
            draggable={false}
          />
          <div class="crop-area" data-crop-area>
            {["nw", "ne", "sw", "se"].map((corner) => (
              <span class="crop-corner" data-corner={corner}></span>
            ))}
          </div>
        </div>
        <div class="crop-sliders">
          <CropSlider label="Size" name="size" min={MIN_SIZE_PERCENT} />
          <CropSlider label="Across" name="left" />
          <CropSlider label="Down" name="top" />
        </div>
        <div class="row">
          <Button variant="primary" size="small" data-save-crop>Save crop</Button>
          <Button size="small" data-remove-crop>Use focal point</Button>
        </div>
      </details>
    </section>
  );
}

/** Smallest crop, per cent of the largest one of its shape. */
const MIN_SIZE_PERCENT = 10;

function CropSlider({ label, name, min = 0 }: { label: string; name: string; min?: number }) {
  return (
    <div class="field">
      <label for={`crop-${name}`}>{`${label}, percent`}</label>
      <input
        id={`crop-${name}`}
        data-slide={name}
        type="range"
        min={min}
        max={100}
        step={0.5}
        value={50}
      />
    </div>
  );
}

/** Each ratio once, with the names of its presets: "Wide 16:9". */
function shapesOf(presets: readonly CropPreset[]): Shape[] {
  const names = Map.groupBy(presets, ({ ratio }) => lowestTerms(ratio));
  return [...names].map(([ratio, of]) => ({
    ratio,
    label: `${sentence(of.map(({ name }) => name.replaceAll("_", " ")).join(", "))} ${ratio}`,
  }));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
