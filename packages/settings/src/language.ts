// The form that Postgres holds people and templates to.
const pattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** A language tag in its one spelling (`pt-BR` for `PT-br`); undefined for what is none. */
export function canonicalLanguage(text: string): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(text);
    return tag !== undefined && pattern.test(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}
