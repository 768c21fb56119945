/**
 * The mutants of a source file, and the file with all of them built in: each is switched on by its number at run time,
 * so that one process can try many without loading the modules again.
 *
 * @module
 */
import ts from "typescript";

/** One change of the code. */
export interface Mutant {
  id: number;
  path: string;
  /** Where it is, both counted from 1. */
  line: number;
  column: number;
  /** What kind of change: comparison, condition, logic, constant or exit. */
  kind: MutantKind;
  /** The code as it is, and what the mutant makes of it. */
  original: string;
  changed: string;
}

/** The kinds of changes. */
export type MutantKind = "comparison" | "condition" | "logic" | "constant" | "exit";

/** A place in the syntax tree with one change. */
interface Site extends Omit<Mutant, "id" | "path" | "line" | "column"> {
  node: ts.Node;
  /** The code with the change; `inner` is the code without it, `part` prints a part with the mutants inside it. */
  build: (inner: string, part: (node: ts.Node) => string) => string;
}

const COMPARISONS: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
};

const LOGIC: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
};

/** Every mutant of a file, numbered from `firstId`. */
export function findMutants(path: string, text: string, firstId: number): Mutant[] {
  const source = parse(path, text);
  return findSites(source).map(({ node, kind, original, changed }, index) => {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const place = { path, line: line + 1, column: character + 1 };
    return { id: firstId + index, ...place, kind, original, changed };
  });
}

/** The file with the chosen mutants built in; the ids are those of `findMutants`. */
export function buildMutants(
  path: string,
  text: string,
  firstId: number,
  isChosen: (id: number) => boolean,
): string {
  const source = parse(path, text);
  const chosen = new Map<ts.Node, { id: number; site: Site }[]>();
  for (const [index, site] of findSites(source).entries()) {
    const id = firstId + index;
    if (!isChosen(id)) continue;
    chosen.set(site.node, [...chosen.get(site.node) ?? [], { id, site }]);
  }
  const print = (node: ts.Node): string => {
    let inner = "";
    let at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source);
      inner += text.slice(at, start) + print(child);
      at = child.end;
    });
    inner += text.slice(at, node.end);
    for (const { id, site } of chosen.get(node) ?? []) {
      const isOn = `globalThis.__mutant?.(${id})`;
      inner = site.kind === "exit"
        ? `if (!${isOn}) ${inner}`
        : `(${isOn} ? ${site.build(inner, print)} : ${inner})`;
    }
    return inner;
  };
  return text.slice(0, source.getStart(source)) + print(source) + text.slice(source.end);
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
}

function findSites(source: ts.SourceFile): Site[] {
  const sites: Site[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    sites.push(...sitesOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

function sitesOf(node: ts.Node, source: ts.SourceFile): Site[] {
  if (ts.isBinaryExpression(node)) return binarySites(node, source);
  if (ts.isIfStatement(node)) return conditionSites(node.expression, source, ["true", "false"]);
  if (ts.isConditionalExpression(node)) {
    return conditionSites(node.condition, source, ["true", "false"]);
  }
  // A loop that never ends says nothing about its tests.
  if (ts.isWhileStatement(node)) return conditionSites(node.expression, source, ["false"]);
  if (ts.isForStatement(node) && node.condition !== undefined) {
    return conditionSites(node.condition, source, ["false"]);
  }
  if (isEarlyExit(node)) return [site(node, source, "exit", "")];
  return constantSites(node, source);
}

function binarySites(node: ts.BinaryExpression, source: ts.SourceFile): Site[] {
  const { left, right, operatorToken } = node;
  const comparison = COMPARISONS[operatorToken.kind];
  const operator = comparison ?? LOGIC[operatorToken.kind];
  if (operator === undefined) {
    if (operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken) return [];
    const build: Site["build"] = (_, part) => `(${part(left)})`;
    return [{ ...site(node, source, "logic", left.getText(source)), build }];
  }
  const changed = `${left.getText(source)} ${operator} ${right.getText(source)}`;
  const kind = comparison === undefined ? "logic" : "comparison";
  const build: Site["build"] = (_, part) => `((${part(left)}) ${operator} (${part(right)}))`;
  return [{ ...site(node, source, kind, changed), build }];
}

function conditionSites(
  condition: ts.Expression,
  source: ts.SourceFile,
  values: string[],
): Site[] {
  if (["true", "false"].includes(condition.getText(source))) return [];
  return values.map((value) => site(condition, source, "condition", value));
}

/** Whether code after the statement would run if the statement were not there. */
function isEarlyExit(node: ts.Node): boolean {
  const leaves = ts.isReturnStatement(node) || ts.isThrowStatement(node) ||
    ts.isContinueStatement(node);
  if (!leaves || !ts.isBlock(node.parent)) return false;
  const owner = node.parent.parent;
  // Alone in its block it is what the condition before decides; at the end of a function nothing follows.
  return ts.isIfStatement(owner) && node.parent.statements.length > 1;
}

function constantSites(node: ts.Node, source: ts.SourceFile): Site[] {
  const text = node.getText(source);
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) {
    const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    return isName ? [] : [site(node, source, "constant", otherNumber(text))];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [site(node, source, "constant", "false")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [site(node, source, "constant", "true")];
  return [];
}

/** A small number becomes its neighbour; a large one, such as a time limit, ten times as large. */
function otherNumber(text: string): string {
  const suffix = text.endsWith("n") ? "n" : "";
  const value = Number(text.replace(/_|n$/g, ""));
  if (value === 1) return `0${suffix}`;
  return value < 10 ? `${value + 1}${suffix}` : `${text} * 10${suffix}`;
}

function site(node: ts.Node, source: ts.SourceFile, kind: MutantKind, changed: string): Site {
  const original = node.getText(source);
  return { node, kind, original, changed, build: () => `(${changed})` };
}
