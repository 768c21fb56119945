/**
 * Runs in the browser. A file that is uploaded from the picker: its alternative text, title and focal point are asked
 * for, then it is chosen.
 *
 * @module
 */
/// <reference lib="dom" />
import { ALT_CHARS_MAX, MEDIA_TITLE_CHARS_MAX } from "../../../../kv/limits/media.ts";
import type { MediaView } from "../../../../kv/model/entities/media.ts";
import type { call } from "../page/call.ts";
import type { get, make } from "../page/elements.ts";
import type { toast } from "../page/toast.ts";
import type { pauseImagesDuring } from "./image_loading.ts";

/** What the page has loaded already. */
export interface UploadTools {
  call: typeof call;
  get: typeof get;
  make: typeof make;
  pauseImagesDuring: typeof pauseImagesDuring;
  toast: typeof toast;
}

/** The picker that a file is uploaded from. */
interface UploadTarget {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  /** Is called with a file that was described, or that the library had already. */
  pick: (medium: MediaView) => void;
  /** Is called if the file was uploaded, but not chosen. */
  left: () => void;
}

/** Uploads the chosen file of an input. */
export async function uploadInPlace(tools: UploadTools, target: UploadTarget): Promise<void> {
  const { call, get, pauseImagesDuring, toast } = tools;
  const { dialog, input, pick } = target;
  const file = input.files?.[0];
  if (file === undefined) return;
  const body = new FormData();
  body.append("file", file);
  const message = get(dialog, "[data-picker-message]");
  message.textContent = `Uploading ${file.name} …`;
  const reply = await pauseImagesDuring(() =>
    call<MediaView>("POST", "/api/admin/media?ifNew=true", { body })
  );
  message.textContent = "";
  input.value = "";
  if (!reply.ok) return toast(`${file.name}: ${reply.message}`, { bad: true });
  if (reply.status === 200) {
    toast(`${reply.body.filename} is already in the library`);
    return pick(reply.body);
  }
  new Description(tools, target, reply.body).open();
}

const CENTER = { x: 0.5, y: 0.5 };

/** The dialog that describes a new file. */
class Description {
  readonly #tools: UploadTools;
  readonly #target: UploadTarget;
  readonly #medium: MediaView;
  readonly #dialog: HTMLDialogElement;
  readonly #alt: HTMLTextAreaElement;
  readonly #title: HTMLInputElement;
  readonly #isImage: boolean;
  #focus = CENTER;
  #isChosen = false;

  constructor(tools: UploadTools, target: UploadTarget, medium: MediaView) {
    const { make } = tools;
    this.#tools = tools;
    this.#target = target;
    this.#medium = medium;
    this.#isImage = medium.mime.startsWith("image/");
    this.#alt = make("textarea", { id: "uploaded-alt", rows: "2", maxlength: `${ALT_CHARS_MAX}` });
    this.#title = make("input", {
      id: "uploaded-title",
      type: "text",
      maxlength: `${MEDIA_TITLE_CHARS_MAX}`,
    });
    const heading = make("h2", { id: "uploaded-heading" }, `Describe ${medium.filename}`);
    const help = this.#isImage
      ? "Describes the image for people who can't see it."
      : "Describes the file where it is linked.";
    const cancel = make("button", { type: "button", class: "button" }, "Cancel");
    const use = make(
      "button",
      { class: "button primary" },
      this.#isImage ? "Use image" : "Use file",
    );
    const form = make(
      "form",
      { class: "stack", novalidate: true },
      ...(this.#isImage ? this.#focusControls() : []),
      this.#field("Alt text", this.#alt, help),
      this.#field("Title", this.#title, "Shown in the library instead of the file name."),
      make("div", { class: "dialog-foot" }, cancel, use),
    );
    this.#dialog = make(
      "dialog",
      { "aria-labelledby": heading.id },
      make("div", { class: "dialog-head" }, heading),
      form,
    );
    cancel.onclick = () => this.#dialog.close();
    form.onsubmit = (event) => {
      event.preventDefault();
      void this.#save(use);
    };
    this.#dialog.onclose = () => {
      this.#dialog.remove();
      if (!this.#isChosen) target.left();
    };
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#alt.focus();
  }

  #field(label: string, control: HTMLElement, help: string): HTMLElement {
    const { make } = this.#tools;
    const note = make("p", { class: "help", id: `${control.id}-help` }, help);
    control.setAttribute("aria-describedby", note.id);
    return make(
      "div",
      { class: "field" },
      make("label", { for: control.id }, label),
      control,
      note,
    );
  }

  /** The image with its focal point, set by a click or by sliders. */
  #focusControls(): HTMLElement[] {
    const { make } = this.#tools;
    const point = make("span", { class: "focus-point", "aria-hidden": "true" });
    const image = make("img", { src: this.#medium.url, alt: "" });
    const frame = make("div", { class: "focus-frame" }, image, point);
    const slider = (axis: "x" | "y", label: string) => {
      const input = make("input", {
        id: `uploaded-${axis}`,
        type: "range",
        min: "0",
        max: "100",
        value: "50",
      });
      input.oninput = () => set({ ...this.#focus, [axis]: Number(input.value) / 100 });
      return { input, field: make("div", {}, make("label", { for: input.id }, label), input) };
    };
    const sliders = {
      x: slider("x", "Focal point from the left, percent"),
      y: slider("y", "From the top, percent"),
    };
    const set = (focus: typeof CENTER) => {
      this.#focus = focus;
      point.style.left = `${focus.x * 100}%`;
      point.style.top = `${focus.y * 100}%`;
      sliders.x.input.value = String(Math.round(focus.x * 100));
      sliders.y.input.value = String(Math.round(focus.y * 100));
    };
    frame.onclick = ({ clientX, clientY }) => {
      const { left, top, width, height } = frame.getBoundingClientRect();
      const part = (distance: number, length: number) =>
        Math.round(Math.min(1, Math.max(0, distance / length)) * 100) / 100;
      set({ x: part(clientX - left, width), y: part(clientY - top, height) });
    };
    set(CENTER);
    return [
      make("div", { class: "uploaded-focus" }, frame),
      make("div", { class: "pair" }, sliders.x.field, sliders.y.field),
    ];
  }

  async #save(button: HTMLButtonElement): Promise<void> {
    const { call, toast } = this.#tools;
    const isCentered = this.#focus.x === CENTER.x && this.#focus.y === CENTER.y;
    const body = {
      ...(this.#alt.value.trim() !== "" && { alt: this.#alt.value.trim() }),
      ...(this.#title.value.trim() !== "" && { title: this.#title.value.trim() }),
      ...(!isCentered && { focus: this.#focus }),
    };
    let medium = this.#medium;
    if (Object.keys(body).length > 0) {
      button.disabled = true;
      const reply = await call<MediaView>("PATCH", `/api/admin/media/${medium.id}`, { body });
      button.disabled = false;
      if (!reply.ok) return toast(reply.message, { bad: true });
      medium = reply.body;
    }
    this.#isChosen = true;
    this.#dialog.close();
    this.#target.pick(medium);
  }
}
