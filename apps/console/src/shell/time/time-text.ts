const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}

/** Options of a text of a time. Its zone is always named: `UTC` for a wall clock that is given as if it were UTC. */
type Shown = Intl.DateTimeFormatOptions & { readonly timeZone: string };

/** Writes an instant as the person's language and region do. */
export function timeText(utcMs: number, locale: string, options: Shown): string {
  return formatterOf(locale, options).format(utcMs);
}

/** Writes a range of instants, in which nothing is repeated. */
export function timeRangeText(from: number, to: number, locale: string, options: Shown): string {
  return formatterOf(locale, options).formatRange(from, to);
}

/** Returns the parts of such a text, such as the order of day and month. */
export function timeParts(
  utcMs: number,
  locale: string,
  options: Shown,
): readonly Intl.DateTimeFormatPart[] {
  return formatterOf(locale, options).formatToParts(utcMs);
}

/** The zone of the browser, for people without one of their account or of the installation. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
