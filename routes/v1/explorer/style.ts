/**
 * The style of the explorer, light and dark, with the colors and font of the studio.
 *
 * @module
 */

/** The style sheet. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f6f6f4, #0f1011); --back: light-dark(#fcfcfb, #151617);
  --panel: light-dark(#ffffff, #1b1c1e); --line: light-dark(#e7e7e2, #2b2d30);
  --edge: light-dark(#8b8b83, #7b7f86); --hover: light-dark(#efefeb, #27292c);
  --text: light-dark(#191a1b, #ececea); --soft: light-dark(#5f605b, #a2a4a6);
  --accent: light-dark(#2b55d4, #8fabff); --accent-soft: light-dark(#ebf0fe, #1f2a4a);
  --ink: light-dark(#1b1c1d, #f1f1ee); --on-ink: light-dark(#ffffff, #17181a);
  --good: light-dark(#176a43, #72d7a3); --bad: light-dark(#b3261a, #ff9d92);
  --string: light-dark(#176a43, #8edba9); --number: light-dark(#7f5000, #efbf66);
  --key: light-dark(#274690, #a9c3ff);
  --code: 13px/1.6 ui-monospace, "Cascadia Mono", Menlo, monospace;
}
* { box-sizing: border-box; }
html { font: 14px/1.5 "Inter Variable", system-ui, sans-serif; background: var(--back);
  color: var(--text); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
[hidden] { display: none !important; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center;
  padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--canvas); }
h1 { font-size: 1rem; margin: 0; display: flex; gap: .6rem; align-items: center; }
.mark { display: grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: 7px;
  background: var(--ink); color: var(--on-ink); }
h2 { font-size: 1rem; margin: 1.25rem 0 .25rem; overflow-wrap: anywhere; }
h3 { font-size: .95rem; margin: 0; overflow-wrap: anywhere; }
#request > h2:first-child { font-size: 1.4rem; letter-spacing: -.015em; margin-top: 0; }
#reader { margin: 0; flex: 1; color: var(--soft); }
#access { position: relative; }
#access > summary { padding: .35rem .6rem; border-radius: 7px; font-weight: 500; }
#access > summary:hover { background: var(--hover); }
#token-form { position: absolute; right: 0; top: 100%; z-index: 2; width: min(24rem, 90vw);
  margin-top: .4rem; padding: 1rem; display: grid; gap: .5rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 16px 48px rgb(0 0 0 / .18); }
#token-form .tools { margin: .25rem 0 0; }
.check { display: flex; gap: .5rem; align-items: center; }
#message { color: var(--soft); margin: .5rem 0 0; min-height: 1.5em; }
main { flex: 1; display: grid; min-height: 0;
  grid-template-columns: minmax(13rem, 17rem) minmax(0, 1fr) minmax(0, 1fr); }
nav { border-right: 1px solid var(--line); padding: 1rem; overflow-wrap: anywhere;
  background: var(--canvas); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
nav h2 { font-size: .85rem; color: var(--soft); font-weight: 600; margin: 1.25rem .5rem .15rem; }
nav .about { margin: 0 .5rem .2rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { position: relative; }
nav a { display: block; padding: .3rem .5rem; border-radius: 7px; color: var(--text);
  text-decoration: none; }
nav a:hover { background: var(--hover); }
nav a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 500; }
#filter { width: 100%; margin-top: .25rem; }
kbd { font: var(--code); border: 1px solid var(--line); border-radius: 4px; padding: 0 .3rem; }
#request, #result { padding: 1.5rem 1.75rem 3rem; min-width: 0; }
#result { border-left: 1px solid var(--line); background: var(--canvas); }
#result > h2:first-child { margin-top: 0; }
#request:has(+ #result[hidden]) { grid-column: 2 / -1; }
#answer:empty::before { content: "Nothing has been sent yet."; color: var(--soft); }
.about { color: var(--soft); margin: .15rem 0 0; font-size: .85rem; }
.lead { max-width: 38rem; color: var(--soft); }
.links { display: flex; gap: 1rem; }
.links a, .card a { color: var(--accent); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem;
  margin-top: 1.5rem; }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 12px;
  padding: 1rem 1.25rem; min-width: 0; }
.card ul { list-style: none; margin: .75rem 0 0; padding: 0; }
.card a { font: var(--code); text-decoration: none; overflow-wrap: anywhere; display: inline-block;
  padding: .15rem 0; min-height: 24px; }
.card a:hover { text-decoration: underline; }
.line { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; margin-bottom: .2rem; }
fieldset { border: 1px solid var(--line); border-radius: 10px; margin: 1rem 0; padding: 0 1rem; }
legend { color: var(--soft); font-size: .85rem; padding: 0 .4rem; }
.about:empty { display: none; }
.parameters { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
  gap: 1rem 1.25rem; margin: 1rem 0; }
.parameter { min-width: 0; }
.parameter label { font-weight: 600; overflow-wrap: anywhere; }
.conditions { display: grid; gap: .6rem; margin: .5rem 0; }
.condition { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; }
.condition > select { flex: 1 1 9rem; width: auto; max-width: 16rem; }
.condition .value-of { flex: 2 1 12rem; min-width: 0; }
.condition .parameter > label, .condition .about { display: none; }
fieldset > button { margin: 0 0 .75rem; }
.parameter .empty-value { font-weight: 400; font-size: .85rem; color: var(--soft); }
[aria-invalid] { border-color: var(--bad) !important; }
.refused { color: var(--bad); margin: .3rem 0 0; font-size: .9rem; overflow-wrap: anywhere; }
form > .refused { min-height: 1.5em; }
.required { color: var(--bad); font-weight: 400; font-size: .85rem; }
.values { display: grid; gap: .3rem; }
input[type="text"], input[type="search"], input[type="password"], select { font: inherit;
  width: 100%; padding: .4rem .6rem; color: var(--text); background: var(--panel);
  border: 1px solid var(--edge); border-radius: 7px; }
button { font: inherit; font-weight: 500; padding: .4rem .85rem; color: var(--text);
  background: var(--panel); border: 1px solid var(--edge); border-radius: 7px; cursor: pointer; }
button:hover { background: var(--hover); }
button.primary { background: var(--ink); border-color: var(--ink); color: var(--on-ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; background: var(--back); padding: .5rem; z-index: 1; }
.address, pre, .tree { font: var(--code); }
.address { display: block; background: var(--canvas); border: 1px solid var(--line);
  border-radius: 10px; padding: .6rem .9rem; margin-top: .75rem; overflow-wrap: anywhere; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; }
.status strong.good { color: var(--good); }
.status strong.bad { color: var(--bad); }
table { border-collapse: collapse; font-size: .87rem; }
th { text-align: left; font-weight: 600; padding: .1rem 1rem .1rem 0; vertical-align: top; }
td { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.snippets { display: grid; gap: .75rem; margin-top: .5rem; }
.snippets pre { background: var(--panel); border: 1px solid var(--line); border-radius: 10px;
  padding: .75rem 1rem; }
.tree { overflow-wrap: anywhere; }
.inside { padding-left: 1.25rem; border-left: 1px solid var(--line); margin-left: .35rem; }
.tree .leaf { padding-left: 1.05rem; }
summary { cursor: pointer; min-height: 24px; }
.count { color: var(--soft); padding: 0 .3em; }
.key { color: var(--key); }
.value.string { color: var(--string); white-space: pre-wrap; }
.value.number, .value.boolean { color: var(--number); }
.value.null { color: var(--soft); }
@media (min-width: 45.01rem) {
  nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; }
}
@media (min-width: 70.01rem) {
  body { height: 100vh; }
  nav, #request, #result { position: static; align-self: stretch; height: auto; overflow-y: auto; }
}
@media (max-width: 70rem) {
  main { grid-template-columns: minmax(13rem, 17rem) minmax(0, 1fr); align-content: start; }
  nav { grid-row: 1 / 3; }
  #result { grid-column: 2; border-left: 0; border-top: 1px solid var(--line); }
}
@media (max-width: 45rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  nav { grid-row: auto; border-right: 0; border-bottom: 1px solid var(--line); max-height: 40vh;
    overflow: auto; }
  #result { grid-column: 1; }
  #request:has(+ #result[hidden]) { grid-column: 1; }
  #token-form { position: static; width: 100%; }
  #access { width: 100%; }
}
`;
