import { asFirst, type TitlePart } from "@rowhouse/access/record-title";
import { type Column, quoteLiteral, type Relation, type Snapshot } from "@rowhouse/db";
import type { Visible, VisibleEdge, VisibleField } from "../authorize/visible.ts";
import { columnSql, whereSql } from "../compile/column-sql.ts";
import { fieldVisibleSql, relatedScope, type SqlScope } from "../compile/scope.ts";
import { typeTextSql } from "./cell-sql.ts";

/** What the title of a relation's rows can be made of for a reader. */
export interface ReadableTitle {
  readonly relation: Relation;
  /** The columns that the reader may read. */
  readonly columns: readonly Column[];
  /** Columns that refer to other rows by themselves. */
  readonly references: readonly {
    readonly column: string;
    /** The name of its relation. */
    readonly name: string;
    readonly target: () => ReadableTitle | undefined;
  }[];
}

/** Returns the title of a relation's rows for a reader. */
export type TitleFinder = (
  snapshot: Pick<Snapshot, "presentations">,
  source: ReadableTitle,
) => readonly TitlePart[];

/** What gives columns and rows the names that people read. */
export interface NameSource {
  readonly snapshot: Pick<Snapshot, "presentations" | "catalogue">;
  readonly titleFor: TitleFinder;
}

/** A foreign key to rows whose titles a reader may read. */
export interface TitledReference {
  readonly edge: VisibleEdge;
  /** The columns of the foreign key, and those that they refer to. */
  readonly pairs: readonly { readonly own: string; readonly key: VisibleField }[];
  readonly title: readonly TitlePart[];
}

/**
 * Returns the foreign keys of a relation to rows with a title that says more than the key. The first one over the same
 * columns counts.
 */
export function titledReferences(visible: Visible, naming: NameSource): TitledReference[] {
  const found = new Map<string, TitledReference>();
  for (const edge of visible.edges()) {
    if (edge.edge.foreignKey !== "OWN") continue;
    const { columns } = edge.edge;
    const over = JSON.stringify(columns.map(([own]) => own).sort());
    if (found.has(over)) continue;
    const pairs = columns.flatMap(([own, other]) => {
      const key = edge.target.fieldByName(other);
      return key === undefined ? [] : [{ own, key }];
    });
    const title = titleOf(edge.target, naming);
    const isTelling = title.some(({ field }) => !columns.some(([, key]) => key === field));
    if (pairs.length === columns.length && isTelling) found.set(over, { edge, pairs, title });
  }
  return [...found.values()];
}

function titleOf(visible: Visible, { snapshot, titleFor }: NameSource): readonly TitlePart[] {
  return titleFor(snapshot, readableTitle(visible));
}

function readableTitle(visible: Visible): ReadableTitle {
  const references = visible.edges().flatMap(({ edge, target }) => {
    if (edge.foreignKey !== "OWN") return [];
    const [pair, ...others] = edge.columns;
    if (pair === undefined || others.length > 0) return [];
    const [column, key] = pair;
    const isReadable =
      visible.fieldByName(column) !== undefined && target.fieldByName(key) !== undefined;
    return isReadable ? [{ column, name: edge.name, target: () => readableTitle(target) }] : [];
  });
  const columns = visible.fields.map(({ column }) => column);
  return { relation: visible.relation, columns, references };
}

/** Returns SQL for the text of a field; null in a row in which the field is hidden. */
export function fieldTextSql(scope: SqlScope, field: VisibleField): string {
  const { column } = field;
  const text = typeTextSql(columnSql(column, scope.alias), column.type);
  const visible = fieldVisibleSql(scope, field);
  return visible === null ? text : `case when ${visible} then ${text} end`;
}

/** Returns SQL for the title of a row, as `fillTitle` fills it; null if no field of it has a text. */
export function titleSql(scope: SqlScope, title: readonly TitlePart[]): string {
  const earlier: string[] = [];
  const parts = title.flatMap((part, index) => {
    const field = scope.visible.fieldByName(part.field);
    if (field === undefined || !hasText(field.column)) return [];
    const text = partTextSql(scope, field, part);
    const whole = joined(part, text);
    const first = joined(index > 0 ? asFirst(part) : part, text);
    const isFirst = earlier.length === 0 ? "true" : `coalesce(${earlier.join(", ")}) is null`;
    earlier.push(text);
    const shown = first === whole ? whole : `case when ${isFirst} then ${first} else ${whole} end`;
    return [`coalesce(${shown}, '')`];
  });
  return parts.length === 0 ? "null::text" : `nullif(${parts.join(" || ")}, '')`;
}

/** The text of a part: the title of the row that it refers to, if the reader may see one, or its own value. */
function partTextSql(scope: SqlScope, field: VisibleField, { reference }: TitlePart): string {
  const shown = shownTextSql(field.column, fieldTextSql(scope, field));
  const own = `nullif(${shown}, '')`;
  const edge = reference === undefined ? undefined : scope.visible.edgeByName(reference.relation);
  if (reference === undefined || edge === undefined) return own;
  const { scope: target, from, conditions } = relatedScope(scope, edge);
  const title = titleSql(target, reference.title);
  const visible = fieldVisibleSql(scope, field);
  const where = whereSql([...conditions, visible]);
  return `coalesce((select ${title} from ${from}${where}), ${own})`;
}

/** An instant in a title has no seconds and no offset. */
function shownTextSql({ type }: Column, text: string): string {
  if (!type.base.startsWith("timestamp ")) return text;
  return `pg_catalog.regexp_replace(${text}, '^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}).*$', '\\1 \\2')`;
}

/** Whether the JSON of a value is its text. */
function hasText({ type }: Column): boolean {
  return !type.array && type.kind !== "COMPOSITE" && type.base !== "jsonb" && type.base !== "json";
}

function joined({ before, after }: TitlePart, text: string): string {
  const parts = [before, after].map((each) => (each === "" ? null : quoteLiteral(each)));
  return [parts[0], text, parts[1]].filter((each) => each !== null).join(" || ");
}
