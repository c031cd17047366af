/** A field of a record's title, with the texts around it, which are shown only together with a value of the field. */
export interface TitlePart {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  /** For a column that refers to a row with a title: that row's title is shown in place of the column's value. */
  readonly reference?: ReferencePart | undefined;
}

/** The title of the row that a part refers to. */
export interface ReferencePart {
  /** The name of the to-one relation. */
  readonly relation: string;
  /** Its own columns alone, so that titles never lead further than one row. */
  readonly title: readonly TitlePart[];
}

const opening = /[([{«“„‘"']/;
// What closes a bracket or quotation.
const closing = /^[)\]}»”’"']+/;

/** Returns a part as it begins a title: without the text that separates it from the parts before it. */
export function asFirst<Part extends TitlePart>(part: Part): Part {
  const { before, after } = part;
  return { ...part, before: "", after: opening.test(before) ? after.replace(closing, "") : after };
}

/** Returns the paths of the values that a title is filled with: a column, or a relation and a column of its row. */
export function titlePaths(title: readonly TitlePart[]): readonly (readonly string[])[] {
  return title.flatMap(({ field, reference }) => [
    [field],
    ...(reference?.title.map((part) => [reference.relation, part.field]) ?? []),
  ]);
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the row that a part refers to; undefined if it was not read, and if its reader may not read it. */
export function referredRow(row: Values, { relation }: ReferencePart): Values | undefined {
  // A relation with the name of a column that is read too has the alias of `distinctFields`.
  const found = [row[relation], row[`${relation}_row`]].find(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return found as Values | undefined;
}

/**
 * Fills a title: `Kern, Anna (Berlin)`. A field without a value is left out with the texts around it.
 *
 * @param textOf returns the text of a part; null or an empty one for none
 * @returns null if no field has a text
 */
export function fillTitle<Part extends TitlePart>(
  title: readonly Part[],
  textOf: (part: Part) => string | null,
): string | null {
  const shown = title.flatMap((part, index) => {
    const text = textOf(part);
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
