/**
 * Returns the consents that somebody gives, as the plan names them. One may be written without the quotation marks of its
 * names, as a shell leaves it, as long as it means one consent only.
 *
 * @param known the consents that the plan names
 */
export function meantConsents(known: readonly string[], given: readonly string[]): string[] {
  const bare = new Map<string, Set<string>>();
  for (const consent of known) {
    const key = consent.replaceAll('"', "");
    bare.set(key, (bare.get(key) ?? new Set()).add(consent));
  }
  return given.map((consent) => {
    const [meant, ...others] = bare.get(consent) ?? [];
    return known.includes(consent) || meant === undefined || others.length > 0 ? consent : meant;
  });
}
