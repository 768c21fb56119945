/**
 * Query expansion: other words of the index that have the stem of one that is asked for.
 *
 * @module
 */
import { STEM_FORMS_MAX, STEM_LETTERS_MIN } from "../../tuning.ts";
import type { Clause } from "./search_query.ts";
import type { SearchReader } from "../search_reader.ts";
import type { Segment } from "../segments/segment.ts";
import { sharedUnits } from "../segments/posting.ts";
import type { Stemmer } from "../analysis/stemmers.ts";

/** The clauses, words that are not quoted with their other forms. */
export async function expanded(
  reader: SearchReader,
  clauses: readonly Clause[],
  stem: Stemmer,
): Promise<Clause[]> {
  return await Promise.all(clauses.map(async (clause) => {
    if (clause.quoted || clause.unspaced || clause.terms.length > 1) return clause;
    const forms = await formsOf(reader, clause.terms[0].term, stem);
    return forms.length === 0 ? clause : { ...clause, forms };
  }));
}

async function formsOf(reader: SearchReader, term: string, stem: Stemmer): Promise<string[]> {
  const wanted = stem(term);
  if (wanted === null) return [];
  // An ending may change the letter before it: "study", "studies".
  const beginning = term.slice(0, Math.max(STEM_LETTERS_MIN, sharedUnits(term, wanted) - 1));
  if (sharedUnits(term, wanted) < STEM_LETTERS_MIN) return [];
  const counts = new Map<string, number>();
  const isForm = (other: string) => stem(other) === wanted;
  const found = await Promise.all(
    reader.layers.map(({ segment }) => segmentForms(segment, beginning, wanted, isForm)),
  );
  for (const [form, documents] of found.flat()) {
    counts.set(form, (counts.get(form) ?? 0) + documents);
  }
  for (const document of reader.delta) {
    const [start, end] = document.prefixRows(beginning);
    for (const other of document.terms.slice(start, end)) {
      if (isForm(other)) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }
  counts.delete(term);
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, STEM_FORMS_MAX).map(([form]) => form).sort();
}

/** Forms with the number of documents that have them, looked for once a segment. */
function segmentForms(
  segment: Segment,
  beginning: string,
  stem: string,
  isForm: (term: string) => boolean,
): [form: string, documents: number][] | Promise<[form: string, documents: number][]> {
  return segment.cached(`forms/${beginning}/${stem}`, async () => {
    const forms: [string, number][] = [];
    for (const { term, documents } of await segment.entriesFrom(beginning)) {
      if (isForm(term)) forms.push([term, documents]);
    }
    return forms;
  }, (forms) => 100 * forms.length);
}
