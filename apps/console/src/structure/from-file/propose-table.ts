import type { Mapping } from "../../records/files/column-mapping.ts";
import type { Source } from "../../records/files/read-source.ts";
import { createColumn, createTableDraft, type Draft, type NewColumn } from "../model/draft.ts";
import type { FileProfile } from "./read-profile.ts";

/** A draft of a table for the rows of a file. */
export interface Proposal {
  readonly profile: FileProfile;
  readonly draft: Draft;
  /** For each name of the file, the id of the column in the draft. */
  readonly columnIds: readonly string[];
}

/** Types that can be a key: a text or a number that names a row. */
const keyTypes = new Set(["bigint", "uuid", "text"]);

/** Proposes a table: types that all values fit, a key, required columns, and checks for columns of few values. */
export function proposeTable(profile: FileProfile): Proposal {
  const { source, columns } = profile;
  const names = sqlNames(source.names);
  const key = keyOf(profile, names);
  const added = columns.map((column, index): NewColumn => {
    const name = names[index] ?? "";
    return {
      ...createColumn(column.type),
      name,
      isRequired: column.isFull,
      isKey: index === key,
      check: column.choices === undefined ? "" : choiceCheck(name, column.choices),
    };
  });
  const generated = createTableDraft().added.map((column) => ({
    ...column,
    name: names.includes(column.name) ? "row_id" : column.name,
  }));
  return {
    profile,
    columnIds: added.map(({ id }) => id),
    draft: {
      ...createTableDraft(),
      name: sqlName(source.file.name.replace(/\.[^.]*$/, "")) || "imported",
      added: key === undefined ? [...generated, ...added] : added,
    },
  };
}

/** Returns the column whose values name the rows; undefined if none does, or none looks as if it should. */
function keyOf({ columns }: FileProfile, names: readonly string[]): number | undefined {
  const possible = [...columns.keys()].filter((index) => {
    const column = columns[index];
    return column?.isUnique === true && keyTypes.has(column.type);
  });
  const usual = ["id", "uuid", "key", "code", "number", "no"];
  return (
    possible.find((index) => usual.includes(names[index] ?? "")) ??
    possible.find((index) => /_(?:id|uuid|key|code|number|no)$/.test(names[index] ?? "")) ??
    possible.find((index) => index === 0 && columns[index]?.type !== "text")
  );
}

/** The condition that a value is one of a list. */
function choiceCheck(name: string, values: readonly string[]): string {
  const quoted = values.map((value) => `'${value.replaceAll("'", "''")}'`);
  return `"${name.replaceAll('"', '""')}" in (${quoted.join(", ")})`;
}

/** For each name of a file, the column that gets its values: null for one that the draft has no longer. */
export function mappingOf({ names }: Source, proposal: Proposal, { added }: Draft): Mapping {
  const proposed = proposal.profile.source.names;
  return names.map((name, index) => {
    const at = proposed[index] === name ? index : proposed.indexOf(name);
    const column = added.find(({ id }) => id === proposal.columnIds[at]);
    // The database generates the numbers of an identity.
    return column === undefined || column.isIdentity ? null : column.name || null;
  });
}

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
