/**
 * How the explorer looks, by day and by night.
 *
 * @module
 */

/** The style sheet. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f5f6f8; --line: #d5d9e0; --text: #1b1f27; --soft: #596273;
  --accent: #1f5fbf; --on-accent: #ffffff; --good: #11713a; --bad: #b3261e;
  --string: #1c6b3c; --number: #8a4b00; --key: #274690;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171c; --panel: #1c2027; --line: #363d49; --text: #e8ebf0; --soft: #a3adbd;
    --accent: #8ab4ff; --on-accent: #10213f; --good: #6fd596; --bad: #ff9c94;
    --string: #8edba9; --number: #f1b56b; --key: #a9c3ff;
  }
}
* { box-sizing: border-box; }
html { font: 15px/1.5 system-ui, sans-serif; background: var(--back); color: var(--text); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
[hidden] { display: none !important; }
header { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center;
  padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--panel); }
h1 { font-size: 1.1rem; margin: 0; }
h2 { font-size: 1rem; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
#token-form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; flex: 1; }
#token { flex: 1 1 14rem; max-width: 34rem; }
#message { color: var(--soft); margin: 0; min-height: 1.5em; }
main { flex: 1; display: grid; grid-template-columns: minmax(13rem, 19rem) minmax(0, 1fr); }
nav { border-right: 1px solid var(--line); padding: .75rem 1rem; overflow-wrap: anywhere; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem .5rem; border-radius: 5px; color: var(--text);
  text-decoration: none; font-size: .9rem; }
nav a:hover { background: var(--panel); }
nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
#filter { width: 100%; }
#request { padding: .5rem 1.5rem 3rem; min-width: 0; }
.about { color: var(--soft); margin: .15rem 0 0; font-size: .85rem; }
.line { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; margin-bottom: .2rem; }
fieldset { border: 1px solid var(--line); border-radius: 5px; margin: 1rem 0; padding: 0 1rem; }
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
.required { color: var(--bad); font-weight: 400; font-size: .85rem; }
.values { display: grid; gap: .3rem; }
input[type="text"], input[type="search"], input[type="password"], select { font: inherit;
  width: 100%; padding: .35rem .5rem; color: var(--text); background: var(--back);
  border: 1px solid var(--line); border-radius: 5px; }
button { font: inherit; padding: .35rem .8rem; color: var(--text); background: var(--panel);
  border: 1px solid var(--line); border-radius: 5px; cursor: pointer; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: .5rem; top: .5rem; background: var(--back); padding: .5rem; z-index: 1; }
.address, pre, .tree { font: .87rem/1.55 ui-monospace, "Cascadia Mono", Menlo, monospace; }
.address { display: block; background: var(--panel); border: 1px solid var(--line);
  border-radius: 5px; padding: .5rem .75rem; overflow-wrap: anywhere; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; }
.status strong.good { color: var(--good); }
.status strong.bad { color: var(--bad); }
table { border-collapse: collapse; font-size: .87rem; }
th { text-align: left; font-weight: 600; padding: .1rem 1rem .1rem 0; vertical-align: top; }
td { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.tree { overflow-wrap: anywhere; }
.inside { padding-left: 1.25rem; border-left: 1px solid var(--line); margin-left: .35rem; }
.tree .leaf { padding-left: 1.05rem; }
summary { cursor: pointer; }
.count { color: var(--soft); padding: 0 .3em; }
.key { color: var(--key); }
.value.string { color: var(--string); white-space: pre-wrap; }
.value.number, .value.boolean { color: var(--number); }
.value.null { color: var(--soft); }
@media (max-width: 45rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  nav { border-right: 0; border-bottom: 1px solid var(--line); max-height: 40vh; overflow: auto; }
}
`;
