/**
 * The look: one column of type, from a phone to a desktop, in light and dark.
 *
 * @module
 */

import { FONT_FACES } from "./font.ts";

/** `site.css` */
export const STYLE = `${FONT_FACES}:root {
  color-scheme: light dark;
  --paper: #fdfcfa;
  --ink: #1c1b19;
  --quiet: #625e57;
  --line: #e3dfd7;
  --wash: #f3f0ea;
  --accent: #9a3412;
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
h1, h2, h3, h4, h5, h6 { font-family: var(--serif); font-weight: 560; line-height: 1.2; text-wrap: balance; margin: 0; }
p { margin: 0; text-wrap: pretty; }
ul, ol { padding-left: 1.4em; }
.wide { width: 100%; max-width: 68rem; margin-inline: auto; padding-inline: clamp(1.25rem, 5vw, 2rem); }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--ink); color: var(--paper); border-radius: .3rem; }
.skip:focus { top: 1rem; color: var(--paper); }

.masthead { border-bottom: 1px solid var(--line); }
.masthead .wide { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.4rem; padding-block: 1.1rem; }
.masthead a { text-decoration: none; }
.name { font: 600 1.25rem/1.3 var(--serif); letter-spacing: -.01em; }
.name img { width: auto; height: 2.25rem; max-width: 60vw; object-fit: contain; border-radius: 0; background: none; }
.colophon .name { font-size: 1rem; color: var(--ink); text-decoration: none; }
.masthead .name { margin-right: auto; }
.masthead nav ul { display: flex; flex-wrap: wrap; gap: 0 1.4rem; margin: 0; padding: 0; list-style: none; }
.masthead nav a { display: block; padding-block: .35rem; color: var(--quiet); font-size: .95rem; }
.masthead nav a:hover, .masthead nav a[aria-current] { color: var(--ink); }
.masthead nav a[aria-current] { box-shadow: inset 0 -.12rem var(--accent); }

main { flex: 1; padding-block: clamp(2.25rem, 6vw, 4rem); }
main.document, main.not_found { max-width: 46rem; }
.head { display: grid; gap: .9rem; margin-bottom: clamp(2rem, 5vw, 3rem); }
.head h1 { font-size: clamp(2.1rem, 1.5rem + 3.4vw, 3.5rem); line-height: 1.1; letter-spacing: -.022em; }
.lead { font: clamp(1.2rem, 1.1rem + .5vw, 1.4rem)/1.5 var(--serif); color: var(--quiet); }
.byline { display: flex; flex-wrap: wrap; gap: 0 .6em; color: var(--quiet); font-size: .95rem; }
.byline > * + *::before { content: "·"; margin-right: .6em; }
.byline a { color: var(--ink); font-weight: 600; text-decoration: none; }
.byline a:hover { text-decoration: underline; }
.tags { display: flex; flex-wrap: wrap; gap: .5rem; margin: clamp(2rem, 6vw, 3.5rem) 0 0; padding: 0; list-style: none; }
.tags li { padding: .2rem .8rem; border-radius: 99px; background: var(--wash); color: var(--quiet); font-size: .9rem; }
.tags a { color: inherit; text-decoration: none; }
.tags li:has(a):hover { color: var(--paper); background: var(--accent); }
.kicker, .when { color: var(--quiet); font-size: .9rem; }
.kicker a { color: var(--accent); text-decoration: none; font-weight: 600; }
.kicker a:hover { text-decoration: underline; }
.part { color: var(--quiet); font-weight: 400; font-size: .6em; white-space: nowrap; }
.empty { color: var(--quiet); }

section + section { margin-top: clamp(2.5rem, 7vw, 4rem); }
.section { font: 600 .95rem/1.4 var(--sans); color: var(--accent); padding-bottom: .6rem; }
.section a { color: inherit; text-decoration: none; }
.section a:hover { text-decoration: underline; }
.teasers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: clamp(2rem, 4vw, 3rem) clamp(1.5rem, 3vw, 2.5rem); list-style: none; margin: 0; padding: 0; }
.section + .teasers { padding-top: .4rem; }
.leading { grid-template-columns: repeat(auto-fill, minmax(min(13.5rem, 100%), 1fr)); }
.teasers > li { min-width: 0; }
.teaser { position: relative; display: grid; gap: .5rem; align-content: start; }
.teaser img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover; margin-bottom: .5rem; }
.teaser h2, .teaser h3 { font-size: clamp(1.3rem, 1.2rem + .4vw, 1.5rem); }
.teaser a { text-decoration: none; }
.teaser a::after { content: ""; position: absolute; inset: 0; }
.teaser:hover a { text-decoration: underline; text-decoration-color: var(--accent); }
.teaser p { color: var(--quiet); }
.teaser:not(.pictured) { padding-top: 1.25rem; border-top: 1px solid var(--line); height: 100%; }
@media (max-width: 40rem) { .masthead nav { order: 3; width: 100%; } }
@media (min-width: 56rem) {
  .leading > li:first-child { grid-column: 1 / -1; }
  .leading > li:first-child .pictured { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); grid-template-rows: 1fr auto auto auto 1fr; column-gap: clamp(1.5rem, 3vw, 2.5rem); }
  .leading > li:first-child .pictured h3 { grid-row: 2; }
  .leading > li:first-child .pictured p { grid-row: 3; }
  .leading > li:first-child .pictured .when { grid-row: 4; }
  .leading > li:first-child img { grid-row: 1 / -1; margin: 0; }
  .leading > li:first-child .pictured > :not(img) { grid-column: 2; }
  .leading > li:first-child h3 { font-size: clamp(1.9rem, 1.4rem + 1.6vw, 2.6rem); line-height: 1.12; letter-spacing: -.018em; }
  .leading > li:first-child p { font-size: 1.15rem; }
  .leading > li:first-child .when { font-size: .9rem; }
}
.more { margin-top: 1.25rem; font-weight: 600; font-size: .95rem; }
.more a + a { margin-left: 1.25rem; }
.pages { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2rem; font-weight: 600; }
.pages a { padding-block: .4rem; }
.pages a[rel="next"] { margin-left: auto; }

figure { margin: 1.75em 0; }
figcaption { margin-top: .6rem; color: var(--quiet); font-size: .9rem; }
.find { order: 2; color: var(--quiet); font-size: .95rem; padding-block: .35rem; }
.find:hover, .find[aria-current] { color: var(--ink); }
form.search { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; max-width: 46rem; }
form.search label { font-weight: 600; }
form.search div { display: flex; gap: .6rem; }
form.search input { flex: 1; min-width: 0; }
form.search input, main button { font: inherit; padding: .6rem .9rem; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: .4rem; }
main button { font-weight: 600; cursor: pointer; }
main button:hover { border-color: var(--accent); color: var(--accent); }
.found { color: var(--quiet); min-height: 1.65em; margin-block: 1.25rem .75rem; }
.results { max-width: 46rem; margin: 0; padding: 0; list-style: none; }
.results li + li { margin-top: 1.5rem; }
mark { background: none; color: var(--ink); font-weight: 700; }
.related { margin-top: clamp(2.5rem, 7vw, 4rem); }
.related ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.related li { display: grid; grid-template-columns: minmax(0, 1fr) auto; grid-template-rows: auto 1fr; gap: .25rem 1.25rem; padding-block: .9rem; border-bottom: 1px solid var(--line); font: 560 1.25rem/1.3 var(--serif); }
.related time { grid-column: 1; color: var(--quiet); font: .9rem/1.5 var(--sans); }
.related img { grid-column: 2; grid-row: 1 / span 2; width: 7.5rem; aspect-ratio: 3 / 2; object-fit: cover; }
.related a { text-decoration: none; }
.related a:hover { text-decoration: underline; }
.hero { width: min(64rem, 100vw - 2 * clamp(1.25rem, 5vw, 2rem)); margin: 0 0 clamp(2rem, 5vw, 3.5rem) 50%; translate: -50% 0; }
.hero img { width: 100%; max-height: 80vh; object-fit: cover; border-radius: .75rem; }
.prose { font: 1.25rem/1.65 var(--serif); }
.prose + .prose, .group { margin-top: 2.5rem; }
.block { margin-top: 1.5rem; }
.prose > * + * { margin-top: 1.1em; }
.prose .block { font: 1.0625rem/1.65 var(--sans); }
.prose > .block { margin-block: 1.5rem; }
.prose h2, .group h2 { font-size: 1.55rem; margin-top: 1.8em; }
.prose h3 { font-size: 1.25rem; margin-top: 1.6em; }
.prose h4, .prose h5, .prose h6 { font-size: 1.05rem; margin-top: 1.6em; }
.prose > :first-child, .group h2:first-child { margin-top: 0; }
.prose ul, .prose ol { margin-bottom: 0; }
.prose li + li { margin-top: .4em; }
.prose li::marker { color: var(--quiet); }
.prose a:hover { color: var(--accent); }
blockquote { margin: 1.6em 0 0; padding-left: 1.2em; border-left: .2rem solid var(--accent); color: var(--quiet); font-style: italic; }
code, pre { font-family: var(--mono); font-size: .86em; }
code { padding: .12em .35em; border-radius: .25rem; background: var(--wash); }
pre { overflow: auto; padding: 1rem; border-radius: .5rem; background: var(--wash); white-space: pre-wrap; }
.plain { white-space: pre-line; }
.rows { display: grid; gap: 1.25rem; }
.facts { display: grid; margin: clamp(2rem, 6vw, 3.5rem) 0 0; border-top: 1px solid var(--line); font-size: .95rem; }
.facts > div { display: grid; grid-template-columns: minmax(7rem, 1fr) 3fr; gap: 1rem; padding-block: .7rem; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; min-width: 0; }
.block { padding: 1.1rem 1.3rem; border-radius: .5rem; background: var(--wash); }
.block p + p, .block .facts { margin-top: .5rem; }
.group .facts, .block .facts { border-top: 0; font-size: .95rem; }
.block .facts > div { padding-block: .2rem; border-bottom: 0; }
.group > .facts { border-top: 1px solid var(--line); margin-top: 1rem; }
.rows { margin: 1rem 0 0; gap: 0; border-top: 1px solid var(--line); }
.rows > li { padding-block: .6rem; border-bottom: 1px solid var(--line); }
.rows > li::marker { color: var(--quiet); font-size: .95rem; }
.rows .facts { margin-top: 0; }
.rows .facts > div { padding-block: .1rem; border-bottom: 0; }

.colophon { border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem; }
.colophon .wide { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; padding-block: 1.5rem; }
.colophon p + p { display: flex; gap: 1.25rem; }
@media print {
  :root { --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --wash: #fff; --accent: #000; }
  body { font-size: 11pt; }
  .masthead nav, .find, .skip, .pages, .colophon, .tags, .related { display: none; }
  .wide, main.document { max-width: none; padding-inline: 0; }
  main { padding-block: 1.5rem 0; }
  .teasers { display: block; }
  .teasers > li { margin-bottom: 1em; break-inside: avoid; }
  .teaser img { display: none; }
  .hero { width: 100%; margin-left: 0; translate: none; }
  .hero img { max-height: 45vh; }
  figure, blockquote, pre, .block, .facts > div { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .prose a::after { content: " (" attr(href) ")"; font-size: .8em; color: var(--quiet); }
}
`;
