/**
 * Rich text in short, one line for each block: what tests of editors compare.
 *
 * @module
 */

// deno-lint-ignore no-explicit-any
type Block = any;

/** Blocks as their styles and words, with marks around them; objects as what is written in them. */
export function lines(blocks: Block[]): string[] {
  return blocks.map((block) => {
    if (block._type !== "block") return `{${objectLine(block)}}`;
    const sign = block.listItem ? `${block.listItem} ${block.level}` : block.style;
    const words = block.children.map(({ text, marks = [], _type }: Block) => {
      if (_type !== "span") return `{${_type}}`;
      const names = marks.map((mark: string) =>
        block.markDefs.find(({ _key }: Block) => _key === mark)?.href ?? mark
      );
      return names.length === 0 ? text : `<${names.join(" ")}>${text}</>`;
    });
    return `${sign}: ${words.join("")}`;
  });
}

function objectLine(block: Block): string {
  const inner = (blocks: Block[]) => lines(blocks).map((line) => line.replace(/^normal: /, ""));
  switch (block._type) {
    case "code":
      return `code ${block.language}: ${block.code}`;
    case "table": {
      const rows = block.rows.map(({ cells }: Block) =>
        cells.map(({ value }: Block) => inner(value).join("; ")).join(" | ")
      );
      return `table ${block.headerRows}: ${rows.join(" / ")}`;
    }
    case "callout":
      return block.content === undefined
        ? "callout"
        : `callout ${block.tone}: ${inner(block.content).join("; ")}`;
    case "embed":
      return `embed: ${[block.url, block.title].filter(Boolean).join(" ")}`;
    default:
      return block._type;
  }
}
