import { createContext, useContext, useMemo } from "react";
import { useLocale, useTimeZone, useTranslations } from "use-intl";

/** The texts that values need, by their key in the catalog; the second argument has those that a text contains. */
export type Say = ReturnType<typeof useTranslations<"values">>;

/** How a person reads and writes values. */
export interface Ways {
  readonly locale: string;
  /** IANA name of the zone in which instants are shown, and in which typed times are read. */
  readonly timeZone: string;
  readonly say: Say;
  /**
   * Whether a text was typed into an editor. The text 1.234 then is a fault for a person who separates thousands by
   * points; in pasted text it is the number that `plainText` wrote.
   */
  readonly isTyped?: boolean;
}

const Given = createContext<Ways | null>(null);

/** Gives the ways of the person to a page, since a page has more values than each could find them out for itself. */
export const WaysProvider = Given.Provider;

/** Finds out the ways of the person, for `WaysProvider`. */
export function useOwnWays(): Ways {
  const locale = useLocale();
  const timeZone = useTimeZone() ?? "UTC";
  const say = useTranslations("values");
  return useMemo(() => ({ locale, timeZone, say }), [locale, timeZone, say]);
}

/** The ways of the person who looks at the page. */
export function useWays(): Ways {
  const ways = useContext(Given);
  if (ways === null) throw new Error("useWays needs a WaysProvider");
  return ways;
}

/** What a text means in a column: a value as the Data API takes and returns it, or a sentence for the person. */
export type Reading = { readonly value: unknown } | { readonly fault: string };

/** Whether a text was read. */
export function isRead(reading: Reading): reading is { readonly value: unknown } {
  return "value" in reading;
}
