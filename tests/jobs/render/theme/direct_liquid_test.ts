/** Templates rendered by calls print, and refuse, what the library does by its generators. */
// @ts-types="liquidjs/types"
import { Liquid } from "liquidjs";
import { DirectLiquid } from "../../../../jobs/render/theme/direct_liquid.ts";
import { Html, printed } from "../../../../jobs/render/markup.ts";
import { assert, assertEquals, assertThrows } from "../../../support/harness/assert.ts";
import { seededRandom } from "../../../support/harness/harness.ts";

const PARTIALS = {
  part: "<{{ x }}{{ n }}{% if x %}!{% endif %}{% render 'inner', x: x %}>",
  inner: "({{ x.name | upcase }}{{ forloop.index }})",
  faulty: "{{ x | divided_by: 0 | plus: y.z.w }}{% render 'missing' %}",
  endless: "{% render 'endless' %}",
  layout: "<l>{% block a %}default{{ n }}{% endblock %}|{% block b %}B{% endblock %}</l>",
};

function engines(options: { renderLimit?: number; memoryLimit?: number } = {}) {
  return [Liquid, DirectLiquid].map((Engine) => {
    const engine = new Engine({
      templates: PARTIALS,
      cache: true,
      relativeReference: false,
      ownPropertyOnly: true,
      strictFilters: true,
      outputEscape: printed,
      memoryLimit: 10_000,
      ...options,
    });
    engine.registerFilter("raw", (value: unknown) => value);
    return engine;
  }) as [Liquid, DirectLiquid];
}

const VALUES = {
  n: 3,
  zero: 0,
  word: "a <b> & 'c'",
  none: null,
  yes: true,
  no: false,
  html: new Html("<i>i</i>"),
  empty: "",
  key: "name",
  list: [1, "two", null, { name: "x<y", list: [] }, [1, [2]]],
  nothing: [],
  one: { name: "One", size: 9, first: "f", deep: { name: "Deep", n: 1.5, list: ["p", "q"] } },
  bare: {},
};

const ATOMS = [
  ..."n zero word none yes no html empty key list nothing one bare missing".split(" "),
  ..."one.name one.size one.first one.deep.name one.deep.list list.size list.first".split(" "),
  ..."list.last word.size list[3].name list[-1] one[key] one['name'] one.deep[key]".split(" "),
  ..."missing.name.more word.name none.name n.first (1..3) (1..n) 'text' '' 1 -2.5".split(" "),
  ..."true false nil empty blank forloop.index forloop.last forloop item item.name set".split(" "),
  ..."'text'.size (1..n).last 'text'[key] 1.size".split(" "),
  ..."one.constructor list.length word.length __proto__ one.toString (one.name) x".split(" "),
];
const OPERATORS = ["==", "!=", ">", "<", ">=", "<=", "contains", "and", "or"];
const FILTERS = [
  "upcase",
  "size",
  "first",
  "join: '-'",
  "default: one.name",
  "default: 'd', allow_false: true",
  "append: word",
  "plus: n",
  "split: ' '",
  "raw",
  "escape",
  "json",
  "sort",
  "map: 'name'",
  "where: 'name', 'One'",
  "slice: 0, n",
  "replace: 'a', key",
  "concat: list",
  "date: '%Y'",
];

/** Templates of a few levels, by chance. */
class Templates {
  constructor(readonly random: () => number) {}

  #pick = <T>(all: readonly T[]) => all[Math.floor(this.random() * all.length)]!;

  #condition(): string {
    const terms = [this.#pick(ATOMS)];
    while (this.random() < 0.4) terms.push(this.#pick(OPERATORS), this.#pick(ATOMS));
    return (this.random() < 0.1 ? "not " : "") + terms.join(" ");
  }

  #value(): string {
    let value = this.random() < 0.8 ? this.#pick(ATOMS) : this.#condition();
    while (this.random() < 0.3) value += ` | ${this.#pick(FILTERS)}`;
    return value;
  }

  text(depth = 0): string {
    const parts = Array.from(
      { length: 1 + Math.floor(this.random() * 4) },
      () => this.#part(depth),
    );
    return parts.join(this.#pick(["", " ", "\n", "x"]));
  }

  #part(depth: number): string {
    const inner = () => depth < 3 ? this.text(depth + 1) : `{{ ${this.#value()} }}`;
    const kinds: (() => string)[] = [
      () => `{{ ${this.#value()} }}`,
      () => `{{- ${this.#value()} -}}`,
      () => `{% if ${this.#condition()} %}${inner()}{% endif %}`,
      () =>
        `{%- if ${this.#value()} -%}${inner()}{% elsif ${this.#condition()} %}${inner()}{% else %}${inner()}{% endif %}`,
      () => `{% unless ${this.#condition()} %}${inner()}{% else %}${inner()}{% endunless %}`,
      () =>
        `{% case ${this.#value()} %}{% when ${this.#pick(ATOMS)}, ${
          this.#pick(ATOMS)
        } %}${inner()}{% when ${
          this.#pick(ATOMS)
        } or 'two' %}${inner()}{% else %}${inner()}{% endcase %}`,
      () => `{% for item in ${this.#pick(ATOMS)} %}${inner()}{% else %}${inner()}{% endfor %}`,
      () =>
        `{% for item in list limit: n %}{% if ${this.#condition()} %}{% ${
          this.#pick(["break", "continue"])
        } %}{% endif %}${inner()}{% endfor %}`,
      () => `{% assign set = ${this.#value()} %}`,
      () => `{% capture set %}${inner()}{% endcapture %}`,
      () => `{% render 'part', x: ${this.#pick(ATOMS)}, n: item %}`,
      () => `{% include 'inner' %}`,
      () => `{% render 'part' for list as x %}`,
      () => `{% cycle 'a', ${this.#pick(ATOMS)} %}`,
      () => `{% increment counter %}{% echo ${this.#value()} %}`,
      () => `{% tablerow item in list cols: 2 %}${inner()}{% endtablerow %}`,
      () => this.random() < 0.1 ? `{% render 'faulty', x: ${this.#pick(ATOMS)} %}` : "plain",
    ];
    return this.#pick(kinds)();
  }
}

/** What an engine makes of a template: its text, or why it has none. */
function outcome(engine: Liquid, text: string, values: object = VALUES): string {
  try {
    return `text: ${engine.parseAndRenderSync(text, { ...values })}`;
  } catch (error) {
    return `error: ${(error as Error).name}: ${(error as Error).message}`;
  }
}

Deno.test("any template is rendered, or refused, as the library does it", () => {
  const [library, direct] = engines();
  const templates = new Templates(seededRandom(14));
  const seen = { text: 0, error: 0 };
  for (let round = 0; round < 6_000; round++) {
    const text = templates.text();
    const expected = outcome(library, text);
    assertEquals(outcome(direct, text), expected, text);
    seen[expected.startsWith("text") ? "text" : "error"] += 1;
  }
  assert(seen.text > 3_000 && seen.error > 30, JSON.stringify(seen));
});

Deno.test("layouts and their blocks are rendered as the library does it", () => {
  const [library, direct] = engines();
  for (
    const text of [
      "{% layout 'layout' %}{% block a %}A{% if yes %}{{ block.super }}{% endif %}{% endblock %}",
      "{% layout 'layout', n: one.name %}{% block b %}{% for item in list %}{{ item }}{% endfor %}{% endblock %}",
      "{% layout 'layout' %}nothing",
      "{% layout none %}{% block a %}{{ word }}{% endblock %}",
    ]
  ) assertEquals(outcome(direct, text), outcome(library, text), text);
});

Deno.test("a case whose branch changes what the next compares is no other than the library's", () => {
  const [library, direct] = engines();
  const text =
    "{% case n %}{% when 3 %}a{% assign key = 3 %}{% when key %}b{% else %}c{% endcase %}";
  assertEquals(outcome(library, text), "text: ab");
  assertEquals(outcome(direct, text), "text: ab");
});

Deno.test("time and memory are bounded as the library bounds them", () => {
  for (
    const [limits, text, message] of [
      [
        { memoryLimit: 50 },
        "{{ word | append: word | append: word }}{% for i in (1..90) %}{{ i }}{% endfor %}",
        /memory alloc limit exceeded/,
      ],
      [
        { renderLimit: 30, memoryLimit: 1e9 },
        "{% for i in (1..3000) %}{% for j in (1..3000) %}{% if i %}{% endif %}{% endfor %}{% endfor %}",
        /template render limit exceeded/,
      ],
      [
        { renderLimit: 30, memoryLimit: 1e9 },
        "{% render 'endless' %}",
        /template render limit exceeded|call stack/,
      ],
    ] as const
  ) {
    for (const engine of engines(limits)) {
      const startedAt = performance.now();
      const error = assertThrows(() => engine.parseAndRenderSync(text, { ...VALUES }), Error);
      assert(message.test(error.message), error.message);
      assert(performance.now() - startedAt < 3_000);
    }
  }
});
