/**
 * The look of the default theme, from a phone to a desktop, in light and dark, whichever way text runs.
 *
 * @module
 */

import { FONT_FACES } from "./font.ts";
import { LISTS_STYLE } from "./lists_style.ts";
import { PRINT_STYLE } from "./print_style.ts";
import { PROSE_STYLE } from "./prose_style.ts";

const FRAME_STYLE = `:root {
  color-scheme: light dark;
  --paper: #fdfcfa;
  --ink: #1c1b19;
  --quiet: #625e57;
  --line: #e3dfd7;
  --wash: #f3f0ea;
  --accent: #9a3412;
  --side: clamp(1.25rem, 5vw, 2rem);
  --sans: "Instrument Sans", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --serif: Newsreader, "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, "DejaVu Serif", serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161514;
    --ink: #ece8e1;
    --quiet: #a8a29a;
    --line: #34312d;
    --wash: #211f1d;
    --accent: #fb9a6b;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.65 var(--sans);
  overflow-wrap: break-word;
  overflow-x: clip;
}
a { color: inherit; text-decoration-color: var(--accent); text-decoration-thickness: .08em; text-underline-offset: .2em; }
a:hover { color: var(--accent); }
:focus-visible { outline: .15rem solid var(--accent); outline-offset: .2rem; border-radius: .15rem; }
main:focus { outline: none; }
img { display: block; max-width: 100%; height: auto; border-radius: .5rem; background: var(--wash); }
h1, h2, h3, h4, h5, h6 { font-family: var(--serif); font-weight: 560; line-height: 1.2; text-wrap: balance; overflow-wrap: anywhere; margin: 0; }
/* A word that is longer than most lines is divided where its language does; no other is. */
@supports (hyphenate-limit-chars: 18 6 6) { h1, h2, h3 { hyphens: auto; hyphenate-limit-chars: 18 6 6; } }
p { margin: 0; text-wrap: pretty; }
ul, ol { padding-inline-start: 1.4em; }
.wide { width: 100%; max-width: 68rem; margin-inline: auto; padding-inline: var(--side); }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--ink); color: var(--paper); border-radius: .3rem; }
.skip:focus { top: 1rem; color: var(--paper); }

.masthead { border-bottom: 1px solid var(--line); }
.masthead .wide { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.4rem; padding-block: .9rem; }
.masthead a { text-decoration: none; }
.name { font: 600 1.375rem/1.3 var(--serif); letter-spacing: -.012em; }
.name img { width: auto; height: 2.25rem; max-width: 60vw; object-fit: contain; border-radius: 0; background: none; }
.masthead .name { margin-inline-end: auto; padding-block: .3rem; }
.masthead nav { flex: 1; min-width: 0; }
.masthead nav ul { display: flex; flex-wrap: wrap; justify-content: end; gap: 0 1.4rem; margin: 0; padding: 0; list-style: none; }
.masthead nav a { display: block; padding-block: .55rem; color: var(--quiet); font-size: .95rem; line-height: 1.5; }
.masthead nav a:hover, .masthead nav a[aria-current] { color: var(--ink); }
.masthead nav a[aria-current] { box-shadow: inset 0 -.12rem var(--accent); }
.find { order: 2; display: inline-flex; align-items: center; gap: .4rem; color: var(--quiet); font-size: .95rem; padding-block: .55rem; line-height: 1.5; }
.find:hover, .find[aria-current] { color: var(--ink); }
.find[aria-current] { box-shadow: inset 0 -.12rem var(--accent); }
@media (max-width: 48rem) {
  .masthead .wide { padding-bottom: 0; }
  .masthead .wide:not(:has(nav)) { padding-bottom: .9rem; }
  .masthead nav { order: 3; flex: 0 0 calc(100% + 2 * var(--side)); max-width: none; margin-inline: calc(-1 * var(--side)); overflow-x: auto; scrollbar-width: none; mask-image: linear-gradient(to right, #0000, #000 var(--side) calc(100% - var(--side)), #0000); }
  .masthead nav ul { flex-wrap: nowrap; justify-content: start; width: max-content; padding-inline: var(--side); }
  .masthead nav a { white-space: nowrap; padding-block: .65rem; outline-offset: -.2rem; }
}

main { flex: 1; padding-block: clamp(2.25rem, 6vw, 4rem); }
main.home { padding-top: clamp(1.75rem, 4vw, 2.75rem); }
main.document, main.not_found { max-width: 44rem; }
.head { display: grid; grid-template-columns: minmax(0, 1fr); gap: .9rem; margin-bottom: clamp(2rem, 5vw, 3rem); }
.head h1 { font-size: clamp(2.1rem, 1.5rem + 3.4vw, 3.5rem); line-height: 1.1; letter-spacing: -.022em; }
.head h1.long { font-size: clamp(1.75rem, 1.35rem + 2vw, 2.5rem); line-height: 1.15; }
.portrait { width: clamp(6rem, 16vw, 9rem); height: auto; aspect-ratio: 1; border-radius: 50%; object-fit: cover; }
.profile > div { display: grid; gap: .9rem; }
@media (min-width: 40rem) { .head.profile { grid-template-columns: auto minmax(0, 1fr); align-items: center; column-gap: clamp(1.5rem, 4vw, 2.25rem); } }
.lead { font: clamp(1.2rem, 1.1rem + .5vw, 1.4rem)/1.5 var(--serif); color: var(--quiet); max-width: 42rem; }
.opening h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.opening .lead { font-size: clamp(1.5rem, 1.2rem + 1.4vw, 2.1rem); line-height: 1.3; letter-spacing: -.012em; color: var(--ink); text-wrap: balance; }
.opening:not(:has(.lead)) { margin: 0; }
.byline { color: var(--quiet); font-size: .95rem; }
/* What stands side by side is divided by dots; at the beginning of a line there is none to be seen. */
:is(.byline, .when):has(> *) { display: flex; flex-wrap: wrap; align-items: center; margin-inline-start: -1.3em; clip-path: inset(-.5rem -.5rem -.5rem 1.3em); }
:is(.byline, .when):has(> *):dir(rtl) { clip-path: inset(-.5rem 1.3em -.5rem -.5rem); }
:is(.byline, .when) > * { position: relative; min-width: 0; padding-inline-start: 1.3em; }
:is(.byline, .when) > *::before { content: "·"; position: absolute; inset-inline-start: 0; width: 1.3em; text-align: center; }
.face { display: inline-block; width: 1.5rem; height: 1.5rem; margin-inline-end: .45em; border-radius: 50%; object-fit: cover; }
.byline .face { width: 2.25rem; height: 2.25rem; vertical-align: middle; margin-inline-end: .6em; }
.byline a, .byline b { color: var(--ink); font-weight: 600; text-decoration: none; }
.byline a:hover { text-decoration: underline; }
.tags { display: flex; flex-wrap: wrap; gap: .5rem; margin: clamp(2rem, 6vw, 3.5rem) 0 0; padding: 0; list-style: none; }
.tags li { border-radius: 99px; background: var(--wash); color: var(--quiet); font-size: .9rem; }
.tags a, .tags li:not(:has(a)) { display: block; padding: .35rem .9rem; color: inherit; text-decoration: none; border-radius: 99px; }
.tags li:has(a):hover { color: var(--paper); background: var(--accent); }
.kicker, .when { color: var(--quiet); font-size: .9rem; }
.when .by { display: inline-flex; align-items: center; color: var(--ink); }
.kicker a { color: var(--accent); text-decoration: none; font-weight: 600; }
.kicker a:hover { text-decoration: underline; }
.part { color: var(--quiet); font-weight: 400; font-size: .6em; white-space: nowrap; }
.empty { color: var(--quiet); font: 1.25rem/1.6 var(--serif); }
.more { margin-top: 1.25rem; font-weight: 600; font-size: .95rem; }
.more a { display: inline-block; padding-block: .3rem; }
.more a + a { margin-inline-start: 1.25rem; }

.colophon { border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem; }
.colophon .wide { display: grid; align-items: baseline; grid-template-columns: minmax(12rem, 1fr) minmax(0, 2fr); gap: 1rem clamp(2rem, 6vw, 4rem); padding-block: clamp(1.75rem, 4vw, 2.5rem); }
.colophon p { display: grid; gap: .2rem; justify-items: start; align-content: start; }
.colophon .name { font-size: 1.15rem; color: var(--ink); text-decoration: none; }
.colophon ul { display: flex; flex-wrap: wrap; justify-content: end; gap: 0 1.4rem; margin: 0; padding: 0; list-style: none; }
.colophon nav a { display: block; padding-block: .45rem; line-height: 1.4; text-decoration: none; }
.colophon nav a:hover { text-decoration: underline; }
@media (max-width: 48rem) {
  .colophon .wide { grid-template-columns: minmax(0, 1fr); }
  .colophon ul { justify-content: start; }
}

/* Letters that are joined or square are not moved together, and have no italics. */
:dir(rtl), :lang(zh), :lang(ja), :lang(ko) { letter-spacing: normal !important; }
:is(:dir(rtl), :lang(zh), :lang(ja), :lang(ko)):is(blockquote, em) { font-style: normal; }
:lang(zh), :lang(ja), :lang(ko) { line-break: strict; }
`;

/** `site.css` */
export const STYLE = [FONT_FACES, FRAME_STYLE, LISTS_STYLE, PROSE_STYLE, PRINT_STYLE].join("");
