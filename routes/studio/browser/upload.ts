/**
 * Runs in the browser. Uploads of images: chosen, dropped or pasted, with their progress.
 *
 * @module
 */
import { get, make } from "./elements.ts";
import { toast, toastLater } from "./toast.ts";

/** Makes an upload zone of an element. */
export function startUpload(zone: HTMLElement): void {
  const input = get<HTMLInputElement>(zone, "input[type=file]");
  const take = (files: Iterable<File>) => void uploadAll(zone, [...files]);
  input.addEventListener("change", () => take(input.files ?? []));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.dataset.over = "";
  });
  zone.addEventListener("dragleave", () => delete zone.dataset.over);
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    delete zone.dataset.over;
    take(event.dataTransfer?.files ?? []);
  });
  document.addEventListener("paste", (event) => {
    const files = event.clipboardData?.files ?? [];
    if ([...files].length > 0) take(files);
  });
}

async function uploadAll(zone: HTMLElement, files: File[]): Promise<void> {
  let done = 0;
  for (const file of files) if (await upload(zone, file)) done += 1;
  if (done === 0) return;
  if (done === files.length) {
    toastLater(done === 1 ? `${files[0]!.name} is uploaded` : `${done} images are uploaded`);
    location.reload();
  } else {
    const action = { label: "Show them", run: () => location.reload() };
    toast(`${done} of ${files.length} images are uploaded`, { action });
  }
}

/** One upload; what went wrong stays beside its name. */
function upload(zone: HTMLElement, file: File): Promise<boolean> {
  const progress = make("progress", { max: "1", value: "0", "aria-label": file.name });
  const words = make("span", { class: "muted small" }, "Waiting …");
  const entry = make("li", {}, make("span", {}, file.name), progress, words);
  get(zone, "[data-uploads]").append(entry);
  const limit = Number(zone.dataset.bytesMax);
  const fail = (message: string) => {
    progress.remove();
    words.className = "error";
    words.textContent = message;
    return false;
  };
  if (file.size > limit) return Promise.resolve(fail(`Larger than ${limit / 1e6} MB`));
  const body = new FormData();
  body.append("file", file);
  // Only this older way tells how much of an upload is done.
  const request = new XMLHttpRequest();
  request.responseType = "json";
  request.open("POST", "/api/admin/media");
  return new Promise((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => {
      progress.value = loaded / total;
      words.textContent = loaded === total
        ? "Looking at it …"
        : `${Math.round(loaded / total * 100)} %`;
    };
    request.onload = () => {
      if (request.status === 201) {
        progress.value = 1;
        words.textContent = "Done";
        resolve(true);
      } else resolve(fail(request.response?.error?.message ?? "It was refused"));
    };
    request.onerror = () => resolve(fail("The server cannot be reached"));
    request.send(body);
  });
}
