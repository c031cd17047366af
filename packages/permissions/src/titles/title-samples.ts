import { fillTitle, type TitlePart } from "@rowhouse/access/record-title";
import {
  type Column,
  type Database,
  findRelation,
  quoteIdentifier,
  quoteLiteral,
  type Relation,
  requireFound,
  type Snapshot,
} from "@rowhouse/db";
import { titleChoices } from "./record-title.ts";

/** The titles that the records of a table or view can have, with the first rows. */
export interface SampledTitles {
  readonly id: string;
  /** The proposed title first; empty if only the key identifies a record. */
  readonly choices: readonly { readonly template: string }[];
  /** The columns that the choices name. One that refers to a row with a title has that title as a text. */
  readonly columns: readonly { readonly name: string; readonly baseType: string }[];
  /** Values as texts; null if they could not be read in time. */
  readonly rows: readonly SampleRow[] | null;
}

type SampleRow = Readonly<Record<string, string | null>>;

const rowsMax = 3;
/** The time for one table, and for all of them, in milliseconds. */
const times = { one: 500, all: 4_000 } as const;

/**
 * Reads the titles among which an administrator chooses, with three rows of each table or view, hidden ones included.
 *
 * @throws AppError NOT_FOUND
 */
export async function readTitleSamples(
  database: Database,
  snapshot: Pick<Snapshot, "catalogue" | "presentations">,
  ids: readonly string[],
): Promise<SampledTitles[]> {
  const relations = ids.map((id) => requireFound(findRelation(snapshot, id)));
  const end = performance.now() + times.all;
  const samples: SampledTitles[] = [];
  for (const relation of relations) {
    const choices = titleChoices(snapshot, relation);
    const parts = choices.flatMap(({ title }) => title);
    const byField = new Map(parts.map((part) => [part.field, part]));
    const shown = [...byField.values()];
    const rows = performance.now() < end ? await readSample(database, relation, shown) : null;
    samples.push({
      id: relation.resource.id,
      choices: choices.map(({ template }) => ({ template })),
      columns: shown.flatMap(({ field, reference }) => {
        const column = relation.columnByName(field);
        if (column === undefined) return [];
        return [{ name: field, baseType: reference === undefined ? column.type.base : "text" }];
      }),
      rows,
    });
  }
  return samples;

  async function readSample(
    { service }: Database,
    relation: Relation,
    shown: readonly TitlePart[],
  ): Promise<SampleRow[] | null> {
    if (shown.length === 0) return [];
    try {
      const rows = await service.transaction(async (transaction) => {
        await transaction.query(
          `select pg_catalog.set_config('statement_timeout', '${times.one}', true),
             pg_catalog.set_config('transaction_read_only', 'on', true)`,
        );
        return transaction.query<{ row: string }>(sampleSql(snapshot, relation, shown));
      });
      return rows.map(({ row }) => shownRow(shown, JSON.parse(row)));
    } catch {
      // A view can fail or take long, and a login can lack the right to read a table.
      return null;
    }
  }
}

interface RawRow {
  readonly own: SampleRow;
  readonly referred: Readonly<Record<string, SampleRow | null>>;
}

function shownRow(shown: readonly TitlePart[], { own, referred }: RawRow): SampleRow {
  return Object.fromEntries(
    shown.map(({ field, reference }) => {
      const row = referred[field];
      const title =
        reference === undefined || row === undefined || row === null
          ? null
          : fillTitle(reference.title, (part) => row[part.field] ?? null);
      return [field, title ?? own[field] ?? null];
    }),
  );
}

function sampleSql(
  { catalogue }: Pick<Snapshot, "catalogue">,
  relation: Relation,
  shown: readonly TitlePart[],
): string {
  const edges = catalogue.edgesOf(relation).byName;
  const referred = shown.flatMap(({ field, reference }) => {
    const edge = reference === undefined ? undefined : edges.get(reference.relation);
    if (reference === undefined || edge === undefined || edge.foreignKey !== "OWN") return [];
    const { target, columns } = edge;
    const on = columns.map(
      ([own, other]) => `r.${quoteIdentifier(other)} = t.${quoteIdentifier(own)}`,
    );
    const row = objectSql("r", target, reference.title);
    const found = `(select ${row} from ${nameSql(target)} r where ${on.join(" and ")} limit 1)`;
    return [`${quoteLiteral(field)}, ${found}`];
  });
  const order = relation.primaryKey.map((name) => `t.${quoteIdentifier(name)}`).join(", ");
  return `select pg_catalog.json_build_object(
      'own', ${objectSql("t", relation, shown)},
      'referred', pg_catalog.json_build_object(${referred.join(", ")}))::text as row
    from ${nameSql(relation)} t${order === "" ? "" : ` order by ${order}`} limit ${rowsMax}`;
}

function nameSql({ schema, name }: Relation): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** An object of the columns that a title names, with their values as texts. */
function objectSql(alias: string, relation: Relation, title: readonly TitlePart[]): string {
  const members = title.flatMap(({ field }) => {
    const column = relation.columnByName(field);
    return column === undefined ? [] : [`${quoteLiteral(field)}, ${textSql(alias, column)}`];
  });
  return `pg_catalog.json_build_object(${members.join(", ")})`;
}

/** The text of a value as JSON has it: times in ISO form, whatever the session's style. */
function textSql(alias: string, { name, type }: Column): string {
  const value = `${alias}.${quoteIdentifier(name)}`;
  const isTime = type.base === "date" || type.base.startsWith("timestamp");
  return isTime ? `pg_catalog.to_json(${value}) #>> '{}'` : `${value}::text`;
}
