/** The languages of the pages, by their own names. */
export const languages = { en: "English", de: "Deutsch" } as const;

/** `en-XA` is the pseudo-locale of the tests; no menu offers it. */
export type Language = keyof typeof languages | "en-XA";

const key = "rowhouse.language";

/** The language chosen in this browser, else the first of the browser's own that the pages have, else English. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(key) ?? "", ...navigator.languages];
  if (wanted[0] === "en-XA") return "en-XA";
  const found = wanted
    .map((tag) => tag.split("-", 1)[0])
    .find((tag) => tag === "en" || tag === "de");
  return found ?? "en";
}

/** Keeps the language in this browser. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(key, language);
}

const english = {
  start: () => import("./en/start.ts"),
  workspace: () => import("./en/workspace/index.ts"),
  administration: () => import("./en/administration/index.ts"),
};

/** The parts of the texts: those of the first page, of every page behind the sign-in, and of the administration. */
export type WordsPart = keyof typeof english;

type PartWords = { readonly [Part in WordsPart]: Awaited<ReturnType<(typeof english)[Part]>> };

/** Every text of the pages. */
export type Words = PartWords["start"] & PartWords["workspace"] & PartWords["administration"];

const german: { readonly [Part in WordsPart]: () => Promise<PartWords[Part]> } = {
  start: () => import("./de/start.ts"),
  workspace: () => import("./de/workspace/index.ts"),
  administration: () => import("./de/administration/index.ts"),
};

/** Loads a part of the texts of a language, before the first page that needs it. */
export async function loadWords(language: Language, part: WordsPart): Promise<Partial<Words>> {
  if (language === "de") return german[part]();
  const words = await english[part]();
  return language === "en" ? words : (await import("./pseudo.ts")).pseudo(words);
}
