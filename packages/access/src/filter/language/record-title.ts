/** A field of a record's title, with the texts around it, which are shown only together with a value of the field. */
export interface TitlePart {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

const opening = /[([{«“„‘"']/;
// What closes a bracket or quotation.
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

const fieldsMax = 8;

/**
 * Reads a template such as `{last_name}, {first_name} ({city})`.
 *
 * @returns the parts, or a sentence that says what is wrong
 */
export function parseTitle(template: string): TitlePart[] | string {
  const [lead = "", ...rest] = template.split("{");
  if (rest.length === 0) return "A title has at least one field: {name}";
  if (rest.length > fieldsMax) return `A title has at most ${fieldsMax} fields`;
  if (lead.includes("}")) return "A } has no { before it";
  const parts: TitlePart[] = [];
  let before = lead;
  for (const [index, piece] of rest.entries()) {
    const end = piece.indexOf("}");
    if (end < 0) return "A { has no } after it";
    const field = piece.slice(0, end);
    const text = piece.slice(end + 1);
    if (field === "") return "A field has no name";
    if (text.includes("}")) return "A } has no { before it";
    if (parts.some((part) => part.field === field)) return `The field ${field} is named twice`;
    // What closes a bracket or quotation belongs to the field before it.
    const isLast = index === rest.length - 1;
    const after = isLast ? text : (closing.exec(text)?.[0] ?? "");
    parts.push({ field, before, after });
    before = text.slice(after.length);
  }
  return parts;
}
