const form = /^(?:[A-Z]{2}|[0-9]{3})$/;
const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/**
 * Returns the canonical code of a region in which dates and numbers are written (`GB` for `gb`, `150` for Europe);
 * undefined for any other text.
 */
export function canonicalRegion(text: string): string | undefined {
  // Intl reads also what is longer than a code.
  if (text.length > 3) return undefined;
  try {
    const { region } = new Intl.Locale("und", { region: text });
    const isKnown = region !== undefined && form.test(region) && region !== "ZZ";
    return isKnown && names.of(region) !== undefined ? region : undefined;
  } catch {
    return undefined;
  }
}
