/**
 * Reads templates as they will be rendered: from those that the service renders to those that they render in turn,
 * with what is given to each on the way.
 *
 * @module
 */
// @ts-types="liquidjs/types"
import { type Arguments, type Liquid, type Template, TypeGuards } from "liquidjs";
import { ownValue } from "../../kv/model/primitives/own_value.ts";
import { TEMPLATE_READINGS_MAX } from "../limits.ts";
import { propertyOf, type Shape, type Shapes } from "./template_shapes.ts";

/** The result of reading a template. */
export interface FoundVariables {
  /** Variables that it uses and that exist in none of its renderers. */
  unknown: string[];
  /** The names of what it is given. */
  given: string[];
}

type Argument = Arguments extends Iterable<infer One> ? One : never;

/** A variable and its properties; one that another variable tells is a path of its own. */
type Path = (string | number | Path)[];

/** The properties of the language's tags that render other templates or assign values. */
type Tag = Template & {
  name?: string;
  /** `for`, `tablerow` */
  variable?: string;
  collection?: unknown;
  /** `assign` */
  value?: { initial: { postfix: unknown[] }; filters: unknown[] };
  /** `render`, `include`, `layout` */
  file?: unknown;
  hash?: { hash: Record<string, unknown> };
  args?: { hash: Record<string, unknown> };
  with?: { value: unknown; alias?: string };
  forBinding?: { value: unknown; alias?: string };
  withVar?: unknown;
};

/** Reads templates, and keeps what each asks for in vain. */
export class TemplateReading {
  /** Whether templates render one another in more ways than are read: what was found is not all then. */
  isCutOff = false;
  readonly #engine: Liquid;
  readonly #parsed: Map<string, Tag[]>;
  /** The unknown variables of each reading of a template, by its name. */
  readonly #unknown = new Map<string, Set<string>[]>();
  readonly #given = new Map<string, Set<string>>();
  readonly #read = new Set<string>();
  readonly #numbers = new Map<Shape, number>();

  constructor(engine: Liquid, templates: Readonly<Record<string, string>>) {
    this.#engine = engine;
    this.#parsed = new Map(
      Object.entries(templates).map(([name, text]) => [name, parse(engine, text)]),
    );
  }

  /** Reads a template with what it is given, and all that it renders; once for the same. */
  read(name: string, given: Shapes): void {
    const templates = this.#parsed.get(name);
    const reading = `${name} ${this.#keyOf(given)}`;
    if (templates === undefined || this.#read.has(reading)) return;
    if (this.#read.size >= TEMPLATE_READINGS_MAX) {
      this.isCutOff = true;
      return;
    }
    this.#read.add(reading);
    const names = this.#given.get(name) ?? new Set();
    for (const one of Object.keys(given)) names.add(one);
    this.#given.set(name, names);
    const unknown = new Set<string>();
    this.#unknown.set(name, [...this.#unknown.get(name) ?? [], unknown]);
    // What is assigned at the end of a loop is there in its next round.
    const assigned = assignedIn(templates).map((name) => [name, "any"] as const);
    this.#readAll(templates, { ...Object.fromEntries(assigned), ...given }, unknown);
  }

  /** The variables and partials of a template. */
  found(name: string): FoundVariables {
    const [first = new Set<string>(), ...others] = this.#unknown.get(name) ?? [];
    // Who renders it elsewhere may give it more.
    const unknown = [...first].filter((variable) => others.every((one) => one.has(variable)));
    return { unknown, given: [...this.#given.get(name) ?? []] };
  }

  /** `scope` grows with what is assigned. */
  #readAll(templates: readonly Tag[], scope: Record<string, Shape>, unknown: Set<string>): void {
    for (const tag of templates) this.#readOne(tag, scope, unknown);
  }

  #readOne(tag: Tag, scope: Record<string, Shape>, unknown: Set<string>): void {
    for (const path of this.#pathsIn(tag.arguments?.() ?? [])) {
      if (shapeAt(path, scope) === null) unknown.add(wordsOf(path, scope));
    }
    for (const { content } of tag.localScope?.() ?? []) {
      scope[content] = tag.name === "assign" ? this.#valueOf(tag.value, scope) : "any";
    }
    const inner = this.#innerScope(tag, scope);
    this.#readAll(childrenOf(tag), inner, unknown);
    // What was assigned inside of a block is there behind it.
    const own = new Set(tag.blockScope?.() ?? []);
    for (const [name, shape] of Object.entries(inner)) if (!own.has(name)) scope[name] = shape;
    this.#readOther(tag, scope);
  }

  /** The scope inside a block. */
  #innerScope(tag: Tag, scope: Record<string, Shape>): Record<string, Shape> {
    const inner = { ...scope };
    for (const name of tag.blockScope?.() ?? []) inner[name] = "any";
    if (tag.variable !== undefined && tag.collection !== undefined) {
      inner[tag.variable] = itemOf(this.#shapeOf(tag.collection, scope));
    }
    return inner;
  }

  /** The template that a tag renders, or stands in. */
  #readOther({ name, file, ...tag }: Tag, scope: Shapes): void {
    if (typeof file !== "string" || !["render", "include", "layout"].includes(name ?? "")) return;
    const given: Record<string, Shape> = name === "render" ? {} : { ...scope };
    const values = tag.hash?.hash ?? tag.args?.hash ?? {};
    for (const [key, value] of Object.entries(values)) given[key] = this.#shapeOf(value, scope);
    if (tag.with) given[tag.with.alias ?? file] = this.#shapeOf(tag.with.value, scope);
    if (tag.withVar) given[file] = this.#shapeOf(tag.withVar, scope);
    if (tag.forBinding) {
      given.forloop = "any";
      given[tag.forBinding.alias ?? file] = itemOf(this.#shapeOf(tag.forBinding.value, scope));
    }
    this.read(file, given);
  }

  /** The shape of an assigned value; any if a filter converts it. */
  #valueOf(value: Tag["value"], scope: Shapes): Shape {
    const [only, ...more] = value?.initial.postfix ?? [];
    if (value === undefined || value.filters.length + more.length > 0) return "any";
    return this.#shapeOf(only, scope);
  }

  /** The shape of a value in a tag. */
  #shapeOf(value: unknown, scope: Shapes): Shape {
    if (!TypeGuards.isPropertyAccessToken(value)) return "any";
    const [path] = this.#pathsIn([value]);
    // A missing variable is reported where it is used.
    return path === undefined ? "any" : shapeAt(path, scope) ?? "any";
  }

  /** Paths of all variables that some values of a tag ask for. */
  #pathsIn(values: Iterable<Argument>): Path[] {
    // The engine tells what templates ask for, not what values do.
    const asking = { arguments: () => values } as Template;
    return this.#engine.globalVariableSegmentsSync([asking], { partials: false }) as Path[];
  }

  /** The same for the same names with the same shapes. */
  #keyOf(given: Shapes): string {
    const numbers = Object.entries(given).map(([name, shape]) => {
      const number = this.#numbers.get(shape) ?? this.#numbers.size;
      this.#numbers.set(shape, number);
      return `${name}:${number}`;
    });
    return numbers.sort().join(" ");
  }
}

/** Another check reports a template that cannot be parsed. */
function parse(engine: Liquid, text: string): Tag[] {
  try {
    return engine.parse(text);
  } catch {
    return [];
  }
}

function itemOf(list: Shape): Shape {
  return typeof list === "object" && "each" in list ? list.each : "any";
}

/** The shape at a path; null if there is none. */
function shapeAt([root, ...properties]: Path, scope: Shapes): Shape | null {
  let shape = typeof root === "string" ? ownValue(scope, root) ?? null : null;
  for (const property of properties) {
    if (shape === null) return null;
    // If a variable names the property, it may be any.
    if (typeof property === "object") return "any";
    shape = propertyOf(shape, property);
  }
  return shape;
}

/** A path up to what is not there. */
function wordsOf(path: Path, scope: Shapes): string {
  const length = path.findIndex((_, at) => shapeAt(path.slice(0, at + 1), scope) === null);
  return path.slice(0, length + 1).map(String).join(".");
}

/** The templates inside a tag; without partials, no promise is awaited. */
function childrenOf(tag: Template): Tag[] {
  const steps = tag.children?.(false, true);
  if (steps === undefined) return [];
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

/** The names that are assigned anywhere in templates. */
function assignedIn(templates: readonly Tag[]): string[] {
  return templates.flatMap((tag) => [
    ...[...tag.localScope?.() ?? []].map(({ content }) => content),
    ...assignedIn(childrenOf(tag)),
  ]);
}
