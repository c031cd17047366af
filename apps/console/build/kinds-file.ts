import { kinds } from "@rowhouse/db";

/** What the pages know of the fields of records: the generated file of their source. */
export function kindsFile(): string {
  const described = kinds.map(({ name, page, fields }) => {
    const set = Object.entries(fields).filter(([, field]) => field.set !== "NEVER");
    const facts = set.map(([field, { type, initial = type === "flag" ? false : "" }]) => [
      field,
      { type, initial },
    ]);
    return [name, { page, fields: Object.fromEntries(facts) }];
  });
  const text = JSON.stringify(Object.fromEntries(described), null, 2);
  return `// Written from the descriptions of the kinds of records; a test compares it.\nexport const kindFacts = ${text} as const;\n`;
}
