import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { IntlProvider } from "use-intl";
import type { Language } from "../words/languages.ts";
import { onWordsChange, shownWords } from "./words-store.ts";

/** Provides the texts of a language that can change while the pages are open. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const { language, words } = useSyncExternalStore(onWordsChange, shownWords);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <IntlProvider locale={language} messages={words} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}

/** The language of the pages. */
export function useLanguage(): Language {
  return useSyncExternalStore(onWordsChange, shownWords).language;
}
