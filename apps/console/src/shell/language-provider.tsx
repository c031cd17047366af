import { type ReactNode, useEffect } from "react";
import { IntlProvider } from "use-intl";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/languages.ts";

/** Provides the texts of a language. */
export function LanguageProvider(props: {
  readonly first: Language;
  readonly firstWords: Words;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.documentElement.lang = props.first;
  }, [props.first]);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <IntlProvider locale={props.first} messages={props.firstWords} timeZone={timeZone}>
      {props.children}
    </IntlProvider>
  );
}
