import { asFirst, parseTitle, type TitlePart } from "@rowhouse/access/record-title";
import type { Relation, Snapshot, Transaction } from "@rowhouse/db";
import { createError, createFault, type Fault } from "@rowhouse/errors";
import {
  proposeOwnTitle,
  proposeTitle,
  proposeTitles,
  type TitleSource,
  wholeSource,
} from "./propose-title.ts";

/** Returns the template of a title. */
function writeTitle(parts: readonly TitlePart[]): string {
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
 * from the columns that they may read. A column that refers to a row is shown by that row's title.
 */
export function titleFor(
  snapshot: Pick<Snapshot, "presentations">,
  source: TitleSource,
): TitlePart[] {
  const ownTitle = (target: TitleSource) => ownTitleFor(snapshot, target);
  const stored = readableTitle(snapshot, source);
  if (stored.length === 0) return proposeTitle(source, ownTitle);
  return stored.map((part) => {
    const reference = source.references.find(({ column }) => column === part.field);
    const target = reference?.target();
    const title = target === undefined ? [] : ownTitle(target);
    if (reference === undefined || title.length === 0) return part;
    return { ...part, reference: { relation: reference.name, title } };
  });
}

/** Returns the title of the row that another one is titled by: its own columns; empty if the key alone identifies it. */
function ownTitleFor(
  snapshot: Pick<Snapshot, "presentations">,
  source: TitleSource,
): readonly TitlePart[] {
  const stored = readableTitle(snapshot, source);
  if (stored.length === 0) return proposeOwnTitle(source);
  const isReference = ({ field }: TitlePart) =>
    source.references.some(({ column }) => column === field);
  const [first] = stored;
  return first === undefined || isReference(first)
    ? []
    : stored.filter((part) => !isReference(part));
}

/** Returns the parts of the stored title that a reader may read. */
function readableTitle(
  snapshot: Pick<Snapshot, "presentations">,
  { relation, columns }: TitleSource,
): readonly TitlePart[] {
  const names = new Set(columns.map(({ name }) => name));
  const stored = storedTitle(snapshot, relation);
  const [first, ...others] = stored.filter(({ field }) => names.has(field));
  if (first === undefined) return [];
  // A text that separates two fields would disclose one that the reader may not know.
  return [first === stored[0] ? first : asFirst(first), ...others];
}

/** Returns the proposed template for the records of a relation; null for none. */
export function proposedTitle(
  snapshot: Pick<Snapshot, "catalogue" | "presentations">,
  relation: Relation,
): string | null {
  const source = wholeSource(snapshot.catalogue, relation);
  const title = proposeTitle(source, (target) => ownTitleFor(snapshot, target));
  return title.length === 0 ? null : writeTitle(title);
}

/** Returns the templates among which an administrator chooses, with their parts; the proposed one first. */
export function titleChoices(
  snapshot: Pick<Snapshot, "catalogue" | "presentations">,
  relation: Relation,
): readonly { readonly template: string; readonly title: readonly TitlePart[] }[] {
  const source = wholeSource(snapshot.catalogue, relation);
  const titles = proposeTitles(source, (target) => ownTitleFor(snapshot, target));
  return titles.map((title) => ({ template: writeTitle(title), title }));
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
