/**
 * The language of a document, by its script and by the function words in it. Search ranks documents in the probable
 * language of a query first, so an uncertain guess costs nothing but that.
 *
 * @module
 */
import { textBefore } from "../../model/primitives/text_before.ts";
import { DETECTED_TERMS_MAX } from "../../tuning.ts";

/** Share of the words that must be function words of a language. */
const FUNCTION_WORD_SHARE = 0.04;
/** Share of the terms that must be in a script other than Latin: documentation quotes much code. */
const SCRIPT_SHARE = 0.15;

/** Frequent words in search form that few other languages have. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en:
    "the of and to in is that it for with as be this are on by you your can from not or have which when",
  de:
    "der die und das den ist zu nicht ein eine von mit dem sie fur auf es des werden kann wird im sich als auch wenn oder",
  fr:
    "le la les des et est une pour dans que vous qui un du sur pas avec ce sont par plus ou votre cette peut au aux",
  es:
    "el la los de que en las y un una para por con es se del no puede esta lo como si su o al mas este",
  pt:
    "o a os que e do da em um uma para com nao voce se por no na como ou mais dos as sao pode seu ao isso",
  it:
    "il di che la per un una e con del non le della nel sono si come piu gli da puo essere questo anche dei alla",
  nl:
    "de het een van en is dat op te in voor niet met zijn je die aan er kan wordt worden om of als deze naar",
  sv: "och att det som en ar av for pa den med till i inte om kan ett har du eller fran nar detta",
  da: "og at det som en er af for pa den med til i ikke om kan et har du eller fra nar dette",
  no: "og at det som en er av for pa den med til i ikke om kan et har du eller fra nar dette",
  fi: "ja on ei se etta ovat tai kun voi myos joka sen jos kuin voit ole tama ovat",
  pl:
    "i w na z do nie sie jest to ze jak o dla przez lub moze jako od za tym ktore oraz po byc aby",
  cs: "a v na je se to ze s z do pro jako nebo by pokud jsou ktere od tak muzete jeho po podle",
  sk: "a v na je sa to ze s z do pre ako alebo by ak su ktore od tak mozete jeho po podla",
  hu: "a az es hogy nem egy is ez meg csak vagy ha mint ki de van lehet kell",
  ro: "si de la in cu o un pe este sa din nu care pentru sau mai ca prin dupa poate fi",
  tr: "ve bir bu icin ile da de olarak olan daha gibi veya ancak sonra ise kadar degil cok sizin",
  id:
    "yang dan di untuk dengan ini dari pada tidak itu dalam adalah anda akan dapat atau ke bisa jika",
  vi: "va cua la cho cac co mot trong khong duoc voi nay ban nhung de khi tu nguoi hoac",
  ca: "el la els de que en les i un una per amb es del no pot aquesta com si o al mes aquest",
  lt: "ir yra kad i su is nuo tai kaip bet ar jei gali arba bus savo",
  ru: "и в не на что с для это как по или из вы к если но от будет может а при он так",
  uk: "і в не на що з для це як по або із ви до якщо але від буде може та у щоб є",
  bg: "и в не на че с за това как по или от вие до ако но ще може да е са се",
  sr: "и у не на да са за то као по или од ви до ако али ће може је су се",
  ar: "في من على أن إلى هذا التي عن مع أو كان لا ما هو هذه",
  fa: "و در به از که این را با است برای آن یک می شما",
  ur: "کے میں کی ہے اور سے کو یہ ایک پر کا ہیں",
  hi: "के में है की को से और का एक यह पर हैं कि",
  mr: "आहे आणि या च्या हे करा मध्ये ते एक साठी",
  ne: "र छ को मा हो यो लाई एक गर्नुहोस्",
};

/** Languages that have a script of their own here, by the script. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/^\p{Script=Hangul}/u, "ko"],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/^\p{Script=Han}/u, "zh"],
  [/^\p{Script=Thai}/u, "th"],
  [/^\p{Script=Lao}/u, "lo"],
  [/^\p{Script=Khmer}/u, "km"],
  [/^\p{Script=Myanmar}/u, "my"],
  [/^\p{Script=Greek}/u, "el"],
  [/^\p{Script=Hebrew}/u, "he"],
  [/^\p{Script=Armenian}/u, "hy"],
  [/^\p{Script=Georgian}/u, "ka"],
  [/^\p{Script=Tamil}/u, "ta"],
  [/^\p{Script=Telugu}/u, "te"],
  [/^\p{Script=Bengali}/u, "bn"],
];
/** Frequent characters that are written in another way in simplified or traditional Chinese. */
const SIMPLIFIED = new Set("这为们时说会个国来对没经过还后样种与应问开关设数据类");
const TRADITIONAL = new Set("這為們時說會個國來對沒經過還後樣種與應問開關設數據類");
const TRADITIONAL_CHINESE = "zh-hant";
/** Kana in Japanese, at least, per Chinese character. */
const KANA_PER_HAN = 0.1;

const LANGUAGES_OF_WORD = languagesOfWords();

/** The name that documents of a language (BCP 47) are filed under: only Chinese has one for each script. */
export function searchedLanguage(code: string): string {
  const [primary = "", ...rest] = code.toLowerCase().split("-");
  const isTraditional = primary === "zh" &&
    rest.some((part) => ["hant", "tw", "hk", "mo"].includes(part));
  return isTraditional ? TRADITIONAL_CHINESE : textBefore(primary, "_");
}

/** The probable language of the terms of a document; empty if they do not show one. */
export function detectLanguage<T>(
  terms: ReadonlyMap<string, T>,
  countOf: (found: T) => number,
): string {
  const scripts = new Map<string, number>();
  const words = new Map<string, number>();
  let total = 0;
  let simplified = 0;
  let looked = 0;
  for (const [term, found] of terms) {
    if (++looked > DETECTED_TERMS_MAX) break;
    const count = countOf(found);
    total += count;
    for (const language of LANGUAGES_OF_WORD.get(term) ?? []) {
      words.set(language, (words.get(language) ?? 0) + count);
    }
    if (term.charCodeAt(0) < 0x370) continue;
    const script = SCRIPTS.find(([pattern]) => pattern.test(term))?.[1];
    if (script === undefined) continue;
    scripts.set(script, (scripts.get(script) ?? 0) + count);
    if (SIMPLIFIED.has(term.charAt(0))) simplified += count;
    else if (TRADITIONAL.has(term.charAt(0))) simplified -= count;
  }
  const [script, share] = scriptOf(scripts);
  if (share >= SCRIPT_SHARE * total && total > 0) {
    return script === "zh" && simplified < 0 ? TRADITIONAL_CHINESE : script;
  }
  const [language, hits] = largest(words);
  return hits >= Math.max(2, FUNCTION_WORD_SHARE * total) ? language : "";
}

/** The language of the most frequent script, with how often it occurs. Japanese has Chinese characters as well. */
function scriptOf(scripts: Map<string, number>): [language: string, count: number] {
  const kana = scripts.get("ja") ?? 0;
  const han = scripts.get("zh") ?? 0;
  if (kana > KANA_PER_HAN * han) {
    scripts.set("ja", kana + han);
    scripts.delete("zh");
  }
  return largest(scripts);
}

function largest(counts: ReadonlyMap<string, number>): [name: string, count: number] {
  let best: [string, number] = ["", 0];
  for (const [name, count] of counts) if (count > best[1]) best = [name, count];
  return best;
}

function languagesOfWords(): Map<string, string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
    for (const word of words.split(" ")) {
      languages.set(word, [...languages.get(word) ?? [], language]);
    }
  }
  return languages;
}
