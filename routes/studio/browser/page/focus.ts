/**
 * Runs in the browser. The focal point of an image: set by a click or by sliders, shown by how the image
 * is cut, saved when asked to.
 *
 * @module
 */
import { call } from "./call.ts";
import { all, dataOf, get } from "./elements.ts";
import { toast, toastLater } from "./toast.ts";

/** Makes the picture of a medium ask for its focal point. */
export function startFocus(root: HTMLElement): void {
  const frame = get(root, "[data-frame]");
  const sliders = all<HTMLInputElement>(root, "[data-axis]");
  const show = () => {
    const { x = "50", y = "50" } = root.dataset;
    const point = get(root, "[data-point]");
    point.style.left = `${x}%`;
    point.style.top = `${y}%`;
    for (const cut of all(root, "[data-cut]")) {
      cut.style.aspectRatio = dataOf(cut, "ratio");
      cut.style.objectPosition = cutPosition(frame, cut, Number(x) / 100, Number(y) / 100);
    }
    for (const slider of sliders) slider.value = dataOf(root, dataOf(slider, "axis"));
  };
  frame.addEventListener("click", (event) => {
    if (get<HTMLDetailsElement>(root, "details").open === false) return;
    const box = frame.getBoundingClientRect();
    const part = (share: number, start: number, length: number) =>
      String(Math.round(Math.min(1, Math.max(0, (share - start) / length)) * 100));
    root.dataset.x = part(event.clientX, box.left, box.width);
    root.dataset.y = part(event.clientY, box.top, box.height);
    show();
  });
  for (const slider of sliders) {
    slider.addEventListener("input", () => {
      root.dataset[dataOf(slider, "axis")] = slider.value;
      show();
    });
  }
  get(root, "[data-save]").addEventListener("click", () => {
    const { x, y } = root.dataset;
    void save(root, { x: Number(x) / 100, y: Number(y) / 100 });
  });
  get(root, "[data-reset]").addEventListener("click", () => void save(root, null));
  get(root, "details").addEventListener("toggle", show);
  show();
}

/** The object position that brings the focal point as close to the center of a crop as the edges allow. */
function cutPosition(frame: HTMLElement, cut: HTMLElement, x: number, y: number): string {
  const image = get<HTMLImageElement>(frame, "img");
  const ratio = Number(image.getAttribute("width")) / Number(image.getAttribute("height"));
  const [wide = 1, high = 1] = dataOf(cut, "ratio").split("/").map(Number);
  const wanted = wide / high;
  const along = (point: number, share: number) =>
    share >= 1 ? 50 : Math.min(1, Math.max(0, (point - share / 2) / (1 - share))) * 100;
  return `${along(x, wanted / ratio)}% ${along(y, ratio / wanted)}%`;
}

async function save(root: HTMLElement, focus: { x: number; y: number } | null): Promise<void> {
  const reply = await call("PATCH", `/api/admin/media/${root.dataset.medium}`, { body: { focus } });
  if (!reply.ok) return toast(reply.message, { bad: true });
  toastLater(focus === null ? "The image is cropped around its center" : "Focal point saved");
  location.reload();
}
