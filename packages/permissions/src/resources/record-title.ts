import { isTextual } from "@rowhouse/access";
import { asFirst, parseTitle, type TitlePart } from "@rowhouse/access/record-title";
import type { Column, Relation, Snapshot, Transaction } from "@rowhouse/db";
import { createError, createFault, type Fault } from "@rowhouse/errors";

/** A column that a proposal considers. */
export interface TitleColumn {
  readonly column: Column;
  /** Whether it refers to another row, whose own title says more. */
  readonly isReference: boolean;
}

/** Returns the template of a title. */
export function writeTitle(parts: readonly TitlePart[]): string {
  return parts.map(({ field, before, after }) => `${before}{${field}}${after}`).join("");
}

/** Returns the title that an administrator has set, without dropped columns; empty for none. */
function storedTitle(
  { presentations }: Pick<Snapshot, "presentations">,
  relation: Relation,
): TitlePart[] {
  const columns = presentations.get(relation.resource.id) ?? new Map();
  const placed = [...columns].flatMap(([number, { titlePart }]) => {
    const column = relation.columnByNumber(number);
    if (column === undefined || titlePart === null) return [];
    const { place, before, after } = titlePart as TitlePart & { readonly place: number };
    return [{ place, part: { field: column.name, before, after } }];
  });
  return placed.sort((a, b) => a.place - b.place).map(({ part }) => part);
}

/** Returns the template of the title that an administrator has set; null for none. */
export function writtenTitle(
  snapshot: Pick<Snapshot, "presentations">,
  relation: Relation,
): string | null {
  const parts = storedTitle(snapshot, relation);
  return parts.length === 0 ? null : writeTitle(parts);
}

/**
 * Returns the title of a relation's records for a reader: the parts of the stored one that they may read, or a proposal
 * from the columns that they may read.
 */
export function titleFor(
  snapshot: Pick<Snapshot, "presentations">,
  relation: Relation,
  readable: readonly TitleColumn[],
): TitlePart[] {
  const names = new Set(readable.map(({ column }) => column.name));
  const stored = storedTitle(snapshot, relation);
  const shown = stored.filter(({ field }) => names.has(field));
  const [first, ...others] = shown;
  if (first === undefined) return proposeTitle(relation, readable);
  // A text that separates two fields would disclose one that the reader may not know.
  return [first === stored[0] ? first : asFirst(first), ...others];
}

const pairsOfNames = [
  ["firstname", "lastname"],
  ["givenname", "familyname"],
  ["forename", "surname"],
  ["vorname", "nachname"],
] as const;

const usualNames = ["name", "title", "label", "displayname", "fullname", "subject", "email"];

/** Proposes the fields by which people recognize a record: the names of a person, a name, or the first text. */
export function proposeTitle(relation: Relation, columns: readonly TitleColumn[]): TitlePart[] {
  const texts = columns.filter(({ column }) => isShortText(column)).map(({ column }) => column);
  const named = (name: string) => texts.find((column) => plain(column.name) === name);
  const partOf = ({ name }: Column, before = ""): TitlePart => ({ field: name, before, after: "" });
  for (const [first, last] of pairsOfNames) {
    const [given, family] = [named(first), named(last)];
    if (given !== undefined && family !== undefined) return [partOf(given), partOf(family, " ")];
  }
  const own = plain(relation.name);
  // `company_name` of companies, `product_name` of products.
  const ofTable = texts.find(({ name }) => {
    const words = plain(name);
    return words.endsWith("name") && words.length > 5 && own.startsWith(words.slice(0, -5));
  });
  const usual = usualNames.flatMap((name) => named(name) ?? []);
  const isKey = (name: string) => relation.primaryKey.includes(name);
  const others = columns.filter(
    ({ column, isReference }) => isShortText(column) && !isReference && !isKey(column.name),
  );
  const first =
    others.find(({ column }) => plain(column.name).endsWith("name") && !column.nullable) ??
    others.find(({ column }) => !column.nullable) ??
    others[0];
  const chosen = usual[0] ?? ofTable ?? first?.column ?? texts[0];
  return chosen === undefined ? [] : [partOf(chosen)];
}

function isShortText({ type }: Column): boolean {
  return isTextual(type) && !type.array && type.labels === null;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s]/g, "");
}

/** Finds what is wrong with a template for the records of a relation. */
export function findTitleFault(relation: Relation, template: string, path: string): Fault[] {
  const parts = parseTitle(template);
  const refuse = (message: string) => [createFault("BODY_INVALID", { path, message })];
  if (typeof parts === "string") return refuse(parts);
  const unknown = parts.find(({ field }) => relation.columnByName(field) === undefined);
  return unknown === undefined ? [] : refuse(`The table has no column ${unknown.field}`);
}

/** Stores a title that was found right; null removes it. The record of the resource is locked. */
export async function storeTitle(
  transaction: Transaction,
  relation: Relation,
  template: string | null,
): Promise<void> {
  const parts = template === null ? [] : parseTitle(template);
  if (typeof parts === "string") throw createError("BODY_INVALID", { message: parts });
  const placed = parts.flatMap(({ field, ...texts }, place) => {
    const column = relation.columnByName(field);
    return column === undefined
      ? []
      : [{ number: column.attributeNumber, part: { place, ...texts } }];
  });
  // The key of the table is deferrable, so there is no ON CONFLICT. A column may have been dropped after the lookup.
  await transaction.query(
    `with given as (
       select u.number, u.part, a.attname as name
       from json_to_recordset($2::text::json) u (number smallint, part jsonb)
       join system.resources r on r.id = $1::text::uuid
       join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attnum = u.number and not a.attisdropped),
     changed as (
       update system.resource_columns c
       set title_part = (select part from given g where g.number = c.attribute_number)
       where c.resource_id = $1::text::uuid
         and (c.title_part is not null or c.attribute_number in (select number from given))
       returning c.attribute_number)
     insert into system.resource_columns (resource_id, attribute_number, column_name, title_part)
       select $1::text::uuid, g.number, g.name, g.part from given g
       where g.number not in (select attribute_number from changed)`,
    [relation.resource.id, JSON.stringify(placed)],
  );
  await transaction.query(
    `delete from system.resource_columns where resource_id = $1::text::uuid
       and pg_catalog.num_nonnulls(label, format, colors, relation_name, title_part) = 0`,
    [relation.resource.id],
  );
}
