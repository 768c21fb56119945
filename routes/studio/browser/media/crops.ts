/**
 * Runs in the browser. The crops of an image: a rectangle in the shape of the chosen preset, moved and resized
 * by pointer, touch or sliders, saved when asked to.
 *
 * @module
 */
import type { call } from "../page/call.ts";
import type { all, dataOf, embedded, get } from "../page/elements.ts";
import type { toast, toastLater } from "../page/toast.ts";

/** Code that the page has loaded already. */
interface Tools {
  all: typeof all;
  call: typeof call;
  dataOf: typeof dataOf;
  embedded: typeof embedded;
  get: typeof get;
  toast: typeof toast;
  toastLater: typeof toastLater;
}

/** Parts of the width and height of the image. */
interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The image, as embedded in the page. */
interface Drawn {
  crops: Record<string, Rectangle>;
  focus: { x: number; y: number };
}

/** The dragged part of a crop and its position when the drag started. */
interface Grip {
  corner: string | null;
  start: Rectangle;
  x: number;
  y: number;
}

/** Smallest crop, a part of the largest one of its shape. */
const SMALLEST = 0.1;

const within = (value: number, least: number, most: number) =>
  Math.min(Math.max(value, least), Math.max(least, most));

/** Makes the card draw crops. */
export function startCrops(tools: Tools, root: HTMLElement): void {
  const { all, dataOf, get } = tools;
  const { crops, focus } = tools.embedded<Drawn>(root);
  const frame = get(root, "[data-crop-frame]");
  const area = get(root, "[data-crop-area]");
  const image = get<HTMLImageElement>(frame, "img");
  const sliders = all<HTMLInputElement>(root, "[data-slide]");
  let ratio = "1:1";
  let largest = { width: 1, height: 1 };
  let crop: Rectangle = { x: 0, y: 0, width: 1, height: 1 };

  const show = () => {
    area.style.left = `${crop.x * 100}%`;
    area.style.top = `${crop.y * 100}%`;
    area.style.width = `${crop.width * 100}%`;
    area.style.height = `${crop.height * 100}%`;
    const room = (start: number, length: number) => length >= 1 ? 0.5 : start / (1 - length);
    const parts: Record<string, number> = {
      size: crop.width / largest.width,
      left: room(crop.x, crop.width),
      top: room(crop.y, crop.height),
    };
    for (const slider of sliders) {
      slider.value = String((parts[dataOf(slider, "slide")] ?? 0) * 100);
    }
  };
  const choose = () => {
    ratio = get<HTMLInputElement>(root, "input[name=crop-shape]:checked").value;
    largest = largestOf(ratio, image);
    const drawn = crops[ratio];
    crop = drawn === undefined ? around(focus, largest) : { ...drawn };
    area.toggleAttribute("data-undrawn", drawn === undefined);
    get(root, "[data-drawn]").textContent = drawn === undefined
      ? "No crop for this shape: it uses the focal point."
      : "This shape has its own crop.";
    get<HTMLButtonElement>(root, "[data-remove-crop]").hidden = drawn === undefined;
    show();
  };
  const change = (next: Rectangle) => {
    crop = next;
    area.removeAttribute("data-undrawn");
    get(root, "[data-drawn]").textContent = "Not saved yet.";
    show();
  };

  for (const radio of all(root, "input[name=crop-shape]")) {
    radio.addEventListener("change", choose);
  }
  for (const slider of sliders) {
    slider.addEventListener("input", () => {
      const part = Number(slider.value) / 100;
      const what = slider.dataset.slide;
      if (what === "size") change(resized(crop, part, largest));
      else if (what === "left") change({ ...crop, x: part * (1 - crop.width) });
      else change({ ...crop, y: part * (1 - crop.height) });
    });
  }
  followPointer(frame, area, () => crop, largestNow, change);
  const keep = (next: Rectangle | null) => void save(tools, root, ratio, next);
  get(root, "[data-save-crop]").addEventListener("click", () => keep(crop));
  get(root, "[data-remove-crop]").addEventListener("click", () => keep(null));
  choose();

  function largestNow() {
    return largest;
  }
}

/** The largest rectangle of a shape that the image has room for. */
function largestOf(ratio: string, image: HTMLImageElement): { width: number; height: number } {
  const [wide = 1, high = 1] = ratio.split(":").map(Number);
  const own = Number(image.getAttribute("width")) / Number(image.getAttribute("height"));
  const wanted = wide / high;
  return { width: Math.min(1, wanted / own), height: Math.min(1, own / wanted) };
}

/** The largest rectangle around a point, as far as the edges allow. */
function around(
  point: { x: number; y: number },
  { width, height }: { width: number; height: number },
): Rectangle {
  return {
    x: within(point.x - width / 2, 0, 1 - width),
    y: within(point.y - height / 2, 0, 1 - height),
    width,
    height,
  };
}

/** A rectangle of another size around the same middle. */
function resized(
  { x, y, width, height }: Rectangle,
  part: number,
  largest: { width: number; height: number },
): Rectangle {
  const size = within(part, SMALLEST, 1);
  const next = { width: largest.width * size, height: largest.height * size };
  return around({ x: x + width / 2, y: y + height / 2 }, next);
}

/** Moves the rectangle with a pointer that goes down in it, and resizes it from its corners. */
function followPointer(
  frame: HTMLElement,
  area: HTMLElement,
  present: () => Rectangle,
  largest: () => { width: number; height: number },
  change: (next: Rectangle) => void,
): void {
  let grip: Grip | null = null;
  const place = (event: PointerEvent) => {
    const box = frame.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || grip !== null) return;
    event.preventDefault();
    area.setPointerCapture(event.pointerId);
    const corner = (event.target as HTMLElement).dataset.corner ?? null;
    grip = { corner, start: present(), ...place(event) };
  });
  area.addEventListener("pointermove", (event) => {
    if (grip === null) return;
    const { x, y } = place(event);
    const { start, corner } = grip;
    if (corner !== null) {
      // The pointer keeps its distance from the corner that it holds.
      const held = cornerOf(start, corner);
      const to = { x: held.x + x - grip.x, y: held.y + y - grip.y };
      return change(stretched(start, corner, to, largest()));
    }
    change({
      ...start,
      x: within(start.x + x - grip.x, 0, 1 - start.width),
      y: within(start.y + y - grip.y, 0, 1 - start.height),
    });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    area.addEventListener(end, () => grip = null);
  }
}

function cornerOf({ x, y, width, height }: Rectangle, corner: string): { x: number; y: number } {
  return {
    x: corner.endsWith("e") ? x + width : x,
    y: corner.startsWith("s") ? y + height : y,
  };
}

/** The rectangle with a corner drawn to a point; the opposite corner stays. */
function stretched(
  { x, y, width, height }: Rectangle,
  corner: string,
  to: { x: number; y: number },
  largest: { width: number; height: number },
): Rectangle {
  const east = corner.endsWith("e");
  const south = corner.startsWith("s");
  const fixed = { x: east ? x : x + width, y: south ? y : y + height };
  const wanted = Math.max(
    (east ? to.x - fixed.x : fixed.x - to.x) / largest.width,
    (south ? to.y - fixed.y : fixed.y - to.y) / largest.height,
  );
  const room = Math.min(
    (east ? 1 - fixed.x : fixed.x) / largest.width,
    (south ? 1 - fixed.y : fixed.y) / largest.height,
  );
  const size = Math.min(Math.max(wanted, SMALLEST), room);
  const next = { width: largest.width * size, height: largest.height * size };
  return {
    x: east ? fixed.x : fixed.x - next.width,
    y: south ? fixed.y : fixed.y - next.height,
    ...next,
  };
}

async function save(
  { call, toast, toastLater }: Tools,
  root: HTMLElement,
  ratio: string,
  crop: Rectangle | null,
): Promise<void> {
  const body = { crops: { [ratio]: crop === null ? null : inside(crop) } };
  const reply = await call("PATCH", `/api/admin/media/${root.dataset.medium}`, { body });
  if (!reply.ok) return toast(reply.message, { bad: true });
  toastLater(crop === null ? "The focal point is used" : "Crop saved");
  location.reload();
}

/** Parts in ten-thousandths, none beyond an edge. */
function inside({ x, y, width, height }: Rectangle): Rectangle {
  const exact = (part: number) => Math.round(within(part, 0, 1) * 10_000) / 10_000;
  const left = exact(x);
  const top = exact(y);
  return {
    x: left,
    y: top,
    width: Math.min(exact(width), exact(1 - left)),
    height: Math.min(exact(height), exact(1 - top)),
  };
}
