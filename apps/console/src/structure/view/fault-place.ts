/** A part of a text. */
export interface TextPlace {
  readonly from: number;
  readonly to: number;
}

/** Finds the word that a message of the service names at its end (`…, near maker`) as a whole word of the text. */
export function faultPlace(text: string, message: string): TextPlace | undefined {
  const word = /, near (\S+)$/.exec(message)?.[1];
  if (word === undefined) return undefined;
  const isPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
    const to = from + word.length;
    if (!isPart(text[from - 1]) && !isPart(text[to])) return { from, to };
  }
  return undefined;
}
