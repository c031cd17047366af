import { quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { changeNewTable, changeTable, previewAlterTable, type TableChange } from "@rowhouse/ddl";
import { relationKey, relationPath } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import { type BrokenPart, type Step, stepOrder } from "../../model/part.ts";
import { type PlacedChange, placedChanges } from "./table-changes.ts";
import type { TableDocument } from "./table-document.ts";
import type { RenamedTable } from "./table-renames.ts";

/** Maximum number of changes of one alteration. */
const changesMax = 100;

interface AlterOptions {
  /** The changes that go before. */
  readonly before?: readonly PlacedChange[];
  readonly primaryKeyName?: string | null;
  /** The new columns that come in the place of present ones. */
  readonly replaced?: ReadonlySet<string>;
  /** Its present name, if that is another one. */
  readonly from?: RenamedTable["from"] | undefined;
  /** The tables beside a new one. */
  readonly others?: ReadonlyMap<string, unknown>;
}

/** Returns the steps from one state of a table to another: its own, then the foreign keys to others. */
export function alterSteps(
  { path }: Document<TableDocument>,
  before: TableDocument,
  after: TableDocument,
  schema: string,
  name: string,
  { before: first = [], primaryKeyName = null, from, replaced, others }: AlterOptions,
): Step[] {
  const changes = placedChanges(before, after, primaryKeyName);
  const own = changes.own.map((one) => inPlace(one, replaced));
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
      changes.foreignKeys.filter((one) => !refers(one)),
      last,
      isNew,
    ),
    ...steps(changes.foreignKeys.filter(refers), last, false).map(isRelation),
  ];
}

/** Returns the change that adds a column as one that puts it in the place of another, if it is one of these. */
function inPlace(placed: PlacedChange, replaced: ReadonlySet<string> | undefined): PlacedChange {
  const { change } = placed;
  if (change.kind !== "addColumn" || replaced?.has(change.name) !== true) return placed;
  return { ...placed, change: { ...change, kind: "replaceColumn" } };
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
    const isRetyped = change.kind === "changeColumn" && change.dataType !== undefined;
    if (!isGone && !isRetyped && change.kind !== "replaceColumn") continue;
    const name = change.kind === "replaceColumn" ? change.name : change.column;
    const column = formerly.get(name) ?? name;
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

/** Returns changes in as many alterations as they need. */
export function inPieces(changes: readonly PlacedChange[]): PlacedChange[][] {
  const pieces: PlacedChange[][] = [];
  for (let start = 0; start < changes.length; start += changesMax) {
    pieces.push(changes.slice(start, start + changesMax));
  }
  return pieces;
}

/** Returns the step that alters a table. */
export function alterStep(
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
  if (change.kind === "replaceColumn") return change.name;
  return change.kind === "dropConstraint" ? change.constraint : undefined;
}

function consentOf(subject: string, change: TableChange, object: string): string {
  const isChange = change.kind === "changeColumn" || change.kind === "replaceColumn";
  return `${isChange ? "change" : "drop"}:${subject}.${object}`;
}
