/** A field of a record's title, with the texts around it, which are shown only together with a value of the field. */
export interface TitlePart {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

const opening = /[([{«“„‘"']/;
const closing = /^[)\]}»”’"']+/;

/** Returns a part as it begins a title: without the text that separates it from the parts before it. */
export function asFirst({ field, before, after }: TitlePart): TitlePart {
  return { field, before: "", after: opening.test(before) ? after.replace(closing, "") : after };
}

/**
 * Fills a title: `Kern, Anna (Berlin)`. A field without a value is left out with the texts around it.
 *
 * @param textOf returns the text of a field; null or an empty one for none
 * @returns null if no field has a text
 */
export function fillTitle(
  title: readonly TitlePart[],
  textOf: (field: string) => string | null,
): string | null {
  const shown = title.flatMap((part, index) => {
    const text = textOf(part.field);
    return text === null || text === "" ? [] : [{ part, text, index }];
  });
  const texts = shown.map(({ part, text, index }, place) => {
    const { before, after } = place === 0 && index > 0 ? asFirst(part) : part;
    return `${before}${text}${after}`;
  });
  return texts.length === 0 ? null : texts.join("");
}
