/**
 * How pages look on paper.
 *
 * @module
 */

/** A part of `site.css`. */
export const PRINT_STYLE = `
@page { margin: 2cm 2.4cm; }
@media print {
  :root { --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --wash: #fff; --accent: #000; color-scheme: light; }
  body { font-size: 11pt; }
  .masthead nav, .find, .skip, .pages, .colophon, .tags, .related, .carriers, .more, form.search, audio, video, iframe { display: none; }
  .wide, main.document { max-width: none; padding-inline: 0; }
  main { padding-block: 1.5rem 0; }
  .teasers { display: block; }
  .teasers > li { margin-bottom: 1em; break-inside: avoid; }
  .teaser img { display: none; }
  .teasers:has(.pictured) .teaser:not(.pictured) { height: auto; padding: 0; }
  .teasers .teaser :is(h2, h3) { font-size: 1.3rem !important; }
  .teaser { gap: .15rem; }
  .prose { font-size: 11.5pt; line-height: 1.5; }
  .hero { width: 100%; margin-inline-start: 0; }
  .hero img, .hero.upright img { max-height: 45vh; }
  .prose figure img, .block figure img { max-height: 10cm; }
  pre { white-space: pre-wrap; border: 1px solid var(--line); }
  .block:not(:has(> .bare)), .callout { border: 1px solid var(--line); }
  figure, blockquote, pre, tr, .block, .callout, .facts > div { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  p { orphans: 3; widows: 3; }
  .prose a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .8em; color: var(--quiet); }
}
`;
