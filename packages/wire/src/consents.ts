/**
 * Returns the consents that somebody gives, as the plan names them. How a name is quoted makes no difference, since a shell
 * takes quotation marks away and `%2E` stands for a dot, as long as one consent only is meant.
 *
 * @param known the consents that the plan names
 */
export function meantConsents(known: readonly string[], given: readonly string[]): string[] {
  const meanings = new Map<string, Set<string>>();
  for (const consent of known) {
    const key = bare(consent);
    meanings.set(key, (meanings.get(key) ?? new Set()).add(consent));
  }
  return given.map((consent) => {
    const [meant, ...others] = meanings.get(bare(consent)) ?? [];
    return known.includes(consent) || meant === undefined || others.length > 0 ? consent : meant;
  });
}

/** Returns a consent without quotation marks and with every character as it is. */
function bare(consent: string): string {
  const text = consent.replaceAll('"', "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
