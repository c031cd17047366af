import { type Fields, isChangeable, isGivenOnce, kinds } from "@rowhouse/db";

/** What the pages know of the kinds of records: the generated file of their source. */
export function kindsFile(): string {
  const described = kinds.map(({ name, path, page, simple, fields }) => [
    name,
    { path, page, ...(simple === undefined ? {} : { simple }), fields: factsOf(fields) },
  ]);
  const text = JSON.stringify(Object.fromEntries(described), null, 2);
  return `// Written from the descriptions of the kinds of records; a test compares it.\nexport const kindFacts = ${text} as const;\n`;
}

/** In characters. A longer text gets several lines. */
const lineMax = 1000;

/** The fields that somebody gives. */
function factsOf(fields: Fields): object {
  const given = Object.entries(fields).filter(
    ([, field]) => isGivenOnce(field) || isChangeable(field),
  );
  const facts = given.map(([name, field]) => {
    const { type } = field;
    const first = type === "flag" ? false : type === "choice" ? field.choices[0] : "";
    const choices = type === "choice" ? { choices: field.choices } : {};
    const long = "max" in field && field.max !== undefined && field.max > lineMax;
    const once = isChangeable(field) ? {} : { isOnce: true };
    return [
      name,
      {
        type,
        initial: field.initial ?? first,
        ...choices,
        ...(long ? { isLong: true } : {}),
        ...once,
      },
    ];
  });
  return Object.fromEntries(facts);
}
