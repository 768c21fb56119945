/**
 * The search indexes against the documents: that of originals, and that of languages.
 *
 * @module
 */
import { languageStamp } from "../search/languages/language_stamp.ts";
import { collectionIdOf, idOf, type SearchReader } from "../search/search_reader.ts";
import { partsOfSearched, type SearchedParts } from "../search/languages/searched_id.ts";
import type { SeenDocument } from "./documents_check.ts";
import type { DoctorOptions, Finding } from "./finding.ts";

/** A publish this recent may not have reached search yet, seconds. */
const RECENT_SECONDS = 900;

/** Examines the search index; what it lacks is rebuilt whole. */
export async function* checkSearch(
  { content, search, rebuildSearch }: DoctorOptions,
  seen: ReadonlyMap<string, SeenDocument>,
): AsyncGenerator<Finding> {
  const { byId } = await content.schema.current();
  const { reader } = await search.open();
  const found = new Set<string>();
  for (const { id } of postingsOf(reader)) found.add(id);
  const now = content.context.now() / 1000;
  const repair = once(() => rebuildSearch());
  for (const [id, { published, at, collectionId }] of seen) {
    const wanted = published && byId.has(collectionId);
    if (now - at < RECENT_SECONDS || wanted === found.has(id)) continue;
    const problem = wanted ? "is published and not found" : "is found and not published";
    yield { check: "search", subject: `document ${id}`, problem, repair };
  }
}

/**
 * Examines the search index of languages. One that was built for another schema answers no search, and is rebuilt by
 * the next one.
 */
export async function* checkLanguagesSearch(
  { content, search, rebuildSearch }: DoctorOptions,
  seen: ReadonlyMap<string, SeenDocument>,
): AsyncGenerator<Finding> {
  const schema = await content.schema.current();
  if (schema.languages === undefined) return;
  const { languages: reader } = await search.open({ languages: true });
  if (reader === undefined || reader.builtFor !== languageStamp(schema)) return;
  const found = new Set<string>();
  for (const { id, language, kind } of postingsOf(reader)) found.add(`${id}/${language}:${kind}`);
  const wanted = new Set([...seen.values()].flatMap(({ postings = [] }) => postings));
  const now = content.context.now() / 1000;
  const repair = once(() => rebuildSearch({ languages: true }));
  const reported = new Set<string>();
  for (const posting of wanted.symmetricDifference(found)) {
    const [name = ""] = posting.split(":");
    const [id = "", language] = name.split("/");
    // A document may have two postings in a language.
    if (reported.has(name)) continue;
    reported.add(name);
    const document = seen.get(id);
    if (document !== undefined && now - document.at < RECENT_SECONDS) continue;
    const problem = wanted.has(posting)
      ? `is published in ${language} and not found as it is`
      : `is found in ${language} as it is not published`;
    yield { check: "search", subject: `document ${id}`, problem, repair };
  }
}

/** A document that an index finds; in the index of languages a posting of it. */
type FoundPosting = { id: string } & Pick<SearchedParts, "language" | "kind">;

function* postingsOf(reader: SearchReader): Generator<FoundPosting> {
  const { layers, delta } = reader;
  const posting = (source: number, ordinal: number) => {
    const at = { source, ordinal };
    return { ...partsOfSearched(collectionIdOf(reader, at)), id: idOf(reader, at) };
  };
  for (const [source, { segment, masked }] of layers.entries()) {
    for (let ordinal = 0; ordinal < segment.info.documents; ordinal++) {
      if (!masked.has(ordinal)) yield posting(source, ordinal);
    }
  }
  for (const ordinal of delta.keys()) yield posting(layers.length, ordinal);
}

/** A repair of all findings together. */
function once(rebuild: () => Promise<void>): () => Promise<boolean> {
  let rebuilt: Promise<boolean> | undefined;
  return () => rebuilt ??= rebuild().then(() => true);
}
