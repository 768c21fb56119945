/**
 * Synchronous Liquid. The library evaluates each template, value and property in a separate generator, so that
 * any of them may be asynchronous; no value of a theme is. Outputs, conditions and properties, which are most
 * of a theme, are evaluated directly here, everything else by the library.
 *
 * @module
 */
// The build for browsers: it knows no file system, and loads four times as fast.
// @ts-types="liquidjs/types"
import {
  CaseTag,
  type Context,
  type Emitter,
  evalToken,
  IfTag,
  isTruthy,
  Liquid,
  LiquidError,
  Output,
  type PropertyAccessToken,
  RenderError,
  type Template,
  type Token,
  toValue,
  toValueSync,
  TypeGuards,
  UnlessTag,
  type Value,
} from "liquidjs";

const { isOperatorToken, isPropertyAccessToken } = TypeGuards;

/** Number of templates rendered between two checks of the time limit. */
const TIME_CHECK_INTERVAL = 16;

/** It answers generators of what is rendered; a caller that expects one accepts a text as well. */
type Renderer = Liquid["renderer"];

/** {@linkcode Liquid} for templates that never change, and are rendered synchronously. */
export class DirectLiquid extends Liquid {
  declare readonly renderer: Renderer;
  readonly #partials = new Map<string, Template[]>();

  constructor(options: ConstructorParameters<typeof Liquid>[0]) {
    super(options);
    this.renderer = new DirectRenderer(this.renderer) as unknown as Renderer;
  }

  /** Looked up once: for each lookup the library creates a parser and a loader. */
  override *_parsePartialFile(
    ...asked: Parameters<Liquid["_parsePartialFile"]>
  ): ReturnType<Liquid["_parsePartialFile"]> {
    const [name] = asked;
    const known = this.#partials.get(name);
    if (known !== undefined) return known;
    const templates = (yield super._parsePartialFile(...asked)) as Template[];
    this.#partials.set(name, templates);
    return templates;
  }
}

class DirectRenderer {
  readonly #library: Renderer;

  constructor(library: Renderer) {
    this.#library = library;
  }

  renderTemplates(
    templates: readonly Template[],
    context: Context,
    emitter: Emitter = new TextEmitter(),
  ): string {
    let n = -1;
    for (const template of templates) {
      n += 1;
      try {
        // Uses the same clock as the limit.
        if (n % TIME_CHECK_INTERVAL === 0) {
          toValueSync(this.#library.renderTemplates([], context, emitter));
        }
        this.#render(template, context, emitter);
      } catch (error) {
        throw LiquidError.is(error) ? error : new RenderError(error as Error, template);
      }
      if (context.breakCalled || context.continueCalled) break;
    }
    return emitter.buffer;
  }

  #render(template: Template, context: Context, emitter: Emitter): void {
    if (template instanceof Output) emitter.write(valueOf(template.value, context));
    else if (template instanceof IfTag) this.#renderIf(template, context, emitter);
    else if (template instanceof UnlessTag) this.#renderUnless(template, context, emitter);
    else if (template instanceof CaseTag) this.#renderCase(template, context, emitter);
    else {
      const text = toValueSync(template.render(context, emitter) as Generator<string>);
      if (text) emitter.write(text);
    }
  }

  #renderIf(
    { branches, elseTemplates = [] }: IfTag,
    context: Context,
    emitter: Emitter,
  ): void {
    const hit = branches.find(({ value }) => isTruthy(valueOf(value, context), context));
    this.renderTemplates(hit?.templates ?? elseTemplates, context, emitter);
  }

  #renderUnless(
    { branches, elseTemplates }: UnlessTag,
    context: Context,
    emitter: Emitter,
  ): void {
    const hit = branches.find(({ value, test }) => test(valueOf(value, context), context));
    this.renderTemplates(hit?.templates ?? elseTemplates, context, emitter);
  }

  #renderCase(
    { value, branches, elseTemplates }: CaseTag,
    context: Context,
    emitter: Emitter,
  ): void {
    const subject = valueOf(value, context);
    let isHit = false;
    for (const { values, templates } of branches) {
      if (!values.some((token) => areEqual(subject, tokenValue(token, context), context))) continue;
      isHit = true;
      this.renderTemplates(templates, context, emitter);
    }
    if (!isHit) this.renderTemplates(elseTemplates, context, emitter);
  }
}

class TextEmitter implements Emitter {
  buffer = "";

  write(text: unknown): void {
    this.buffer += text;
  }
}

/** An expression with its filters applied. */
function valueOf({ initial: { postfix }, filters }: Value, context: Context): unknown {
  const operands: unknown[] = [];
  for (const token of postfix) {
    if (!isOperatorToken(token)) operands.push(tokenValue(token, context));
    else {
      const right = operands.pop();
      const left = token.operator === "not" ? [] : [operands.pop()];
      operands.push(operated(token.operator, [...left, right], context));
    }
  }
  let value = operands[0];
  for (const filter of filters) value = toValueSync(filter.render(value, context));
  return toValue(value);
}

function operated(operator: string, operands: unknown[], context: Context): unknown {
  const [left, right] = operands;
  if (operator === "==" && isPlain(left) && isPlain(right)) return left === right;
  if (operator === "!=" && isPlain(left) && isPlain(right)) return left !== right;
  const operate = context.opts.operators[operator] as (...given: unknown[]) => unknown;
  return toValueSync(operate(...operands, context) as Generator);
}

function areEqual(left: unknown, right: unknown, context: Context): boolean {
  return operated("==", [left, right], context) as boolean;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

/** A literal, or a variable with its properties. */
function tokenValue(token: Token, context: Context): unknown {
  if (isPropertyAccessToken(token)) {
    const path = pathOf(token);
    if (path !== null) return propertyAt(path, context);
  } else if ("content" in token) return token.content;
  return toValueSync(evalToken(token, context) as Generator);
}

/** Paths of names alone, null for others. */
const PATHS = new WeakMap<PropertyAccessToken, string[] | null>();

function pathOf(token: PropertyAccessToken): string[] | null {
  const known = PATHS.get(token);
  if (known !== undefined) return known;
  const names = token.props.map((prop) => "content" in prop ? prop.content : null);
  const isPath = token.variable === undefined && names.every((name) => typeof name === "string");
  const path = isPath ? names as string[] : null;
  PATHS.set(token, path);
  return path;
}

function propertyAt(path: string[], context: Context): unknown {
  // Public properties use a generator for each step.
  let value: object = context["findScope"](path[0] ?? "");
  for (const name of path) value = toValueSync(context.readProperty(value, name));
  return value;
}
