import type { Words } from "./words.ts";

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

/** The parts of the texts: each is loaded before the first page that needs it. */
export type WordsPart = "start" | "workspace" | "administration";

/** Loads a part of the texts of a language. */
export async function loadWords(language: Language, part: WordsPart): Promise<Partial<Words>> {
  if (language === "de") return german[part]();
  const words = await english[part]();
  return language === "en" ? words : (await import("./pseudo.ts")).pseudo(words);
}

const english = {
  start: async () => (await import("./en.ts")).en,
  workspace: async () => (await import("./en-workspace.ts")).enWorkspace,
  administration: async () => (await import("./en-administration.ts")).enAdministration,
} as const satisfies Record<WordsPart, unknown>;

const german = {
  start: async () => (await import("./de.ts")).de,
  workspace: async () => (await import("./de-workspace.ts")).deWorkspace,
  administration: async () => (await import("./de-administration.ts")).deAdministration,
} as const satisfies Record<WordsPart, unknown>;
