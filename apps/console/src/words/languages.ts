import { en, type Words } from "./en.ts";

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

/** Loads the texts of a language. */
export async function loadWords(language: Language): Promise<Words> {
  if (language === "de") return (await import("./de.ts")).de;
  if (language === "en-XA") return (await import("./pseudo.ts")).pseudo;
  return en;
}
