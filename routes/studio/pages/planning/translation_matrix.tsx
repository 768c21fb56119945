/**
 * How far the translation of each collection has come, language by language.
 *
 * @module
 */
import {
  type TranslationCounts,
  translationCounts,
} from "../../../../kv/documents/lists/translation_counts.ts";
import type { Deps } from "../../../deps/deps.ts";
import { Table } from "../../components/table.tsx";
import type { Visit } from "../../serving/studio_env.ts";
import { ExchangeButtons, ExchangeDialogs } from "./translation_exchange.tsx";
import { languageLabel } from "../../wording/language_names.ts";

/** The counts of the collections that the user may read; none for a site in one language. */
export async function findTranslationCounts(
  { content }: Deps,
  { schema, readable }: Visit,
): Promise<TranslationCounts[]> {
  return schema.languages === undefined ? [] : await translationCounts(content, readable, null);
}

/** Collections as rows, languages as columns. */
export function TranslationMatrix(
  { counts, visit }: { counts: TranslationCounts[]; visit: Visit },
) {
  const used = counts.filter(({ documents }) => documents > 0);
  if (used.length === 0) return null;
  const codes = [...new Set(used.map(({ language }) => language))];
  const byCollection = [...Map.groupBy(used, ({ collection }) => collection)];
  return (
    <section class="card">
      <div class="spread padded">
        <h2>Translations</h2>
        {visit.can("documents.write") && <ExchangeButtons />}
      </div>
      <Table
        label="Translations"
        class="translation-matrix"
        head={
          <>
            <th scope="col">Collection</th>
            {codes.map((code) => <th scope="col">{languageLabel(code, visit.schema)}</th>)}
          </>
        }
      >
        {byCollection.map(([slug, cells]) => (
          <tr>
            <th scope="row">
              <a href={`/admin/content/${slug}`}>{visit.schema.bySlug.get(slug)?.name ?? slug}</a>
            </th>
            {codes.map((code) => <Cell counts={cells.find(({ language }) => language === code)} />)}
          </tr>
        ))}
      </Table>
      {visit.can("documents.write") && (
        <ExchangeDialogs
          visit={visit}
          collections={byCollection.map(([slug]) => slug)}
        />
      )}
    </section>
  );
}

/** What is left to do in a language, each with its documents. */
function Cell({ counts }: { counts: TranslationCounts | undefined }) {
  if (counts === undefined) return <td class="muted">–</td>;
  const { collection, language, documents, published } = counts;
  const open = (["missing", "incomplete", "outdated"] as const)
    .filter((state) => counts[state] > 0);
  return (
    <td>
      <span>
        {`${published.toLocaleString("en")} of ${documents.toLocaleString("en")} published`}
      </span>
      <span class="row small">
        {open.length === 0
          ? <span class="muted">Nothing to translate</span>
          : open.map((state) => (
            <a href={`/admin/content/${collection}?language=${language}&translation=${state}`}>
              {`${counts[state].toLocaleString("en")} ${state}`}
            </a>
          ))}
      </span>
    </td>
  );
}
