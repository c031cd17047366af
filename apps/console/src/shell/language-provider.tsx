import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { IntlProvider } from "use-intl";
import type { Language } from "../words/languages.ts";
import { localeOf } from "./time/locale.ts";
import { browserZone } from "./time/time-text.ts";
import { onWordsChange, shownWords } from "./words-store.ts";

/** Provides the texts of a language that can change while the pages are open. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const { language, words } = useSyncExternalStore(onWordsChange, shownWords);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <IntlProvider locale={localeOf(language, null)} messages={words} timeZone={browserZone()}>
      {children}
    </IntlProvider>
  );
}

/** The language of the pages. */
export function useLanguage(): Language {
  return useSyncExternalStore(onWordsChange, shownWords).language;
}
