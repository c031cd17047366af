import { type Edges, quoteIdentifier, quoteQualified, type Transaction } from "@rowhouse/db";
import { AppError, createFault, type ErrorCode, type Fault } from "@rowhouse/errors";
import type { Rebinding } from "../base/bind-columns.ts";
import { createConstraintNames } from "../base/constraint-name.ts";
import type { TypeReference } from "../guarded-table.ts";
import type {
  CheckState,
  ColumnState,
  ForeignKeyState,
  IndexState,
  KeyState,
  ReferenceState,
  TableState,
} from "../table-state.ts";
import { findUnknownTypes } from "../verify-table.ts";
import type {
  AlterationStep,
  Confirmation,
  DependencyRoot,
  LockMode,
  Loss,
  OtherLock,
  RowCheck,
  Work,
} from "./plan.ts";
import { trialTable } from "./trial.ts";

/** A column after the changes so far. A column that a change added has no attribute number. */
export type DraftColumn = {
  -readonly [Key in Exclude<keyof ColumnState, "attributeNumber">]: ColumnState[Key];
} & { readonly attributeNumber: number | null };

/** The most primary keys of failing rows that a preview returns for each cause. */
const failingKeysMax = 100;

/** Message for a wrong or missing confirmation. */
const confirmMessage = "This change is destructive; confirm with the name of the changed object";

export interface DraftOptions {
  /** The relations of the table, for the losses; null if nobody reads them. */
  readonly relations?: Edges | null | undefined;
  /** OIDs of views that count as dropped. */
  readonly gone?: ReadonlySet<string> | undefined;
}

/**
 * Model of a table after the changes so far, with their statements, losses and faults. Planning writes only to this
 * object; no statement has run.
 */
export class AlterationDraft {
  readonly transaction: Transaction;
  readonly original: TableState;
  /** The relations of the table as it is before the change; null if losses are not reported. */
  readonly relations: Edges | null;
  /** OIDs of views that count as dropped. */
  readonly gone: ReadonlySet<string>;
  schema: string;
  name: string;
  comment: string | null;
  columns: DraftColumn[];
  keys: Pick<KeyState, "kind" | "name" | "columns">[];
  checks: Pick<CheckState, "name" | "columns" | "message">[];
  foreignKeys: ForeignKeyState[];
  indexes: Pick<IndexState, "name" | "columns">[];
  /** In their original state: the columns of this table have their old names. */
  referencedBy: ReferenceState[];
  /** A query of the existing rows in the form that the changes so far give them, with their primary keys. */
  rows: string;
  /** The quoted names of the columns of `rows` that have the primary key as it is before the change. */
  readonly #keyNames: readonly string[];

  readonly faults: Fault[] = [];
  readonly steps: AlterationStep[] = [];
  readonly losses: Loss[] = [];
  readonly confirmations: Confirmation[] = [];
  readonly otherLocks: OtherLock[] = [];
  readonly notes = new Set<string>();
  /** The objects whose dependents were looked up, and the dependents found. */
  readonly roots: { readonly root: DependencyRoot; readonly found: string }[] = [];
  readonly changedFields = new Set<string>();

  constructor(
    transaction: Transaction,
    original: TableState,
    { relations = null, gone = new Set() }: DraftOptions = {},
  ) {
    this.transaction = transaction;
    this.original = original;
    this.relations = relations;
    this.gone = gone;
    this.schema = original.schema;
    this.name = original.name;
    this.comment = original.comment;
    this.columns = original.columns.map((column) => ({ ...column }));
    this.keys = [...original.keys];
    this.checks = [...original.checks];
    this.foreignKeys = [...original.foreignKeys];
    this.indexes = [...original.indexes];
    this.referencedBy = [...original.referencedBy];
    const key = original.keys.find(({ kind }) => kind === "PRIMARY_KEY");
    this.#keyNames = (key?.columns ?? []).map((_name, index) => `"rowhouse key ${index + 1}"`);
    const keyValues = (key?.columns ?? []).map(
      (name, index) => `${quoteIdentifier(name)}::text as ${this.#keyNames[index]}`,
    );
    const list = [...this.columnNames().map(quoteIdentifier), ...keyValues];
    this.rows = `select ${list.join(", ")} from ${this.target()}`;
  }

  /** Narrows the query of the existing rows to these expressions, and keeps their primary keys. */
  selectRows(expressions: readonly string[]): void {
    this.rows = `select ${[...expressions, ...this.#keyNames].join(", ")} from (${this.rows}) as t`;
  }

  /** A query of the primary keys of the rows that a query returns; null without a primary key. */
  #keysOf(rows: string): string | null {
    if (this.#keyNames.length === 0) return null;
    return `select pg_catalog.array_to_json(array[${this.#keyNames.join(", ")}])::text as key from ${rows} limit ${failingKeysMax}`;
  }

  /** The current name of the table in the draft, quoted. */
  target(): string {
    return quoteQualified(this.schema, this.name);
  }

  columnNames(): string[] {
    return this.columns.map((column) => column.name);
  }

  nameConstraint(column: string, kind: string): string {
    const taken = [...this.keys, ...this.checks, ...this.foreignKeys].map((known) => known.name);
    return createConstraintNames(taken)(this.name, column, kind);
  }

  refuse(
    path: string,
    message: string,
    code: ErrorCode = "VALUE_INVALID",
    details?: Fault["details"],
  ): void {
    this.faults.push(createFault(code, { path, message, details }));
  }

  /** Requires the name of the lost object as a confirmation. */
  requireConfirmation(path: string, name: string, given: string | undefined): void {
    this.confirmations.push({ path: `${path}/confirm`, confirm: name, given: given === name });
    if (given !== undefined && given !== name) {
      this.refuse(`${path}/confirm`, confirmMessage, "BODY_INVALID");
    }
  }

  hasConstraint(name: string): boolean {
    return [...this.keys, ...this.checks, ...this.foreignKeys].some((known) => known.name === name);
  }

  /** Renames a column in every dependent object. */
  renameColumn(from: string, to: string): void {
    const renamed = (names: readonly string[]) => names.map((name) => (name === from ? to : name));
    const rename = <Item extends { readonly columns: readonly string[] }>(item: Item): Item => ({
      ...item,
      columns: renamed(item.columns),
    });
    for (const column of this.columns) if (column.name === from) column.name = to;
    this.keys = this.keys.map(rename);
    this.checks = this.checks.map(rename);
    this.indexes = this.indexes.map(rename);
    this.foreignKeys = this.foreignKeys.map(rename);
  }

  /** Returns the column with this name, or records a fault if there is none. */
  findColumn(name: string, path: string): DraftColumn | undefined {
    const column = this.columns.find((candidate) => candidate.name === name);
    if (column === undefined) this.refuse(path, "The table has no such column");
    return column;
  }

  /** Whether the table has all of these columns. */
  hasColumns(names: readonly string[], path: string): boolean {
    const found = names.map((name, index) => this.findColumn(name, `${path}/${index}`));
    return !found.includes(undefined);
  }

  /** Applies a guard to a text and requires its types to exist; returns undefined after recording a fault. */
  async guard<Result extends { readonly references: readonly TypeReference[] }>(
    work: Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      const parsed = await work;
      return (await this.hasTypes(parsed.references)) ? parsed : undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.faults.push(...error.faults);
      return undefined;
    }
  }

  /** Whether all of these types exist in the database; records a fault for each that does not. */
  async hasTypes(references: readonly TypeReference[]): Promise<boolean> {
    const unknown = await findUnknownTypes(this.transaction, references);
    this.faults.push(...unknown);
    return unknown.length === 0;
  }

  /**
   * Adds a statement.
   *
   * @param compile writes the statement for a quoted table name
   */
  addStep(step: {
    readonly compile: (table: string) => string;
    readonly path: string;
    readonly lock?: LockMode;
    readonly work?: Work;
    /**
     * Fault to record if the copy of the table refuses the statement; null for a statement that only the table itself
     * can try.
     */
    readonly refusal: string | null;
    readonly code?: ErrorCode;
    readonly counts?: readonly RowCheck[];
    readonly rebinds?: Rebinding;
  }): void {
    const { compile, path, refusal } = step;
    this.steps.push({
      rebinds: step.rebinds,
      sql: compile(this.target()),
      path,
      lock: step.lock ?? "ACCESS EXCLUSIVE",
      work: step.work ?? "NONE",
      counts: step.counts ?? [],
      trial:
        refusal === null
          ? null
          : {
              sql: compile(trialTable),
              refusal: createFault(step.code ?? "VALUE_INVALID", { path, message: refusal }),
            },
    });
  }

  /** Replaces the expression of one column in the query of the existing rows. */
  mapRows(name: string, expression: string, as: string = name): void {
    const list = this.columns.map((column) =>
      column.name === name
        ? `${expression} as ${quoteIdentifier(as)}`
        : quoteIdentifier(column.name),
    );
    this.selectRows(list);
  }

  /** A count of the rows for which a condition is true. */
  countRows(path: string, code: ErrorCode, message: string, condition: string): RowCheck {
    const failing = `(${this.rows}) as t where ${condition}`;
    const sql = `select pg_catalog.count(*) as rows from ${failing}`;
    return { path, code, message, sql, keysSql: this.#keysOf(failing), before: [] };
  }

  /** A count of the rows with duplicate values, among the rows for which all conditions are true. */
  countTwins(path: string, values: readonly string[], conditions: readonly string[]): RowCheck {
    const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
    const groups = `select pg_catalog.count(*) as n from (${this.rows}) as t${where} group by ${values.join(", ")} having pg_catalog.count(*) > 1`;
    const twins = `select t.*, pg_catalog.count(*) over (partition by ${values.join(", ")}) as "rowhouse twins" from (${this.rows}) as t${where}`;
    return {
      path,
      code: "UNIQUE_VIOLATION",
      message: "Rows have duplicate values",
      sql: `select coalesce(sum(n), 0) as rows from (${groups}) as g`,
      keysSql: this.#keysOf(`(${twins}) as t where "rowhouse twins" > 1`),
      before: [],
    };
  }
}
