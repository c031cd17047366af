// The same pattern as in the constraints on users and templates in the database.
const pattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** Returns a language tag in its canonical form (`pt-BR` for `PT-br`); undefined for an invalid tag. */
export function canonicalLanguage(text: string): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(text);
    return tag !== undefined && pattern.test(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}
