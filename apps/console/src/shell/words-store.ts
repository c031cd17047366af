import {
  keepLanguage,
  type Language,
  loadWords,
  type Words,
  type WordsPart,
} from "../words/languages.ts";

interface ShownWords {
  readonly language: Language;
  readonly words: Words;
}

const parts = new Set<WordsPart>();
const listeners = new Set<() => void>();
let shown: ShownWords | undefined;

/** The language of the pages, and the parts of its texts that are loaded. */
export function shownWords(): ShownWords {
  if (shown === undefined) throw new Error("No language was opened");
  return shown;
}

export function onWordsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the texts of the first page. */
export async function openWords(language: Language): Promise<void> {
  parts.add("start");
  await show(language);
}

/** Loads a part of the texts, before a page that needs it is shown. */
export async function needWords(part: WordsPart): Promise<void> {
  if (parts.has(part)) return;
  const { language } = shownWords();
  const words = await loadWords(language, part);
  parts.add(part);
  // The language may have changed meanwhile, without this part.
  if (shownWords().language !== language) return show(shownWords().language);
  set({ language, words: { ...shownWords().words, ...words } });
}

/** Loads a language, keeps it in this browser and shows it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language);
  keepLanguage(language);
}

async function show(language: Language): Promise<void> {
  const wanted = [...parts];
  const loaded = await Promise.all(wanted.map((part) => loadWords(language, part)));
  // Another page may have been opened meanwhile.
  if (wanted.length < parts.size) return show(language);
  // Every part that a shown page needs is among them.
  set({ language, words: Object.assign({}, ...loaded) as Words });
}

function set(next: ShownWords): void {
  shown = next;
  for (const listener of listeners) listener();
}
