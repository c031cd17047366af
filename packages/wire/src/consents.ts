/**
 * Returns the consents that somebody gives, as the plan names them. Quotation marks of names make no difference, since a
 * shell takes them away, as long as one consent only is meant.
 *
 * @param known the consents that the plan names
 */
export function meantConsents(known: readonly string[], given: readonly string[]): string[] {
  const bareOf = (consent: string) => consent.replaceAll('"', "");
  const bare = new Map<string, Set<string>>();
  for (const consent of known) {
    const key = bareOf(consent);
    bare.set(key, (bare.get(key) ?? new Set()).add(consent));
  }
  return given.map((consent) => {
    const [meant, ...others] = bare.get(bareOf(consent)) ?? [];
    return known.includes(consent) || meant === undefined || others.length > 0 ? consent : meant;
  });
}
