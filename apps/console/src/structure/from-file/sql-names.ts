const bytesMax = 63;
const encoder = new TextEncoder();

/** Returns names for SQL from texts of a file: lower case, without accents and signs, and each once. */
export function sqlNames(texts: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return texts.map((text, index) => {
    const usual = sqlName(text) || `column_${index + 1}`;
    let name = usual;
    for (let number = 2; taken.has(name); number += 1) name = withEnd(usual, `_${number}`);
    taken.add(name);
    return name;
  });
}

/** Returns a name for SQL from a text; empty if the text has neither letters nor digits. */
export function sqlName(text: string): string {
  const plain = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    // `unitPrice` becomes `unit_price`.
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return withEnd(/^\p{N}/u.test(plain) ? `_${plain}` : plain, "");
}

/** Returns a name with an end, shortened to the bytes that PostgreSQL keeps. */
function withEnd(name: string, end: string): string {
  // A letter has at least one byte.
  let letters = [...name.slice(0, 2 * bytesMax)];
  while (encoder.encode(letters.join("") + end).length > bytesMax) letters = letters.slice(0, -1);
  return letters.join("") + end;
}
