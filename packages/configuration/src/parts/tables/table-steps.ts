import { isDeepStrictEqual } from "node:util";
import type { Snapshot } from "@rowhouse/db";
import {
  type ColumnDefinition,
  createTable,
  type EnumType,
  parseTableDefinition,
  type TableChange,
} from "@rowhouse/ddl";
import { gather, throwAll } from "../../documents/document-faults.ts";
import { relationKey } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import {
  type Missing,
  type PartChange,
  type Step,
  stepOrder,
  type World,
} from "../../model/part.ts";
import type { DocumentPath } from "../../yaml/yaml-text.ts";
import { awaitedObjects, refuseGuarded, refuseOthers, refuseReserved } from "../guarded.ts";
import { type ColumnLook, presentationSteps } from "../presentation.ts";
import { schemaSteps } from "../schema-step.ts";
import { grownTypes, renamedTypes } from "../types.ts";
import { alterStep, alterSteps } from "./alter-steps.ts";
import { dropSteps } from "./drop-steps.ts";
import { changeOf } from "./replaced-columns.ts";
import type { PlacedChange } from "./table-changes.ts";
import {
  type ColumnDocument,
  elsewhereTable,
  namesOfTable,
  type PresentTable,
  type TableDocument,
  withoutStructure,
} from "./table-document.ts";
import { findRenames, type RenamedTable } from "./table-renames.ts";
import { asWritten, withIdentities } from "./written-tables.ts";

/** Returns the steps that create, alter and drop tables, and those that expose and show them. */
export async function tableSteps({
  world,
  present: found,
  wanted,
  documents,
  missing,
  applied,
  notes,
  isStale,
}: PartChange<PresentTable>): Promise<Step[]> {
  const { isOthers } = documents;
  const written = asWritten(found, wanted);
  const told = { isOthers, notes, isStale };
  const renamed = await findRenames(written, wanted, await renamedTypes(world, documents), told);
  const { present, tables, columns } = renamed;
  const types = await grownTypes(world, documents);
  const hasSql = (document: Document) =>
    documents.has(document.path.replace(/^tables(.*)yaml$/, "sql$1sql"));
  const own = await gather(wanted, ([path, document]) => {
    const renames = columns.get(path) ?? [];
    const from = tables.find((table) => table.document.path === path)?.from;
    const change = {
      ...{ world, types, missing, isOthers, hasSql, renames, from },
      others: present,
    };
    return stepsOf(change, document, present.get(path));
  });
  const moves = await Promise.all(tables.map((table) => renameSteps(world, table)));
  const steps = [...moves.flat(), ...own];
  for (const [path, table] of present) {
    const [schema = "", name = ""] = namesOfTable(path) ?? [];
    if (wanted.has(path)) continue;
    const isMeant = applied.has(path);
    if (table.managed === null && !isOthers(schema, name)) {
      steps.push(...dropSteps(path, table, !isMeant));
    } else if (isMeant && found.get(path)?.actual !== undefined) {
      // Without its file, the table of other tools is neither exposed nor shown in its own way.
      steps.push(...lookSteps({ path, value: elsewhereTable }, table, schema, name));
    }
  }
  return steps;
}

interface TableChanges {
  readonly world: World;
  readonly types: readonly EnumType[];
  readonly missing: Missing[];
  /** Whether the root file leaves a table to other tools. */
  readonly isOthers: (schema: string, name: string) => boolean;
  /** Whether a file of `sql` has the name of a table. */
  readonly hasSql: (document: Document) => boolean;
  readonly renames: readonly PlacedChange[];
  /** The present name of a table that gets another one. */
  readonly from: RenamedTable["from"] | undefined;
  /** The present tables. */
  readonly others: ReadonlyMap<string, unknown>;
}

async function stepsOf(
  { world, types, missing, isOthers, hasSql, renames, from, others }: TableChanges,
  given: Document<TableDocument>,
  present: PresentTable | undefined,
): Promise<Step[]> {
  const [schema = "", name = ""] = given.names;
  const { actual, hasNoFile: _, ...before } = present ?? {};
  const former = present === undefined ? undefined : (before as TableDocument);
  const miss = (message: string) =>
    missing.push({ document: given.path, subject: relationKey(schema, name), message });
  if (given.value.managed === "sql" && hasSql(given) && actual === undefined) {
    for (const sentence of awaitedObjects(given, new Set())) miss(sentence);
    return lookSteps(given, former, schema, name);
  }
  if (given.value.managed !== null) {
    if (present === undefined || (present.managed !== null && actual === undefined)) {
      refuseReserved(given);
      miss("It is managed elsewhere, and there is no such table yet");
      return [];
    }
    requireColumns(await world.snapshots.fresh(), given);
    const { managed, elsewhere } = given.value;
    if (managed === "sql") {
      for (const sentence of awaitedObjects(given, new Set(actual?.elsewhere))) miss(sentence);
    }
    const shown = former && { ...former, ...withoutStructure({ ...former, elsewhere }, managed) };
    const isSame = isDeepStrictEqual(shown, given.value);
    return isSame ? [] : lookSteps(given, shown, schema, name);
  }
  refuseOthers(given, "table", isOthers);
  const document = withIdentities(given, actual);
  const found = new Set([...(actual?.elsewhere ?? []), ...namesIn(former)]);
  for (const sentence of awaitedObjects(document, found)) miss(sentence);
  if (former !== undefined && isDeepStrictEqual(former, document.value)) return [];
  if (former === undefined || actual === undefined) {
    refuseGuarded(given);
    const schemas = await schemaSteps(world.database, document.path, schema);
    const looks = lookSteps(document, former, schema, name);
    return [...schemas, ...createSteps(document, schema, name, others), ...looks];
  }
  const change = await changeOf(world, types, document, former);
  const steps = alterSteps(document, change.kept, change.after, schema, name, {
    before: [...renames, ...change.drops],
    ...{ from, replaced: change.replaced, primaryKeyName: actual.primaryKeyName },
  });
  return [...steps, ...lookSteps(document, former, schema, name)];
}

/** The names of the constraints and indexes that documents describe. */
function namesIn(table: TableDocument | undefined): string[] {
  if (table === undefined) return [];
  const { unique, checks, foreignKeys, indexes } = table;
  return [unique, checks, foreignKeys, indexes].flatMap((named) => Object.keys(named));
}

async function renameSteps(
  { database }: World,
  { document, from, to }: RenamedTable,
): Promise<Step[]> {
  const changes: TableChange[] = [
    ...(from.schema === to.schema ? [] : [{ kind: "move" as const, schema: to.schema }]),
    ...(from.name === to.name ? [] : [{ kind: "rename" as const, name: to.name }]),
  ];
  const placed = changes.map((change) => ({ change, placeOf: () => ["renamedFrom"] }));
  const { rename } = stepOrder.tables;
  const schemas = await schemaSteps(database, document.path, to.schema);
  return [...schemas, alterStep(document.path, placed, from.schema, from.name, rename, false)];
}

/** @throws AppError with the name of what does not exist yet in a table that is managed elsewhere */
function requireColumns({ catalogue }: Snapshot, document: Document<TableDocument>): void {
  const [schema = "", name = ""] = document.names;
  const relation = catalogue.relationByName(schema, name);
  throwAll(
    Object.keys(document.value.columns).flatMap((column) =>
      relation?.columnByName(column) === undefined
        ? [document.faultAtKey(["columns", column], `The table has no column ${column} yet`)]
        : [],
    ),
  );
}

/** A new table: its columns and primary key, then what refers to them, then what refers to other tables. */
function createSteps(
  document: Document<TableDocument>,
  schema: string,
  name: string,
  present: ReadonlyMap<string, unknown>,
): Step[] {
  const { value: table, path } = document;
  const subject = relationKey(schema, name);
  const keyColumns = Object.keys(table.columns).filter((key) => table.primaryKey.includes(key));
  // A key that is created with its columns has their order.
  const hasKey = isDeepStrictEqual(keyColumns, table.primaryKey);
  const columns = Object.entries(table.columns).map(
    ([column, one]): ColumnDefinition => ({
      name: column,
      dataType: one.type,
      ...(hasKey && table.primaryKey.includes(column) ? { primaryKey: true } : {}),
      ...(one.default === null ? {} : { default: one.default }),
      ...(one.identity === null ? {} : { identity: one.identity }),
      ...(one.generated === null ? {} : { generated: one.generated }),
      ...(one.nullable || (hasKey && table.primaryKey.includes(column)) || one.identity !== null
        ? {}
        : { nullable: false }),
    }),
  );
  const create: Step = {
    kind: "table.create",
    document: path,
    subject,
    order: stepOrder.tables.create,
    detail: columns,
    isAtomic: true,
    locate: (pointer) => placeInColumns(Object.keys(table.columns), pointer),
    run: async ({ database, actor }) => {
      const definition = await parseTableDefinition({ name, columns });
      await createTable(database, { schema, definition, actor });
    },
  };
  const empty: TableDocument = {
    ...table,
    ...{ comment: null, unique: {}, checks: {}, foreignKeys: {}, indexes: {} },
    ...(hasKey ? {} : { primaryKey: [] }),
    columns: Object.fromEntries(
      Object.entries(table.columns).map(([column, one]) => [column, { ...one, comment: null }]),
    ),
  };
  return [create, ...alterSteps(document, empty, table, schema, name, { others: present })];
}

/** The place of a fault of `parseTableDefinition` in a document. */
function placeInColumns(columns: readonly string[], pointer: string): DocumentPath {
  const [, , list, index = "", field, ...rest] = pointer.split("/");
  const column = columns[Number(index)];
  if (list !== "columns" || column === undefined) return [];
  const name = field === "dataType" ? "type" : field;
  return ["columns", column, ...(name === undefined ? [] : [name]), ...rest];
}

function lookSteps(
  document: Pick<Document<TableDocument>, "path" | "value">,
  before: TableDocument | undefined,
  schema: string,
  name: string,
): Step[] {
  const changesOf = ({ exposed, label, description, title, history, junction }: TableDocument) => ({
    exposedMethods: exposed,
    ...{ label, description, title, history, junction },
  });
  return presentationSteps({
    document,
    subject: relationKey(schema, name),
    relation: { schema, name },
    wanted: changesOf(document.value),
    present: before && changesOf(before),
    columns: looksOf(document.value),
    presentColumns: before === undefined ? new Map() : looksOf(before),
  });
}

function looksOf({ columns }: TableDocument): ReadonlyMap<string, ColumnLook> {
  return new Map(
    Object.entries(columns).map(
      ([name, { label, format, colors, relationName }]: [string, ColumnDocument]) => [
        name,
        { label, format, colors, relationName },
      ],
    ),
  );
}
