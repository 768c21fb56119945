import { assertEquals } from "@std/assert";
import {
  detectLanguage,
  searchedLanguage,
} from "../../../../kv/search/analysis/detect_language.ts";
import { eachTerm } from "../../../../kv/search/analysis/tokens.ts";

const CODE = "import { serve } from server; const app = new Hono(); app.get(path, handler); ";

const SAID: Readonly<Record<string, string>> = {
  en: "The ferry leaves the harbour every morning, and it is of use to those who work in the town.",
  de: "Die Fähre verlässt den Hafen jeden Morgen und ist für alle, die in der Stadt arbeiten.",
  fr:
    "Le ferry quitte le port tous les matins et il est utile pour les gens qui travaillent en ville.",
  es: "El ferry sale del puerto todas las mañanas y es útil para los que trabajan en la ciudad.",
  pt: "A balsa sai do porto todas as manhãs e é útil para os que trabalham na cidade, como você.",
  it:
    "Il traghetto lascia il porto ogni mattina ed è utile per chi lavora nella città, come gli altri.",
  nl:
    "De veerboot verlaat de haven elke ochtend en is handig voor wie in de stad werkt met een fiets.",
  sv: "Färjan lämnar hamnen varje morgon och är till nytta för dem som arbetar i staden.",
  pl: "Prom odpływa z portu każdego ranka i jest przydatny dla tych, którzy nie są w domu.",
  tr: "Feribot her sabah limandan ayrılır ve bu şehirde çalışanlar için çok yararlı bir araçtır.",
  ru: "Паром отходит из порта каждое утро, и это удобно для тех, кто работает в городе.",
  uk: "Пором відходить із порту щоранку, і це зручно для тих, хто працює у місті.",
  ar: "تغادر العبارة الميناء كل صباح وهي مفيدة من أجل العمل في المدينة على مدار العام.",
  hi: "नाव हर सुबह बंदरगाह से निकलती है और यह शहर में काम करने के लिए उपयोगी है।",
  ja: "フェリーは毎朝港を出発し、町で働く人々の役に立ちます。",
  zh: "渡轮每天早上从港口出发，对在城里工作的人们很有用，这样他们就会来得及。",
  "zh-hant": "渡輪每天早上從港口出發，對在城裡工作的人們很有用，這樣他們就會來得及。",
  ko: "여객선은 매일 아침 항구를 떠나며 시내에서 일하는 사람들에게 유용합니다.",
  el: "Το πλοίο φεύγει από το λιμάνι κάθε πρωί και είναι χρήσιμο.",
  th: "เรือออกจากท่าเรือทุกเช้าและมีประโยชน์สำหรับคนที่ทำงานในเมือง",
};

function detected(text: string): string {
  const counts = new Map<string, number>();
  eachTerm(text, 0, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  return detectLanguage(counts, (count) => count);
}

Deno.test("detectLanguage() detects twenty languages, also in texts with code", () => {
  for (const [language, text] of Object.entries(SAID)) {
    assertEquals(detected(text), language, text);
    assertEquals(detected(text.repeat(3) + CODE), language, text);
  }
});

Deno.test("detectLanguage() detects no language in texts without function words", () => {
  for (const text of ["", "x1 42", "Hono Wrangler", "const app = new Hono();"]) {
    assertEquals(detected(text), "", text);
  }
});

Deno.test("searchedLanguage() takes regional forms together, but for traditional Chinese", () => {
  const codes = ["fr-CA", "en", "zh-CN", "zh-Hans-SG", "zh-TW", "zh-Hant-HK", "pt-BR"];
  assertEquals(codes.map(searchedLanguage), ["fr", "en", "zh", "zh", "zh-hant", "zh-hant", "pt"]);
});
