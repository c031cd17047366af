/** Says a cron expression in a language; undefined for a text that is none. Loads the words when they are first needed. */
export async function cronWords(cron: string, locale: string): Promise<string | undefined> {
  const isGerman = locale.startsWith("de");
  const [{ default: words }] = await Promise.all([
    import("cronstrue"),
    isGerman ? import("cronstrue/locales/de.js") : undefined,
  ]);
  try {
    return words.toString(cron, {
      ...{ locale: isGerman ? "de" : "en", use24HourTimeFormat: isGerman, verbose: true },
      throwExceptionOnParseError: true,
    });
  } catch {
    return undefined;
  }
}
