/**
 * Runs in the browser. The page of a document as search engines and social networks show it, and what could be better.
 * Loaded when its panel is first opened.
 *
 * @module
 */
/// <reference lib="dom" />
import type { call } from "../page/call.ts";
import type { make } from "../page/elements.ts";
import type { pageAt } from "../page/fresh_page.ts";
import type { toast } from "../page/toast.ts";
import { type CardFacts, cardFacts, drawCard } from "./publishing/share_card.ts";

/** Functions of the main bundle, which this part does not load again. */
export interface PanelTools {
  call: typeof call;
  make: typeof make;
  pageAt: typeof pageAt;
  toast: typeof toast;
  /** Shows the control of a field. */
  edit: (path: string) => void;
}

/** How many characters search results show of a title, and of a description. */
const TITLE_CHARS = 60;
const DESCRIPTION_CHARS = 160;

/** What the page says to search engines. */
interface PageFacts {
  card: CardFacts;
  title: string;
  description: string;
  isHidden: boolean;
  canonical: string;
  /** Whether search engines are to keep another page instead. */
  isElsewhere: boolean;
}

/** A line below the previews: what is so, and the role of the field that changes it. */
interface Note {
  role: string;
  text: string;
  level: "" | "warn";
}

/** Draws the panel, now and after each save. */
export function showSearchPanel(tools: PanelTools, form: HTMLElement, panel: HTMLElement): void {
  const output = panel.querySelector<HTMLElement>("[data-search-output]");
  const { page: address = "", roles = "{}" } = panel.dataset;
  if (output === null) return;
  const fields = JSON.parse(roles) as Record<string, string>;
  const draw = async () => {
    const page = await tools.pageAt(address);
    if (page === null) {
      output.replaceChildren(tools.make("p", { class: "muted" }, "The preview is not available."));
      return;
    }
    output.replaceChildren(...drawn(tools, factsOf(page), fields));
  };
  form.addEventListener("saved", () => void draw());
  panel.querySelector("[data-add-seo]")?.addEventListener("click", (event) => {
    void addFields(tools, event.currentTarget as HTMLButtonElement);
  });
  void draw();
}

function factsOf(page: Document): PageFacts {
  const content = (selector: string, name: string) =>
    page.head.querySelector(selector)?.getAttribute(name) ?? "";
  const canonical = content("link[rel=canonical]", "href");
  const own = content('link[type="text/markdown"]', "href").replace(/\.md$/, "");
  return {
    card: cardFacts(page),
    description: content("meta[name=description]", "content"),
    title: page.title,
    isHidden: content("meta[name=robots]", "content").includes("noindex"),
    canonical,
    isElsewhere: own !== "" && canonical !== own,
  };
}

function drawn(
  { make, edit }: PanelTools,
  facts: PageFacts,
  fields: Record<string, string>,
): HTMLElement[] {
  const result = make(
    "figure",
    { class: "search-result" },
    make("p", { class: "search-address" }, facts.card.address),
    make("p", { class: "search-title" }, shortened(facts.title, TITLE_CHARS)),
    make("p", { class: "search-text" }, shortened(facts.description, DESCRIPTION_CHARS)),
  );
  const lines = notesOf(facts).map(({ role, text, level }) => {
    const path = fields[role];
    const button = path === undefined ? [] : [
      make("button", {
        type: "button",
        class: "link",
        "aria-label": `Edit: ${text}`,
        onclick: () => edit(path),
      }, "Edit"),
    ];
    return make("li", { class: level }, make("span", {}, text), ...button);
  });
  return [
    make("h2", {}, "Search result"),
    result,
    make("h2", {}, "Shared link"),
    drawCard(make, facts.card),
    make("ul", { class: "search-notes" }, ...lines),
  ];
}

function notesOf(facts: PageFacts): Note[] {
  const { isHidden, canonical, isElsewhere, card: { image } } = facts;
  return [
    lengthNote("searchTitle", "Title", facts.title, TITLE_CHARS),
    facts.description === ""
      ? { role: "searchDescription", text: "No description", level: "warn" }
      : lengthNote("searchDescription", "Description", facts.description, DESCRIPTION_CHARS),
    image === null
      ? { role: "shareImage", text: "No image for shared links", level: "warn" }
      : { role: "shareImage", text: "Image for shared links", level: "" },
    isHidden
      ? { role: "noindex", text: "Hidden from search engines", level: "warn" }
      : { role: "noindex", text: "Visible to search engines", level: "" },
    {
      role: "canonical",
      text: isElsewhere ? `Canonical URL: ${canonical}` : "Canonical URL: this page",
      level: "",
    },
  ];
}

function lengthNote(role: string, name: string, text: string, most: number): Note {
  const { length } = [...text];
  return length > most
    ? { role, text: `${name}: ${length} characters, results show about ${most}`, level: "warn" }
    : { role, text: `${name}: ${length} of about ${most} characters`, level: "" };
}

/** A text as far as results show it. */
function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 2).join("").trim()} …` : text;
}

/** Gives the collection a group of these fields. */
async function addFields({ call, toast }: PanelTools, button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  const body = JSON.parse(button.dataset.field ?? "{}");
  const reply = await call("POST", button.dataset.addSeo ?? "", { body });
  button.disabled = false;
  if (!reply.ok) return toast(reply.message, { bad: true });
  location.reload();
}
