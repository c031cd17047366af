import type { Language } from "../../words/languages.ts";

/**
 * The region that a language has without one of the account. English is not that of the USA: days stand before months,
 * weeks begin on Monday, and clocks have 24 hours.
 */
const neutral: Readonly<Record<Language, string>> = { en: "GB", de: "DE", "en-XA": "GB" };

/** Returns the locale of dates and numbers: the language of the pages, and the region of the person. */
export function localeOf(language: Language, region: string | null): string {
  return `${language.slice(0, 2)}-${region ?? neutral[language]}`;
}

/** The first day of the week in the region of a locale: 1 for Monday to 7 for Sunday. */
export function firstWeekday(locale: string): number {
  // Chromium has the function, Node.js 20 the member.
  const known = new Intl.Locale(locale) as Intl.Locale & {
    readonly getWeekInfo?: () => { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return known.getWeekInfo?.().firstDay ?? known.weekInfo?.firstDay ?? 1;
}

/** Codes that CLDR names, but that are no places: unions, pseudo-locales, and the unknown. */
const noPlaces: ReadonlySet<string> = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Returns the regions that a person can choose, by their names in a language. */
export function regionsIn(language: Language): readonly { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  const order = new Intl.Collator(language);
  return letters
    .flatMap((one) => letters.map((other) => `${one}${other}`))
    .flatMap((value) => {
      // A former code, such as DD, has the name of its successor.
      const isCurrent = Intl.getCanonicalLocales(`und-${value}`)[0] === `und-${value}`;
      const label = isCurrent && !noPlaces.has(value) ? names.of(value) : undefined;
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((one, other) => order.compare(one.label, other.label));
}
