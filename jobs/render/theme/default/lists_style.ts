/**
 * How documents look in lists: on the first page, in listings, as results, at the end of another one.
 *
 * @module
 */

/** A part of `site.css`. */
export const LISTS_STYLE = `
section + section { margin-top: clamp(2.75rem, 7vw, 4.5rem); }
.section { font: 600 .95rem/1.4 var(--sans); color: var(--accent); padding-bottom: .6rem; }
.section a { color: inherit; text-decoration: none; }
.section a:hover { text-decoration: underline; }
.teasers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: clamp(2rem, 4vw, 3rem) clamp(1.5rem, 3vw, 2.5rem); list-style: none; margin: 0; padding: 0; }
.section + .teasers { padding-top: .4rem; }
.teasers > li { min-width: 0; }
.teaser { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; align-content: start; border-radius: .5rem; }
.teaser > img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover; margin-bottom: .5rem; }
.teaser h2, .teaser h3 { font-size: clamp(1.3rem, 1.2rem + .4vw, 1.5rem); }
.teaser a { text-decoration: none; }
.teaser a::after { content: ""; position: absolute; inset: 0; }
.teaser:has(a:focus-visible) { outline: .15rem solid var(--accent); outline-offset: .4rem; }
.teaser a:focus-visible { outline: none; }
.teaser:hover a { text-decoration: underline; text-decoration-color: var(--accent); }
.teaser p { color: var(--quiet); }
.teaser p:not(.when) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
.teaser:not(.pictured) { padding-top: 1.25rem; border-top: 1px solid var(--line); border-radius: 0; }
.teasers:has(.pictured) .teaser:not(.pictured) { grid-template-rows: auto 1fr auto; height: 100%; padding: clamp(1.25rem, 2vw, 1.6rem); border: 0; border-radius: .5rem; background: var(--wash); }
.teasers:has(.pictured) .teaser:not(.pictured) p:not(.when) { -webkit-line-clamp: 7; }
.teasers:has(.pictured) .teaser:not(.pictured) .when { grid-row: 3; }
.teasers:has(.pictured) > :not(.quarter) > .teaser:not(.pictured) :is(h2, h3) { font-size: clamp(1.5rem, 1.3rem + .7vw, 1.85rem); line-height: 1.15; letter-spacing: -.012em; }
.teasers:not(:has(.pictured)) { display: block; max-width: 46rem; border-bottom: 1px solid var(--line); }
.teasers:not(:has(.pictured)) .teaser { padding-block: 1.4rem; }
.section + .teasers:not(:has(.pictured)) { padding-top: 0; }
@media (min-width: 60rem) {
  .teasers:not(:has(.pictured)) { max-width: none; }
  .teasers:not(:has(.pictured)) .teaser { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) 9rem; column-gap: clamp(1.5rem, 3vw, 2.5rem); align-items: baseline; padding-block: 1.15rem; }
  .teasers:not(:has(.pictured)) .when { grid-column: 3; flex-direction: column; align-items: end; margin: 0; clip-path: none; text-align: end; }
  .teasers:not(:has(.pictured)) .when > * { padding: 0; }
  .teasers:not(:has(.pictured)) .when > *::before { content: none; }
}
.leading > .whole h3 { font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2.1rem); line-height: 1.15; letter-spacing: -.012em; }
@media (min-width: 40rem) {
  .home .teasers { grid-template-columns: repeat(12, minmax(0, 1fr)); }
  .home .teasers > li { grid-column: span 6; }
  .home .teasers > .third { grid-column: span 4; }
  .home .teasers > .whole { grid-column: 1 / -1; }
}
@media (max-width: 39.99rem) {
  .home .teasers { gap: 1.25rem; }
  .home li:not(.whole) > .pictured { grid-template-columns: minmax(0, 1fr) 7rem; grid-template-rows: auto 1fr; column-gap: 1.25rem; }
  .home li:not(.whole) > .pictured > :not(img) { grid-column: 1; }
  .home li:not(.whole) > .pictured > img { grid-column: 2; grid-row: 1 / -1; margin: 0; }
  .home :has(.pictured) > li:not(.whole) p:not(.when) { display: none; }
  .home .teasers:has(.pictured) > li:not(.whole) > .teaser h3 { font-size: 1.2rem; line-height: 1.2; letter-spacing: 0; }
  .home .teasers:has(.pictured) > li:not(.whole) > .teaser:not(.pictured) { padding: 0; background: none; }
}
@media (min-width: 56rem) {
  .home .teasers > .quarter { grid-column: span 3; }
  .quarter .teaser h3 { font-size: 1.3rem; }
  .leading > .whole .pictured { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); grid-template-rows: 1fr auto auto auto 1fr; column-gap: clamp(1.5rem, 3vw, 2.5rem); }
  .leading > .whole .pictured h3 { grid-row: 2; }
  .leading > .whole .pictured p { grid-row: 3; }
  .leading > .whole .pictured .when { grid-row: 4; }
  .leading > .whole > .teaser > img { grid-row: 1 / -1; margin: 0; }
  .leading > .whole .pictured > :not(img) { grid-column: 2; }
  .leading > .whole h3 { font-size: clamp(1.9rem, 1.4rem + 1.6vw, 2.6rem); line-height: 1.12; letter-spacing: -.018em; }
  .leading > .whole p { font-size: 1.15rem; max-width: 42rem; }
  .leading > .whole .when { font-size: .9rem; }
}
.pages { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2.5rem; font-weight: 600; }
.pages a { padding-block: .5rem; }
.pages a[rel="next"] { margin-inline-start: auto; }
.pages a[rel="prev"]::before { content: "← "; content: "← " / ""; }
.pages a[rel="next"]::after { content: " →"; content: " →" / ""; }
.pages a[rel="prev"]:dir(rtl)::before { content: "→ "; content: "→ " / ""; }
.pages a[rel="next"]:dir(rtl)::after { content: " ←"; content: " ←" / ""; }

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
.related li { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) auto; grid-template-rows: auto 1fr; gap: .25rem 1.25rem; padding-block: .9rem; border-bottom: 1px solid var(--line); font: 560 1.25rem/1.3 var(--serif); }
.related .when { grid-column: 1; font: .9rem/1.5 var(--sans); }
.related li > img { grid-column: 2; grid-row: 1 / span 2; width: 7.5rem; aspect-ratio: 3 / 2; object-fit: cover; }
.related a { text-decoration: none; }
.related a::after { content: ""; position: absolute; inset: 0; }
.related li:hover a { text-decoration: underline; text-decoration-color: var(--accent); }
`;
