/**
 * How the text of a document looks, with all that stands in it.
 *
 * @module
 */

/** A part of `site.css`. */
export const PROSE_STYLE = `
figure { margin: 1.75em 0; }
figure img { object-fit: contain; }
figure.tall img { margin-inline: auto; }
figure.tall figcaption { text-align: center; }
figcaption { margin-top: .6rem; color: var(--quiet); font-size: .9rem; }
audio, video { display: block; width: 100%; max-height: 80vh; margin-block: 1.75em; }
video { border-radius: .5rem; background: var(--wash); }
.file a { display: inline-block; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: .5rem; text-decoration: none; font-weight: 600; overflow-wrap: anywhere; }
.file a:hover { border-color: var(--accent); }
.hero, .carriers { width: min(64rem, 100vw - 2 * var(--side)); margin: 0 0 clamp(2rem, 5vw, 3.5rem); margin-inline-start: calc((100% - min(64rem, 100vw - 2 * var(--side))) / 2); }
.carriers { margin-block: clamp(2.75rem, 7vw, 4.5rem) 0; }
.hero:not(.upright) img { width: 100%; max-height: 80vh; object-fit: cover; border-radius: .75rem; }
.hero.upright { width: auto; margin-inline: 0; }
.hero.upright img { border-radius: .75rem; }
@media (min-width: 60rem) {
  .beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, auto); gap: clamp(2rem, 5vw, 4rem); align-items: center; width: min(64rem, 100vw - 2 * var(--side)); margin-inline-start: calc((100% - min(64rem, 100vw - 2 * var(--side))) / 2); margin-bottom: clamp(2rem, 5vw, 3.5rem); }
  .beside > .head, .beside > .hero { margin: 0; }
  .beside > .hero { max-width: 26rem; }
}
.prose { font: clamp(1.1875rem, 1.13rem + .25vw, 1.25rem)/1.65 var(--serif); }
.prose + .prose, .group, .group + :is(.prose, .plain) { margin-top: 2.5rem; }
.prose > * + * { margin-top: 1.1em; }
.prose .block { font: 1.0625rem/1.65 var(--sans); }
.prose > .block { margin-block: 1.5rem; }
.prose h2, .group h2 { font-size: 1.55rem; margin-top: 1.8em; }
.prose h3 { font-size: 1.25rem; margin-top: 1.6em; }
.prose h4, .prose h5, .prose h6 { font-size: 1.05rem; margin-top: 1.6em; }
.prose :is(h2, h3, h4, h5, h6) + * { margin-top: .7em; }
.prose > :first-child, .group h2:first-child { margin-top: 0; }
.prose ul, .prose ol { margin-bottom: 0; }
.prose li > :is(ul, ol) { margin-top: .4em; }
.prose li + li { margin-top: .4em; }
.prose li::marker { color: var(--quiet); }
.prose a:hover { color: var(--accent); }
.prose hr { width: 6rem; margin: 2.4em auto; border: 0; border-top: 1px solid var(--quiet); }
.prose figure img { margin-inline: auto; }
.embed iframe { display: block; width: 100%; border: 0; border-radius: .5rem; background: var(--wash); }
.embed.video iframe { aspect-ratio: 16 / 9; }
.embed.audio iframe { height: 10rem; }
.prose > figure, .prose > pre, .prose > .table, .prose > .callout { margin-block: 1.6em; }
blockquote { margin: 1.6em 0 0; padding-inline-start: 1.2em; border-inline-start: .2rem solid var(--accent); color: var(--quiet); font-style: italic; }
blockquote + blockquote { margin-top: 0 !important; padding-top: 1.1em; }
code, pre { font-family: var(--mono); font-size: .86em; }
code { padding: .12em .35em; border-radius: .25rem; background: var(--wash); overflow-wrap: anywhere; }
:is(h2, h3, h4, h5, h6) code { font-size: .82em; }
pre { overflow: auto; padding: 1.1rem 1.25rem; border-radius: .5rem; background: var(--wash); font-size: .9375rem; line-height: 1.6; direction: ltr; text-align: start; tab-size: 2; }
pre code { padding: 0; background: none; font-size: inherit; overflow-wrap: normal; }
.table { overflow-x: auto; border-block: 1px solid var(--line); }
table { width: 100%; border-collapse: collapse; font: .95rem/1.5 var(--sans); font-variant-numeric: tabular-nums; }
th, td { min-width: 6rem; padding: .6rem 1rem; text-align: start; vertical-align: top; overflow-wrap: normal; }
:is(th, td):first-child { padding-inline-start: 0; }
:is(th, td):last-child { padding-inline-end: 0; }
th { color: var(--quiet); font-weight: 600; }
tr + tr > *, thead + tbody > tr:first-child > * { border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  table { width: max-content; min-width: 100%; }
  th, td { max-width: 15rem; }
}
.callout { padding: 1.1rem 1.3rem; border-radius: .5rem; background: var(--wash); border-inline-start: .2rem solid var(--accent); font: 1.0625rem/1.65 var(--sans); }
.callout > * + * { margin-top: .6em; }
.callout .tone + * { margin-top: .2rem; }
.callout code, .block code, .callout pre { background: var(--paper); }
.plain { white-space: pre-line; }
.block { margin-top: 1.5rem; padding: 1.1rem 1.3rem; border-radius: .5rem; background: var(--wash); }
.block > figure:first-child { margin-top: 0; }
.block > figure:last-child { margin-bottom: 0; }
.block p + p, .block .facts { margin-top: .5rem; }
.block:has(> .bare) { padding: 0; background: none; margin-block: 1.75em; }
.block > .bare { margin: 0; }
.block > .tone + .prose { font: 1.0625rem/1.65 var(--sans); }
.tone { color: var(--accent); font-weight: 600; font-size: .9rem; }
.quote { padding-inline-start: 1.6rem; border-inline-start: .2rem solid var(--accent); }
.quote blockquote { margin: 0; padding: 0; border: 0; color: var(--ink); font: italic clamp(1.35rem, 1.2rem + .8vw, 1.7rem)/1.4 var(--serif); text-wrap: pretty; }
.quote figcaption::before { content: "— "; content: "— " / ""; }
.facts { display: grid; margin: clamp(2rem, 6vw, 3.5rem) 0 0; border-top: 1px solid var(--line); font-size: .95rem; }
.facts > div { display: grid; grid-template-columns: minmax(7rem, 1fr) 3fr; gap: 1rem; padding-block: .7rem; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; min-width: 0; }
.group .facts, .block .facts { border-top: 0; font-size: .95rem; }
.block .facts > div { padding-block: .2rem; border-bottom: 0; }
.group > .facts { border-top: 1px solid var(--line); margin-top: 1rem; }
.rows { display: grid; gap: 0; margin: 1rem 0 0; border-top: 1px solid var(--line); }
.rows > li { padding-block: .6rem; border-bottom: 1px solid var(--line); }
.rows > li::marker { color: var(--quiet); font-size: .95rem; }
.rows:has(> li > :is(.pair, h3, figure)) { padding: 0; list-style: none; }
.rows:has(> li > a) { padding: 0; list-style-position: inside; }
.rows h3 { font-size: 1.2rem; }
.rows h3 + * { margin-top: .3rem; }
.rows .prose { font: inherit; }
.rows:has(> li > figure) { grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 1.5rem; border: 0; }
.rows > li:has(> figure) { padding: 0; border: 0; }
.rows figure { margin: 0; }
.rows figure img { width: 100%; aspect-ratio: 3 / 2; max-height: none; object-fit: cover; }
.pair { font-size: .95rem; display: grid; grid-template-columns: minmax(5rem, 1fr) 3fr; gap: 1rem; }
.pair > :first-child { color: var(--quiet); font-variant-numeric: tabular-nums; }
.rows .facts { margin-top: 0; }
.rows .facts > div { padding-block: .1rem; border-bottom: 0; }
`;
