import { isTextual } from "@rowhouse/access";
import type { TitlePart } from "@rowhouse/access/record-title";
import { wordsOfName } from "@rowhouse/access/written-name";
import type { Catalogue, Column, Relation } from "@rowhouse/db";
import {
  codeWords,
  descriptionWords,
  familyNames,
  givenNames,
  isBookkeeping,
  isWeakName,
  nameWords,
  plainName,
  wordsIn,
} from "./title-words.ts";

/** What a title can be made of. */
export interface TitleSource {
  readonly relation: Relation;
  /** The columns that the reader may read. */
  readonly columns: readonly Column[];
  /** Columns that refer to other rows by themselves. */
  readonly references: readonly SourceReference[];
}

/** A column that refers to another row. */
export interface SourceReference {
  readonly column: string;
  /** The name of its relation. */
  readonly name: string;
  /** What the title of that row can be made of; undefined if the reader may read none of it. */
  readonly target: () => TitleSource | undefined;
}

/** Returns all that the titles of a relation can be made of, without the rights of a reader. */
export function wholeSource(catalogue: Catalogue, relation: Relation): TitleSource {
  const references = new Map<string, SourceReference>();
  for (const edge of catalogue.edgesOf(relation).byName.values()) {
    const [pair, ...others] = edge.foreignKey === "OWN" ? edge.columns : [];
    if (pair === undefined || others.length > 0 || references.has(pair[0])) continue;
    const target = () => wholeSource(catalogue, edge.target);
    references.set(pair[0], { column: pair[0], name: edge.name, target });
  }
  return { relation, columns: relation.columns, references: [...references.values()] };
}

/** Returns the title of the row that a reference leads to, from its own columns; empty for none. */
export type OwnTitle = (target: TitleSource) => readonly TitlePart[];

const separator = " · ";
const partsMax = 4;

/**
 * Proposes the fields by which people recognize a row: the names of a person, a name, a code with a name, or a number that
 * no other row has. A row without them is titled by the rows that it refers to, with a date of its own. An address, a
 * unit, a state or a remark is the last resort.
 */
export function proposeTitle(source: TitleSource, ownTitle: OwnTitle): TitlePart[] {
  const named = proposeName(source);
  if (named !== undefined) return named;
  const titled = titledReferences(source, ownTitle);
  const [own] = textsBy(source, (column) => !column.nullable);
  return (
    proposeFromReferences(source, titled, own) ??
    (own === undefined ? undefined : [partOf(own)]) ??
    proposeRest(source)
  );
}

const choicesMax = 8;

/** Returns titles among which an administrator chooses, the proposed one first. */
export function proposeTitles(source: TitleSource, ownTitle: OwnTitle): readonly TitlePart[][] {
  const first = proposeTitle(source, ownTitle);
  const person = personOf(source);
  const texts = textsOf(source);
  const referring = titledReferences(source, ownTitle);
  const found = [
    first,
    person === undefined ? [] : [partOf(person[1]), partOf(person[0], ", ")],
    proposeName(source) ?? [],
    proposeFromReferences(source, referring, undefined) ?? [],
    ...texts.filter(({ nullable }) => !nullable).map((column) => [partOf(column)]),
    ...texts.map((column) => [partOf(column)]),
  ];
  const byFields = new Map(
    found.filter(({ length }) => length > 0).map((title) => [fieldsIn(title), title]),
  );
  return [...byFields.values()].slice(0, choicesMax);
}

function fieldsIn(title: readonly TitlePart[]): string {
  return JSON.stringify(title.map(({ field }) => field));
}

function titledReferences(
  { relation, columns, references }: TitleSource,
  ownTitle: OwnTitle,
): readonly TitledReference[] {
  return references.flatMap((reference): TitledReference[] => {
    const column = columns.find(({ name }) => name === reference.column);
    const target = reference.target();
    if (column === undefined || target === undefined || isFile(target.relation)) return [];
    const title = target.relation.oid === relation.oid ? [] : ownTitle(target);
    return [{ column, title, name: reference.name }];
  });
}

/** The same for a row that another one is titled by: from its own columns, or not at all. */
export function proposeOwnTitle(source: TitleSource): TitlePart[] {
  const named = proposeName(source);
  if (named !== undefined) return named;
  const [own] = textsBy(source, (column) => !column.nullable);
  if (own !== undefined) return [partOf(own)];
  return source.references.length > 0 ? [] : proposeRest(source);
}

function partOf({ name }: Column, before = ""): TitlePart {
  return { field: name, before, after: "" };
}

/** The texts of a relation that refer to nothing. */
function textsOf({ relation, columns }: TitleSource): readonly Column[] {
  const referring = new Set(relation.foreignKeys.flatMap((key) => key.columns));
  return columns.filter(
    (column) =>
      isTextual(column.type) &&
      !column.type.array &&
      column.type.labels === null &&
      !referring.has(column.name),
  );
}

/** The columns of a person's names: a given name and a family name, with nothing or a part of the table's name before. */
function personOf(source: TitleSource): readonly [Column, Column] | undefined {
  const own = plainName(source.relation.name);
  const texts = textsOf(source);
  const prefixed = (names: readonly string[], column: Column) => {
    const plain = plainName(column.name);
    const name = names.find((one) => plain.endsWith(one));
    const prefix = name === undefined ? undefined : plain.slice(0, -name.length);
    return prefix === "" || (prefix !== undefined && prefix.length > 1 && own.startsWith(prefix))
      ? prefix
      : undefined;
  };
  for (const given of texts) {
    const prefix = prefixed(givenNames, given);
    if (prefix === undefined) continue;
    const family = texts.find((column) => prefixed(familyNames, column) === prefix);
    if (family !== undefined) return [given, family];
  }
  return undefined;
}

/** Returns the fields that name a row for certain; undefined without any. */
function proposeName(source: TitleSource): TitlePart[] | undefined {
  const person = personOf(source);
  if (person !== undefined) return [partOf(person[0]), partOf(person[1], " ")];
  const ranked = textsOf(source).flatMap((column) => {
    const rank = rankOf(column, source.relation);
    return rank === undefined ? [] : [{ column, rank }];
  });
  const [best] = ranked.sort((a, b) => a.rank - b.rank);
  if (best === undefined) return undefined;
  const { primaryKey } = source.relation;
  const code = textsOf(source).find(
    ({ name }) => primaryKey.length === 1 && name === primaryKey[0],
  );
  const isKnown = code !== undefined && isCode(code.name, source.relation.name);
  if (!isKnown || code === best.column || isUnique(best.column, source.relation)) {
    return [partOf(best.column)];
  }
  return [partOf(code), partOf(best.column, " ")];
}

/** Whether a name is a word with a part of the table's name before it: `kundenname` of `kunden`. */
function isOfTable(word: string, plain: string, table: string): boolean {
  const prefix = plain.endsWith(word) ? plain.slice(0, -word.length) : "";
  return prefix.length > 1 && table.includes(prefix.replace(/y$/, ""));
}

/** Whether a column has codes or numbers by which people call the rows of a table. */
function isCode(name: string, table: string): boolean {
  const [plain, own] = [plainName(name), plainName(table)];
  const last = wordsIn(name).at(-1) ?? "";
  return codeWords.includes(last) || codeWords.some((word) => isOfTable(word, plain, own));
}

/** How well a text names a row, the best one first; undefined if it may not. */
function rankOf({ name, nullable }: Column, relation: Relation): number | undefined {
  const own = plainName(relation.name);
  const plain = plainName(name);
  const isPartOfName = [...givenNames, ...familyNames].includes(plain);
  if (plain === "name") return 0;
  if (isPartOfName && plain !== "first" && plain !== "last") return 1;
  const usual = nameWords.indexOf(plain);
  if (usual >= 0) return 1 + usual;
  const isOwn = (words: readonly string[]) =>
    words.findIndex((word) => isOfTable(word, plain, own));
  const ofTable = isOwn(nameWords);
  if (ofTable >= 0) return 100 + ofTable;
  if (plain.length > 2 && own.startsWith(plain) && own.length - plain.length <= 3) return 200;
  if (isOwn(descriptionWords) >= 0) return 201;
  if (isWeakName(name, relation.name)) return undefined;
  if (nameWords.some((word) => plain.endsWith(word))) return nullable ? 301 : 300;
  const isId = ["id", "uuid", "guid"].includes(wordsIn(name).at(-1) ?? "");
  return isUnique({ name }, relation) && !isId ? 400 : undefined;
}

function isUnique({ name }: Pick<Column, "name">, { uniqueKeys }: Relation): boolean {
  return uniqueKeys.some(
    ({ columns, predicate }) => predicate === null && columns.length === 1 && columns[0] === name,
  );
}

/** The other texts of a row that say something of it alone. */
function textsBy(source: TitleSource, isWanted: (column: Column) => boolean): readonly Column[] {
  const { relation } = source;
  return textsOf(source).filter(
    (column) =>
      isWanted(column) &&
      !relation.primaryKey.includes(column.name) &&
      !isWeakName(column.name, relation.name),
  );
}

interface TitledReference {
  readonly column: Column;
  /** The name of its relation. */
  readonly name: string;
  /** Empty if the row is shown by its key. */
  readonly title: readonly TitlePart[];
}

function referencePart({ column, name, title }: TitledReference, before: string): TitlePart {
  const part = partOf(column, before);
  return title.length === 0 ? part : { ...part, reference: { relation: name, title } };
}

/** Titles a row by the rows that it refers to; undefined if none of them has a title. */
function proposeFromReferences(
  source: TitleSource,
  titled: readonly TitledReference[],
  own: Column | undefined,
): TitlePart[] | undefined {
  const { relation, columns } = source;
  const known = titled.filter(({ title }) => title.length > 0);
  if (known.length === 0) return undefined;
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const inOrder = (a: TitledReference, b: TitledReference) =>
    (places.get(a.column.name) ?? 0) - (places.get(b.column.name) ?? 0);
  const ranked = [...known].sort((a, b) => weightOf(a) - weightOf(b) || inOrder(a, b));
  const [main, second] = ranked;
  if (main === undefined) return undefined;
  const time = timeOf(columns);
  if (own !== undefined) {
    return time === undefined
      ? undefined
      : [partOf(own), referencePart(main, separator), partOf(time, separator)];
  }
  const key = naturalKey(source, known);
  if (key !== undefined) {
    return key.map((column, index) => {
      const before = index === 0 ? "" : separator;
      const reference = titled.find((one) => one.column === column);
      return reference === undefined ? partOf(column, before) : referencePart(reference, before);
    });
  }
  const lead = leadOf(relation);
  const first = referencePart(main, `${lead}${separator}`);
  if (time !== undefined) return [first, partOf(time, separator)];
  if (second !== undefined) {
    const [one = main, other = second] = [main, second].sort(inOrder);
    return [referencePart(one, `${lead}${separator}`), referencePart(other, separator)];
  }
  const [id, ...ids] = relation.primaryKey;
  const number = columns.find(({ name }) => ids.length === 0 && name === id);
  return number === undefined || number.type.base === "uuid" || number === main.column
    ? [first]
    : [partOf(number, `${lead} `), referencePart(main, separator)];
}

/** Required references come before others, and those to the writer of the row last. */
function weightOf({ column }: TitledReference): number {
  return (isBookkeeping(column.name) ? 2 : 0) + (column.nullable ? 1 : 0);
}

/** The columns of a key of several columns, some of which refer to rows with titles; undefined without such a key. */
function naturalKey(
  { relation, columns }: TitleSource,
  known: readonly TitledReference[],
): readonly Column[] | undefined {
  const keys = relation.uniqueKeys.filter(({ predicate }) => predicate === null);
  for (const { columns: names } of [{ columns: relation.primaryKey }, ...keys]) {
    const own = names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
    const isWhole = own.length === names.length && own.length > 1 && own.length <= partsMax;
    const isTold = known.some(({ column }) => own.includes(column));
    if (isWhole && isTold && own.every(({ nullable }) => !nullable)) return own;
  }
  return undefined;
}

const times: ReadonlySet<string> = new Set([
  "date",
  "timestamp without time zone",
  "timestamp with time zone",
]);

/** The date or time at which a row takes place; that of its writing only where there is no other. */
function timeOf(columns: readonly Column[]): Column | undefined {
  const found = columns.filter(({ type }) => times.has(type.base) && !type.array);
  const own = found.filter(({ name }) => !isBookkeeping(name));
  return own.find(({ nullable }) => !nullable) ?? own[0] ?? found[0];
}

/** What a row of a relation is called: its label, in the singular if its key has that word. */
function leadOf({ name, resource, primaryKey }: Relation): string {
  const label = resource.label ?? wordsOfName(name);
  const [key = ""] = primaryKey;
  const one = plainName(key).replace(/id$/, "");
  const isPlural =
    one.length > 2 && label.toLowerCase().startsWith(one) && label.length - one.length <= 2;
  return (isPlural ? label.slice(0, one.length) : label).replaceAll(/[{}]/g, "");
}

/** What is left: a description, an address of mail, and the texts that say little. */
function proposeRest(source: TitleSource): TitlePart[] {
  const { primaryKey, name: table } = source.relation;
  const rank = (column: Column) => {
    const isEmail = wordsIn(column.name).some((word) => word === "email" || word === "mail");
    const isDescribed = descriptionWords.some((word) => plainName(column.name).endsWith(word));
    const kind = isDescribed ? 1 : isEmail ? 2 : 3;
    const weight = isWeakName(column.name, table) ? kind : 0;
    return weight * 2 + (column.nullable ? 1 : 0) + (primaryKey.includes(column.name) ? 100 : 0);
  };
  const [best] = [...textsOf(source)].sort((a, b) => rank(a) - rank(b));
  return best === undefined ? [] : [partOf(best)];
}

/** A picture or a document of a row names no row. */
function isFile({ schema, name }: Relation): boolean {
  return schema === "system" && name === "files";
}
