import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { IntlProvider } from "use-intl";
import type { Words } from "../words/en.ts";
import { keepLanguage, type Language, loadWords } from "../words/languages.ts";

interface LanguageChoice {
  readonly language: Language;
  /** Loads a language, keeps it in this browser and shows it. */
  choose(language: Language): Promise<void>;
}

const Choice = createContext<LanguageChoice | null>(null);

/** Provides the texts of a language that can change while the pages are open. */
export function LanguageProvider(props: {
  readonly first: Language;
  readonly firstWords: Words;
  readonly children: ReactNode;
}) {
  const [{ language, words }, show] = useState({ language: props.first, words: props.firstWords });
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choice = useMemo<LanguageChoice>(
    () => ({
      language,
      choose: async (next) => {
        const loaded = await loadWords(next);
        keepLanguage(next);
        show({ language: next, words: loaded });
      },
    }),
    [language],
  );
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Choice value={choice}>
      <IntlProvider locale={language} messages={words} timeZone={timeZone}>
        {props.children}
      </IntlProvider>
    </Choice>
  );
}

/** The language of the pages, and how to change it. */
export function useLanguage(): LanguageChoice {
  const choice = useContext(Choice);
  if (choice === null) throw new Error("useLanguage needs a LanguageProvider");
  return choice;
}
