import { isDeepStrictEqual } from "node:util";
import { quoteIdentifier, quoteQualified, type Snapshot, serverVersionOf } from "@rowhouse/db";
import {
  type ColumnDefinition,
  changeNewTable,
  changeTable,
  createTable,
  dropTable,
  type EnumType,
  parseTableDefinition,
  previewAlterTable,
  previewDropTable,
  type TableChange,
} from "@rowhouse/ddl";
import { gather, throwAll } from "../../documents/document-faults.ts";
import { relationKey, relationPath } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import {
  type BrokenPart,
  type Missing,
  noEffects,
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
import { dropColumns, type PlacedChange, placedChanges } from "./table-changes.ts";
import {
  type ColumnDocument,
  elsewhereTable,
  namesOfTable,
  type PresentTable,
  type TableDocument,
  withoutStructure,
} from "./table-document.ts";
import { findRenames, type RenamedTable } from "./table-renames.ts";
import { settleDocument } from "./table-settle.ts";
import { asWritten, withIdentities } from "./written-tables.ts";

/** Maximum number of changes of one alteration. */
const changesMax = 100;

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
  const own = await gather(wanted, ([path, document]) => {
    const renames = columns.get(path) ?? [];
    const from = tables.find((table) => table.document.path === path)?.from;
    const change = { ...{ world, types, missing, isOthers, renames, from }, others: present };
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
  readonly renames: readonly PlacedChange[];
  /** The present name of a table that gets another one. */
  readonly from: RenamedTable["from"] | undefined;
  /** The present tables. */
  readonly others: ReadonlyMap<string, unknown>;
}

async function stepsOf(
  { world, types, missing, isOthers, renames, from, others }: TableChanges,
  given: Document<TableDocument>,
  present: PresentTable | undefined,
): Promise<Step[]> {
  const [schema = "", name = ""] = given.names;
  const { actual, hasNoFile: _, ...before } = present ?? {};
  const former = present === undefined ? undefined : (before as TableDocument);
  const miss = (message: string) =>
    missing.push({ document: given.path, subject: relationKey(schema, name), message });
  if (given.value.managed !== null) {
    if (present === undefined || (present.managed !== null && actual === undefined)) {
      refuseReserved(given);
      miss("It is managed elsewhere, and there is no such table yet");
      return [];
    }
    requireColumns(await world.snapshots.fresh(), given);
    const shown = former && { ...former, ...withoutStructure(former) };
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
    from,
    primaryKeyName: actual.primaryKeyName,
  });
  return [...steps, ...lookSteps(document, change.kept, schema, name)];
}

/** The names of the constraints and indexes that documents describe. */
function namesIn(table: TableDocument | undefined): string[] {
  if (table === undefined) return [];
  const { unique, checks, foreignKeys, indexes } = table;
  return [unique, checks, foreignKeys, indexes].flatMap((named) => Object.keys(named));
}

/** A change of a table. Columns that PostgreSQL cannot change are dropped and added again. */
interface Change {
  readonly drops: readonly PlacedChange[];
  /** The table without these columns. */
  readonly kept: TableDocument;
  readonly after: TableDocument;
}

/** The first version of PostgreSQL that can change the expression of a generated column. */
const expressionsSince = 17;

async function changeOf(
  { database }: World,
  types: readonly EnumType[],
  document: Document<TableDocument>,
  before: TableDocument,
): Promise<Change> {
  const after = await settleDocument(database, types, before, document);
  const generated = Object.entries(after.columns).filter(([name, column]) => {
    const former = before.columns[name];
    return column.generated !== null && former && former.generated !== column.generated;
  });
  if (generated.length === 0) return { drops: [], kept: before, after };
  const isOld = (await serverVersionOf(database)).major < expressionsSince;
  const replaced = generated.filter(([name]) => isOld || before.columns[name]?.generated === null);
  const names = new Set(replaced.map(([name]) => name));
  const { after: kept, changes } = dropColumns(before, names);
  return { drops: changes, kept, after };
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
  const columns = Object.entries(table.columns).map(
    ([column, one]): ColumnDefinition => ({
      name: column,
      dataType: one.type,
      ...(table.primaryKey.includes(column) ? { primaryKey: true } : {}),
      ...(one.default === null ? {} : { default: one.default }),
      ...(one.identity === null ? {} : { identity: one.identity }),
      ...(one.generated === null ? {} : { generated: one.generated }),
      ...(one.nullable || table.primaryKey.includes(column) || one.identity !== null
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

interface AlterOptions {
  /** The changes that go before. */
  readonly before?: readonly PlacedChange[];
  readonly primaryKeyName?: string | null;
  /** Its present name, if that is another one. */
  readonly from?: RenamedTable["from"] | undefined;
  /** The tables beside a new one. */
  readonly others?: ReadonlyMap<string, unknown>;
}

function alterSteps(
  { path }: Document<TableDocument>,
  before: TableDocument,
  after: TableDocument,
  schema: string,
  name: string,
  { before: first = [], primaryKeyName = null, from, others }: AlterOptions,
): Step[] {
  const { own, foreignKeys } = placedChanges(before, after, primaryKeyName);
  const { alter, foreignKeys: last } = stepOrder.tables;
  const isNew = others !== undefined;
  const steps = (changes: readonly PlacedChange[], order: number, isTried: boolean) =>
    inPieces(changes).map((piece) => {
      const notes = isNew ? [] : piece.flatMap(({ change }) => placeNote(change, before, after));
      const effects = isNew ? {} : effectsOnViews(piece, { schema, name }, from);
      const step = { ...alterStep(path, piece, schema, name, order, isNew, notes), ...effects };
      if (!isTried) return step;
      const { preview: _, ...tried } = step;
      return tried;
    });
  // A foreign key also locks the table that it refers to.
  const refers = ({ change }: PlacedChange) =>
    change.kind === "addForeignKey" &&
    others?.has(
      relationPath("tables", { schema: change.targetSchema, name: change.targetTable }),
    ) === true;
  const isRelation = (step: Step): Step => ({ ...step, isUsedBy: usesRelations });
  return [
    ...steps([...first, ...own], alter, isNew),
    ...steps(
      foreignKeys.filter((one) => !refers(one)),
      last,
      isNew,
    ),
    ...steps(foreignKeys.filter(refers), last, false).map(isRelation),
  ];
}

/** Returns what changes of a table mean for the views that read it. */
function effectsOnViews(
  changes: readonly PlacedChange[],
  table: RenamedTable["to"],
  from: RenamedTable["from"] = table,
): Pick<Step, "breaks" | "renamesColumns"> {
  const renames: string[] = [];
  const breaks: BrokenPart[] = [];
  const formerly = new Map<string, string>();
  for (const { change } of changes) {
    if (change.kind === "renameColumn") {
      formerly.set(change.name, change.column);
      renames.push(renameColumnSql(table, change));
      continue;
    }
    const isGone = change.kind === "dropColumn";
    if (!isGone && !(change.kind === "changeColumn" && change.dataType !== undefined)) continue;
    const column = formerly.get(change.column) ?? change.column;
    breaks.push({ schema: from.schema, table: from.name, column, isGone });
  }
  return {
    ...(breaks.length === 0 ? {} : { breaks }),
    ...(renames.length === 0 ? {} : { renamesColumns: renames }),
  };
}

function renameColumnSql(
  { schema, name }: RenamedTable["to"],
  change: { readonly column: string; readonly name: string },
): string {
  const [from, to] = [change.column, change.name].map(quoteIdentifier);
  return `alter table ${quoteQualified(schema, name)} rename column ${from} to ${to}`;
}

/** Says where a new column will stand, if its document has it elsewhere. */
function placeNote(change: TableChange, before: TableDocument, after: TableDocument): string[] {
  if (change.kind !== "addColumn") return [];
  const names = Object.keys(after.columns);
  const next = names
    .slice(names.indexOf(change.name) + 1)
    .find((name) => before.columns[name] !== undefined);
  return next === undefined
    ? []
    : [
        `The column ${change.name} is added after the last one: PostgreSQL cannot put it before ${next}.`,
      ];
}

/** Whether a step can read a table through a foreign key. */
function usesRelations({ kind }: Step): boolean {
  return /^(table|resource|grants|workflow|data-view|dashboard)\./.test(kind);
}

function inPieces(changes: readonly PlacedChange[]): PlacedChange[][] {
  const pieces: PlacedChange[][] = [];
  for (let start = 0; start < changes.length; start += changesMax) {
    pieces.push(changes.slice(start, start + changesMax));
  }
  return pieces;
}

function alterStep(
  path: string,
  changes: readonly PlacedChange[],
  schema: string,
  name: string,
  order: number,
  isNew: boolean,
  notes: readonly string[] = [],
): Step {
  const subject = relationKey(schema, name);
  const plain = changes.map(({ change }) => change);
  const alteration = (confirmed: (consent: string) => boolean) => ({
    changes: plain.map((change): TableChange => {
      const object = confirmedObject(change);
      const isConfirmed = object !== undefined && confirmed(consentOf(subject, change, object));
      return isConfirmed ? ({ ...change, confirm: object } as TableChange) : change;
    }),
  });
  return {
    kind: "table.alter",
    document: path,
    subject,
    order,
    detail: plain,
    isAtomic: true,
    locate: (pointer) => {
      const [, , , index = "", ...rest] = pointer.split("/");
      return changes[Number(index)]?.placeOf(rest) ?? [];
    },
    run: async ({ database, actor }, isConsented) => {
      const input = { schema, table: name, actor };
      const change = isNew ? changeNewTable : changeTable;
      await change(database, { ...input, alteration: alteration(isConsented) });
    },
    preview: async ({ database, dropped: gone }) => {
      const input = { schema, table: name, alteration: alteration(() => false) };
      const { confirmations, ...preview } = await previewAlterTable(database, input, { gone });
      return {
        ...preview,
        notes: [...preview.notes, ...notes],
        confirmations: confirmations.map(({ path: place }) => {
          const change = plain[Number(place.split("/")[3])];
          const object = change && confirmedObject(change);
          const consent = change && object !== undefined && consentOf(subject, change, object);
          return { path: place, confirm: consent || place };
        }),
      };
    },
  };
}

/** The name that a destructive change must repeat. */
function confirmedObject(change: TableChange): string | undefined {
  if (change.kind === "dropColumn" || change.kind === "changeColumn") return change.column;
  return change.kind === "dropConstraint" ? change.constraint : undefined;
}

function consentOf(subject: string, change: TableChange, object: string): string {
  return `${change.kind === "changeColumn" ? "change" : "drop"}:${subject}.${object}`;
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

/**
 * A table to be dropped, whose foreign keys go before: tables may refer to each other.
 *
 * @param isOptional whether it was made beside the files, so that nobody has asked for its end
 */
function dropSteps(path: string, { foreignKeys }: TableDocument, isOptional: boolean): Step[] {
  const [schema = "", name = ""] = namesOfTable(path) ?? [];
  const changes = Object.keys(foreignKeys).map(
    (constraint): PlacedChange => ({
      change: { kind: "dropConstraint", constraint },
      placeOf: () => [],
    }),
  );
  const { letGo } = stepOrder.tables;
  return [
    ...inPieces(changes).map((piece): Step => {
      const { preview, run, ...step } = alterStep(path, piece, schema, name, letGo, false);
      const consent = consentOfDrop(schema, name);
      return {
        ...step,
        ...{ consent, isOptional },
        preview: async (world) => ({
          ...noEffects,
          sql: (await preview?.(world, true))?.sql ?? [],
        }),
        run: (world) => run(world, () => true),
      };
    }),
    { ...dropStep(path, schema, name), isOptional },
  ];
}

function consentOfDrop(schema: string, name: string): string {
  return `drop:${relationKey(schema, name)}`;
}

function dropStep(path: string, schema: string, name: string): Step {
  const subject = relationKey(schema, name);
  const input = { schema, table: name, cascade: false };
  // The steps that drop foreign keys and views before it were only previewed.
  return {
    kind: "table.drop",
    document: path,
    subject,
    breaks: [{ schema, table: name, column: null, isGone: true }],
    order: stepOrder.tables.drop,
    detail: null,
    consent: consentOfDrop(schema, name),
    preview: async ({ database, dropped: gone }) => {
      const preview = await previewDropTable(database, input, { gone, foreignKeys: true });
      return { ...preview, confirmations: [] };
    },
    run: ({ database, actor }) => dropTable(database, { ...input, confirm: name, actor }),
  };
}
