/**
 * Marks of text in Markdown. A delimiter next to white space, or between a letter and a punctuation mark, is
 * read as text: so white space moves out of marks, and a letter next to such a delimiter becomes an entity.
 * Noncharacters, which text does not contain, mark what must be written differently from the library's output
 * until it is replaced.
 *
 * @module
 */
import type { Node } from "./rich_text_objects.ts";

/** Marks that are written with delimiters. */
const DELIMITED = ["strong", "em", "strike-through", "underline"];
/** Emphasis inside of a word, where underscores are part of it. */
export const EM_IN_WORD = "em*";

/** Before a character that is written as an entity. */
const ENTITY = "\ufdd0";
/** Characters to escape wherever they could be part of a delimiter, and the replacement of each. */
const ESCAPED = "\\*_~`![";
const FIRST_PLACEHOLDER = 0xfdd1;

/** Markdown with everything written that stood for itself. */
export function writtenOut(markdown: string): string {
  return markdown.replace(/\ufdd0(.)/gsu, (_all, letter: string) => `&#${letter.codePointAt(0)};`)
    .replace(/[\ufdd1-\ufdd7]/g, (one) => `\\${ESCAPED[one.charCodeAt(0) - FIRST_PLACEHOLDER]}`);
}

/** A piece of text with its marks, or something that is no text. */
interface Piece {
  node: Node;
  text: string | null;
  marks: string[];
}

/** Children of a checked block with marks that begin and end where their delimiters are read. */
export function withFittingMarks(children: readonly Node[]): Node[] {
  const isMarked = ({ _type, marks }: Node) => _type === "span" && (marks as string[]).length > 0;
  if (!children.some(isMarked)) return [...children];
  let pieces = children.map((node): Piece => {
    if (node._type !== "span") return { node, text: null, marks: [] };
    return { node, text: node.text as string, marks: node.marks as string[] };
  });
  for (const mark of DELIMITED) pieces = withoutOuterSpace(pieces, mark);
  return fitted(withoutSpaceInOverlaps(joined(pieces.filter(({ text }) => text !== ""))));
}

/** Text with the same marks as one piece: a backslash at its end would escape what the next begins with. */
function joined(pieces: readonly Piece[]): Piece[] {
  return pieces.reduce<Piece[]>((whole, piece) => {
    const last = whole.at(-1);
    if (
      last !== undefined && last.text !== null && piece.text !== null &&
      last.marks.join() === piece.marks.join()
    ) whole[whole.length - 1] = { ...last, text: last.text + piece.text };
    else whole.push(piece);
    return whole;
  }, []);
}

function leadingSpace(text: string | null): string {
  return /^\s*/.exec(text ?? "")?.[0] ?? "";
}

function trailingSpace(text: string | null): string {
  return /\s*$/.exec(text ?? "")?.[0] ?? "";
}

/** Moves white space out of the beginning and the end of every run of a mark. */
function withoutOuterSpace(pieces: readonly Piece[], mark: string): Piece[] {
  const has = (piece: Piece | undefined) => piece?.marks.includes(mark) ?? false;
  const marksWithout = ({ marks }: Piece) => marks.filter((one) => one !== mark);
  const kept: Piece[] = [];
  for (const piece of pieces) {
    const space = has(piece) && !has(kept.at(-1)) ? leadingSpace(piece.text) : "";
    if (space !== "") kept.push({ ...piece, text: space, marks: marksWithout(piece) });
    const text = piece.text?.slice(space.length) ?? null;
    if (text !== "") kept.push({ ...piece, text });
  }
  const back: Piece[] = [];
  for (const piece of kept.toReversed()) {
    const space = has(piece) && !has(back.at(-1)) ? trailingSpace(piece.text) : "";
    if (space !== "") back.push({ ...piece, text: space, marks: marksWithout(piece) });
    const text = piece.text?.slice(0, piece.text.length - space.length) ?? null;
    if (text !== "") back.push({ ...piece, text });
  }
  return back.reverse();
}

/** A mark that overlaps another one is closed with it and begins again: not with white space. */
function withoutSpaceInOverlaps(pieces: readonly Piece[]): Piece[] {
  const begins = (mark: string, index: number): number => {
    let at = index;
    while (pieces[at - 1]?.marks.includes(mark)) at -= 1;
    return at;
  };
  return pieces.flatMap((piece, index) => {
    const before = pieces[index - 1];
    const space = leadingSpace(piece.text);
    if (before === undefined || piece.text === null || space === "") return [piece];
    const closed = delimitersOf(before).filter((mark) => !piece.marks.includes(mark));
    const split = delimitersOf(piece).filter((mark) =>
      before.marks.includes(mark) &&
      closed.some((other) => begins(other, index - 1) < begins(mark, index))
    );
    if (split.length === 0) return [piece];
    const marks = piece.marks.filter((mark) => !split.includes(mark));
    const rest = { ...piece, text: piece.text.slice(space.length) };
    return [{ ...piece, text: space, marks }, ...(rest.text === "" ? [] : [rest])];
  });
}

function fitted(pieces: readonly Piece[]): Node[] {
  const placed = pieces.map((piece, index): PlacedPiece => ({
    piece,
    isSimple: isSimpleRun(pieces, index),
  }));
  for (const [index, place] of placed.entries()) {
    place.before = placed[index - 1];
    place.after = placed[index + 1];
  }
  return placed.map((place): Node => {
    const { piece: { node, text, marks }, isSimple } = place;
    if (text === null) return node;
    return {
      ...node,
      text: marks.includes("code") ? text : escapedText(place),
      marks: marks.map((mark) => mark === "em" && isSimple ? EM_IN_WORD : mark),
    };
  });
}

/** A piece, and whether emphasis in it is one of words in words, with no other mark about; and its neighbors. */
interface PlacedPiece {
  piece: Piece;
  isSimple: boolean;
  before?: PlacedPiece | undefined;
  after?: PlacedPiece | undefined;
}

/** Whether emphasis has letters next to it, and no other delimiter is in it or next to it. */
function isSimpleRun(pieces: readonly Piece[], index: number): boolean {
  const has = (piece: Piece | undefined) => piece?.marks.includes("em") ?? false;
  if (!has(pieces[index])) return false;
  let [from, to] = [index, index];
  while (has(pieces[from - 1])) from -= 1;
  while (has(pieces[to + 1])) to += 1;
  const run = pieces.slice(from, to + 1);
  const sides = [pieces[from - 1], pieces[to + 1]];
  const isAlone = run.every(({ marks }) => marks.join() === "em") &&
    sides.every((side) => side === undefined || side.marks.length === 0);
  const edges = [run[0]?.text?.at(0) ?? " ", run.at(-1)?.text?.at(-1) ?? " "];
  const isBesideWord = isWord(sides[0]?.text?.at(-1) ?? " ") || isWord(sides[1]?.text?.[0] ?? " ");
  return isAlone && isBesideWord && edges.every(isWord);
}

/** The text of a piece, with stand-ins where it touches delimiters. */
function escapedText(place: PlacedPiece): string {
  const { piece, before, after } = place;
  const characters = [...piece.text ?? ""];
  const isMarked = piece.marks.length > 0;
  const first = touches(piece, before) ? edgeLength(characters) : 0;
  const last = touches(piece, after) ? edgeLength(characters.toReversed()) : 0;
  const isImage = (after?.piece.marks.some(isLink) ?? false) && !piece.marks.some(isLink);
  const end = characters.length - 1;
  const isOdd = (at: number) =>
    (at === 0 && isOddBeside(place, "before")) || (at === end && isOddBeside(place, "after"));
  // Behind an entity or a stand-in the library takes a delimiter for one inside of a word.
  const behindOdd = isOdd(0) ? 1 + edgeLength(characters.slice(1)) : 0;
  let isNextWritten = false;
  const written = characters.map((character, at) => [character, at] as const).reverse().map(
    ([character, at]) => {
      // A backslash would take the sign of what is written otherwise for itself.
      const isEdge = isMarked || at < Math.max(first, behindOdd) ||
        at >= characters.length - last || isNextWritten;
      let text = character;
      if (character === "!") text = at === end && isImage ? escaped(character) : character;
      else if (character !== "[" && ESCAPED.includes(character)) {
        text = isEdge ? escaped(character) : character;
      } else if (isOdd(at)) text = ENTITY + character;
      isNextWritten = text !== character;
      return text;
    },
  );
  return written.reverse().join("");
}

/** A placeholder for a character that is escaped with a backslash later. */
export function escaped(character: string): string {
  return String.fromCharCode(FIRST_PLACEHOLDER + ESCAPED.indexOf(character));
}

/** A text with stand-ins for what could belong to a delimiter at its beginning. */
export function withEscapedStart(text: string): string {
  const characters = [...text];
  const count = edgeLength(characters);
  return characters.map((one, at) => at < count ? escaped(one) : one).join("");
}

/** How many characters at the beginning could belong to a delimiter. */
function edgeLength(characters: readonly string[]): number {
  const end = characters.findIndex((one) => /[![]/.test(one) || !ESCAPED.includes(one));
  return end < 0 ? characters.length : end;
}

/** Whether a delimiter separates a piece from its neighbor. */
function touches(piece: Piece, neighbor: PlacedPiece | undefined): boolean {
  return neighbor !== undefined && neighbor.piece.marks.join() !== piece.marks.join();
}

/**
 * Whether the letter of a piece next to its neighbor keeps a delimiter from being read: an underscore, or a
 * delimiter of the neighbor whose inner side has punctuation, an entity or another delimiter.
 */
function isOddBeside(place: PlacedPiece, side: "before" | "after"): boolean {
  const { piece, [side]: beside } = place;
  if (beside === undefined) return false;
  const { piece: neighbor, isSimple } = beside;
  const own = [...piece.text ?? ""].at(side === "after" ? -1 : 0);
  if (own === undefined || !isWord(own)) return false;
  const delimiters = delimitersOf(neighbor).filter((mark) => !piece.marks.includes(mark));
  if (delimiters.length === 0) return false;
  // A separate delimiter is between them.
  if (delimitersOf(piece).some((mark) => !neighbor.marks.includes(mark))) return false;
  if (delimiters.includes("em") && !isSimple) return true;
  const characters = [...neighbor.text ?? "*"];
  const inner = characters.at(side === "after" ? 0 : -1) ?? "";
  // The only letter of the neighbor may become an entity for the sake of what is behind it.
  if (characters.length === 1 && neighbor.text !== null && isOddBeside(beside, side)) return true;
  const opensMore = neighbor.marks.some((mark) =>
    (mark === "code" || isLink(mark)) && !piece.marks.includes(mark)
  );
  return !isWord(inner) || opensMore || delimiters.length > 1;
}

function delimitersOf({ marks }: Piece): string[] {
  return marks.filter((mark) => DELIMITED.includes(mark) && mark !== "underline");
}

/** Keys of links begin so, once a block was checked. */
function isLink(mark: string): boolean {
  return mark.startsWith("@");
}

function isWord(character: string): boolean {
  return /[^\s\p{P}\p{S}]/u.test(character);
}
