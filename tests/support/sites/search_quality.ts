/**
 * Known-item search: for each page queries that somebody who wants it would type, and where it is found.
 *
 * @module
 */

/** A page that is looked for. */
export interface KnownPage {
  id: string;
  title: string;
  body: string;
}

/** The kinds of query. */
export const QUERY_KINDS = ["title", "phrase", "misspelt", "diacritic", "prefix"] as const;

/** One of {@linkcode QUERY_KINDS}. */
export type QueryKind = typeof QUERY_KINDS[number];

/** Shares of the queries of a kind whose page was among the first 1, 3 and 10. */
export interface Recall {
  queries: number;
  first: number;
  three: number;
  ten: number;
}

const ACCENTS: Record<string, string> = { a: "à", e: "é", i: "ï", o: "ö", u: "û", c: "ç", n: "ñ" };

/** A query for a page; null when the page gives none of this kind. */
export function queryFor(kind: QueryKind, { title, body }: KnownPage): string | null {
  const words = title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const long = words.filter((word) => /^[a-z]{6,}$/i.test(word))
    .toSorted((a, b) => b.length - a.length)[0];
  switch (kind) {
    case "title":
      return words.length === 0 ? null : words.join(" ").slice(0, 100);
    case "phrase":
      return phraseOf(body);
    case "misspelt":
      // A letter is left out in the middle of the title's longest word.
      if (long === undefined) return null;
      return title.replace(long, long.slice(0, 3) + long.slice(4)).slice(0, 100);
    case "diacritic":
      return title.replace(/[aeioucn]/gi, (letter) => ACCENTS[letter.toLowerCase()]!).slice(0, 100);
    case "prefix":
      return long === undefined
        ? null
        : `${words.filter((word) => word !== long).join(" ")} ${long.slice(0, 5)}`.slice(0, 100)
          .trim();
  }
}

/** Six words in a row from the middle of a text, in quotation marks. */
function phraseOf(body: string): string | null {
  const sentences = body.match(/(?<!\p{L})(?:[a-z]{2,12} ){5}[a-z]{2,12}(?!\p{L})/gu) ?? [];
  const phrase = sentences[sentences.length >> 1];
  return phrase === undefined ? null : `"${phrase}"`;
}

/** Searches for every page in every way. `search` answers ids, best first. */
export async function measureRecall(
  pages: readonly KnownPage[],
  search: (text: string) => Promise<string[]>,
): Promise<Record<QueryKind, Recall & { missed: string[] }>> {
  const results = {} as Record<QueryKind, Recall & { missed: string[] }>;
  for (const kind of QUERY_KINDS) {
    const recall = { queries: 0, first: 0, three: 0, ten: 0, missed: [] as string[] };
    for (const page of pages) {
      const query = queryFor(kind, page);
      if (query === null) continue;
      const index = (await search(query)).indexOf(page.id);
      recall.queries += 1;
      if (index === 0) recall.first += 1;
      if (index >= 0 && index < 3) recall.three += 1;
      else recall.missed.push(`${query} (${index + 1})`);
      if (index >= 0 && index < 10) recall.ten += 1;
    }
    for (const rank of ["first", "three", "ten"] as const) {
      recall[rank] /= Math.max(1, recall.queries);
    }
    results[kind] = recall;
  }
  return results;
}
