/**
 * Runs in the browser. Uploads of chosen, dropped or pasted files, several at once, with progress. A zone with
 * its own URL accepts one file for it.
 *
 * @module
 */
import { call } from "../page/call.ts";
import { get, make } from "../page/elements.ts";
import { pauseImagesDuring } from "./image_loading.ts";
import { toast, toastLater } from "../page/toast.ts";

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

/** Uploads that are under way at the same time. */
const AT_ONCE = 3;
const MEDIA = "/api/admin/media";

async function uploadAll(zone: HTMLElement, given: File[]): Promise<void> {
  const single = zone.dataset.to !== undefined;
  const files = single ? given.slice(0, 1) : given;
  const waiting = files.map((file) => () => upload(zone, file)).values();
  let done = 0;
  const work = async () => {
    for (const start of waiting) if (await start() === "done") done += 1;
  };
  const entries = files.length;
  await pauseImagesDuring(() => Promise.all(Array.from({ length: AT_ONCE }, work)));
  if (done === 0) return;
  if (done === entries) {
    toastLater(
      zone.dataset.done ??
        (done === 1 ? `${files[0]?.name} is uploaded` : `${done} images are uploaded`),
    );
    location.reload();
  } else {
    toast(`${done} of ${entries} images are uploaded`);
    // Rejected files stay listed until the user leaves the page.
    const show = make("button", { type: "button", class: "button small" }, "Show files");
    show.addEventListener("click", () => location.reload());
    get(zone, "[data-uploads]").append(make("li", { class: "uploads-end" }, show));
  }
}

/** The outcome of an upload: a new file, an existing one with the same bytes, or a failure. */
type Uploaded = "done" | "present" | "failed";

/** One upload. Errors and duplicates stay listed beside its name. */
function upload(zone: HTMLElement, file: File): Promise<Uploaded> {
  const progress = make("progress", { max: "1", value: "0", "aria-label": file.name });
  const words = make("span", { class: "muted small" }, "Waiting …");
  const entry = make("li", {}, make("span", {}, file.name), progress, words);
  get(zone, "[data-uploads]").append(entry);
  const limit = Number(zone.dataset.bytesMax);
  const fail = (message: string): Uploaded => {
    progress.remove();
    words.className = "error";
    words.textContent = message;
    return "failed";
  };
  if (file.size > limit) return Promise.resolve(fail(`Larger than ${limit / 1e6} MB`));
  const body = formOf(zone, file);
  // XMLHttpRequest, because `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  request.responseType = "json";
  const [method = "POST", path = ""] = (zone.dataset.to ?? `POST ${MEDIA}?ifNew=true`).split(" ");
  request.open(method, path);
  return new Promise((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => {
      progress.value = loaded / total;
      words.textContent = loaded === total ? "Checking …" : `${Math.round(loaded / total * 100)} %`;
    };
    request.onload = () => {
      if (request.status === 200 && zone.dataset.to === undefined) {
        progress.remove();
        words.replaceWith(...present(zone, file, request.response));
        resolve("present");
      } else if (request.status === 201 || request.status === 200) {
        progress.value = 1;
        words.textContent = "Done";
        resolve("done");
      } else if (request.status === 415) {
        resolve(fail("This file type is not allowed"));
      } else resolve(fail(request.response?.error?.message ?? "The file was rejected"));
    };
    request.onerror = () => resolve(fail("Can't reach the server"));
    request.send(body);
  });
}

/** The form of a file, for the folder that the zone is in. */
function formOf({ dataset: { folder = "" } }: HTMLElement, file: File): FormData {
  const body = new FormData();
  if (folder !== "") body.append("folder", folder);
  body.append("file", file);
  return body;
}

/** The note about a duplicate: the existing file, and a button to keep both. */
function present(
  zone: HTMLElement,
  file: File,
  medium: { id: string; filename: string; title?: string },
): Node[] {
  const link = make("a", { href: `/admin/media/${medium.id}` }, medium.title ?? medium.filename);
  const keep = make("button", { type: "button", class: "link" }, "Keep both");
  keep.addEventListener("click", async () => {
    keep.disabled = true;
    const reply = await pauseImagesDuring(() => call("POST", MEDIA, { body: formOf(zone, file) }));
    if (!reply.ok) {
      keep.disabled = false;
      return toast(`${file.name}: ${reply.message}`, { bad: true });
    }
    toastLater(`${file.name} is uploaded`);
    location.reload();
  });
  return [make("span", {}, "Already in the library: ", link), keep];
}
