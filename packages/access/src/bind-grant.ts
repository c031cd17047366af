import {
  type BesideMention,
  type Catalogue,
  type Column,
  type ColumnType,
  heldTextSql,
  type Queryable,
  type Relation,
  type Transaction,
  toAppError,
} from "@rowhouse/db";
import {
  AppError,
  createFault,
  escapePointer,
  type Fault,
  faultsMax,
  throwFaults,
} from "@rowhouse/errors";
import {
  conditionsOf,
  fieldLocation,
  type ParsedFilter,
  relationsOf,
  type Variable,
} from "./filter/language/filter.ts";
import { defaultFilterLimits, parseFilter } from "./filter/language/parse-filter.ts";
import { joinPaths, plainPath } from "./filter/language/written-name.ts";
import { bindArrays, bindSlot, type SlotBinding } from "./filter/sql/bind-slot.ts";
import { isPossibleValue } from "./filter/sql/column-value.ts";
import type { Action } from "./grants.ts";
import { checkCondition } from "./meaning/check-condition.ts";
import { isSameEnd, resolveGrantEdges, resolveGrantPath } from "./meaning/grant-path.ts";
import { readPreset } from "./meaning/grant-terms.ts";
import { junctionColumns } from "./meaning/junction-columns.ts";
import { meaningsOfWay } from "./meaning/meaning.ts";

/** A grant as an administrator writes it, on an existing resource. */
export interface GrantInput {
  readonly action: Action;
  /** Null grants all fields. */
  readonly fields: readonly string[] | null;
  readonly rowFilter: unknown;
  readonly check: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
}

/** A grant as it is stored: the record, and one row of `system.grant_columns` per mentioned column. */
export interface BoundGrant {
  readonly action: Action;
  readonly allFields: boolean;
  readonly rowFilter: unknown;
  readonly rowCheck: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
  readonly columns: readonly BoundColumn[];
}

export interface BoundColumn {
  readonly usage: "FIELD" | "FILTER" | "CHECK" | "PRESET";
  readonly attributeNumber: number;
  readonly mention: string;
  readonly columnName: string;
  /** The related resource that the column belongs to; null for the grant's own resource. */
  readonly pathResourceId: string | null;
  readonly meaning: string;
  readonly beside: BesideMention | null;
}

/**
 * Checks a grant against the catalogue and the filter language, and binds every column that it mentions to its
 * attribute number.
 *
 * @param database the pool: the first value that PostgreSQL rejects would abort a transaction
 * @throws AppError with every fault at its path (`/data/fields/0`, `/data/rowFilter/owner/_eq`)
 */
export async function bindGrant(
  database: Pick<Transaction, "asService">,
  catalogue: Catalogue,
  relation: Relation,
  input: GrantInput,
): Promise<BoundGrant> {
  const binder = new GrantBinder(catalogue, relation);
  binder.requireFitting(input);
  for (const [index, field] of (input.fields ?? []).entries()) {
    binder.bindColumn("FIELD", field, `/data/fields/${index}`);
  }
  binder.bindFilter("FILTER", input.rowFilter, "/data/rowFilter");
  binder.bindFilter("CHECK", input.check, "/data/check");
  for (const [column, value] of Object.entries(input.presets)) binder.bindPreset(column, value);
  throwFaults(binder.faults);
  const { asService } = database;
  throwFaults(await findUnknownConfigurations(asService, binder.configurations));
  throwFaults(await findImpossibleValues(asService, binder.values, binder.patterns));
  return {
    action: input.action,
    allFields: input.fields === null,
    rowFilter: input.rowFilter ?? null,
    rowCheck: input.check ?? null,
    presets: input.presets,
    columns: binder.columns,
  };
}

interface TypedValue {
  readonly text: string;
  readonly type: ColumnType;
  readonly path: string;
}

/** The type of a list of values, or of elements. */
function listOf({ conversion, type }: SlotBinding): ColumnType {
  if (conversion === "ELEMENTS") return type;
  const [plain, declared] = [`${type.plain}[]`, `${type.declared}[]`];
  return { ...type, plain, declared, array: true };
}

class GrantBinder {
  readonly faults: Fault[] = [];
  readonly columns: BoundColumn[] = [];
  readonly values: TypedValue[] = [];
  /** Regular expressions, which only PostgreSQL can validate. */
  readonly patterns: { readonly text: string; readonly path: string }[] = [];
  /** Text search configurations, which only PostgreSQL knows. */
  readonly configurations: { readonly name: string; readonly path: string }[] = [];
  readonly #catalogue: Catalogue;
  readonly #relation: Relation;

  constructor(catalogue: Catalogue, relation: Relation) {
    this.#catalogue = catalogue;
    this.#relation = relation;
  }

  requireFitting(input: GrantInput): void {
    const refuse = (path: string, message: string): void => {
      this.faults.push(createFault("BODY_INVALID", { path, message }));
    };
    if (this.#relation.resource.kind === "VIEW" && input.action !== "READ") {
      refuse("/data/action", "Must be READ for a view");
    }
    const writes = input.action === "CREATE" || input.action === "UPDATE";
    if (!writes && input.check != null)
      refuse("/data/check", "Only CREATE and UPDATE can have a check");
    if (!writes && Object.keys(input.presets).length > 0) {
      refuse("/data/presets", "Only CREATE and UPDATE can have presets");
    }
    if (input.action === "DELETE" && input.fields !== null) {
      refuse("/data/fields", "DELETE cannot have a field list");
    }
  }

  bindColumn(usage: BoundColumn["usage"], name: string, path: string): Column | undefined {
    const column = this.#relation.columnByName(name);
    if (column === undefined) {
      this.faults.push(createFault("FIELD_UNKNOWN", { path }));
      return undefined;
    }
    if (!this.columns.some((bound) => bound.usage === usage && bound.mention === name)) {
      this.columns.push({
        usage,
        attributeNumber: column.attributeNumber,
        mention: name,
        columnName: column.name,
        pathResourceId: null,
        meaning: column.meaning,
        beside: null,
      });
    }
    return column;
  }

  /** Binds a column of a filter: the relation's own, or a related one by its path. */
  #bindPath(usage: "FILTER" | "CHECK", path: string, faultPath: string): Column | undefined {
    const found = resolveGrantPath(this.#catalogue, this.#relation, path);
    const text = plainPath(path);
    if (found === undefined || found.edges.length === 0) {
      return this.bindColumn(usage, text, faultPath);
    }
    // The record of a bound column has the text of its path.
    if (!isSameEnd(found, resolveGrantPath(this.#catalogue, this.#relation, text))) {
      const message = `In a grant ${text} means another column, whose name or relation contains a dot: rename one of the two`;
      this.faults.push(createFault("BODY_INVALID", { path: faultPath, message }));
      return undefined;
    }
    const { column, relation } = found;
    const way = meaningsOfWay(this.#relation, found.edges);
    const bound = [{ mention: text, column, relation }, ...junctionColumns(found.edges)];
    for (const { mention, column, relation } of bound) {
      if (this.columns.some((it) => it.usage === usage && it.mention === mention)) continue;
      this.columns.push({
        usage,
        attributeNumber: column.attributeNumber,
        mention,
        columnName: column.name,
        pathResourceId: relation.resource.id,
        meaning: column.meaning,
        beside: mention === text ? { way } : null,
      });
    }
    return column;
  }

  /** Binds a column of the foreign key, so that the grant ends with it. */
  #bindRelation(usage: "FILTER" | "CHECK", path: string, faultPath: string): void {
    const edge = resolveGrantEdges(this.#catalogue, this.#relation, path)?.at(-1);
    const [pair] =
      edge === undefined ? [] : edge.foreignKey === "JUNCTION" ? edge.far : edge.columns;
    if (pair === undefined) this.faults.push(createFault("FIELD_UNKNOWN", { path: faultPath }));
    else this.#bindPath(usage, joinPaths(path, pair[1]), faultPath);
  }

  bindFilter(usage: "FILTER" | "CHECK", input: unknown, root: string): void {
    if (input == null) return;
    const pathOf = (segments: readonly string[]): string =>
      [root, ...segments.map(escapePointer)].join("/");
    this.#collect(() => {
      const parsed = parseFilter(input, {
        limits: defaultFilterLimits,
        pathOf,
        code: "BODY_INVALID",
        commaLists: false,
      });
      this.#bindConditions(usage, parsed);
    });
  }

  #bindConditions(usage: "FILTER" | "CHECK", parsed: ParsedFilter): void {
    for (const related of relationsOf(parsed.filter)) {
      this.#bindRelation(usage, related.field, fieldLocation(related));
    }
    const bindings: SlotBinding[] = [];
    const regular = new Set<SlotBinding>();
    for (const condition of conditionsOf(parsed.filter)) {
      const { path } = condition;
      const column = this.#bindPath(usage, condition.field, fieldLocation(condition));
      const config = condition.search?.config;
      if (config != null) this.configurations.push({ name: config, path });
      for (const operand of condition.operands) {
        if (operand.kind === "FIELD") this.#bindPath(usage, operand.field, path);
        if (operand.kind === "VARIABLE")
          this.#bindVariable(usage, plainPath(condition.field), operand.variable, path);
      }
      if (column === undefined) continue;
      this.#collect(() => {
        const literals = checkCondition(this.#catalogue, this.#relation, condition, column);
        bindings.push(...literals.bindings);
        for (const binding of literals.regular) regular.add(binding);
      }, path);
    }
    for (const binding of bindings) {
      const slot = parsed.slots[binding.slot];
      if (slot === undefined) continue;
      this.#collect(() => {
        const text = bindSlot(binding, slot);
        if (binding.conversion === "ARRAYS") {
          for (const one of bindArrays(binding, slot)) {
            this.values.push({ text: one, type: binding.type, path: slot.path });
          }
        }
        if (binding.conversion === "LIST" || binding.conversion === "ELEMENTS") {
          this.values.push({ text, type: listOf(binding), path: slot.path });
        }
        if (binding.conversion === "VALUE") {
          this.values.push({ text, type: binding.type, path: slot.path });
        }
        if (regular.has(binding)) this.patterns.push({ text, path: slot.path });
      });
    }
  }

  bindPreset(name: string, value: unknown): void {
    const path = `/data/presets/${escapePointer(name)}`;
    const column = this.bindColumn("PRESET", name, path);
    if (column?.generated === true || column?.identity === "ALWAYS") {
      const message = "This column cannot be set";
      this.faults.push(createFault("VALUE_INVALID", { path, message }));
      return;
    }
    const preset = readPreset(value);
    if (preset === undefined) {
      const message = "Must be a literal, null or a variable";
      this.faults.push(createFault("BODY_INVALID", { path, message }));
      return;
    }
    if (preset.kind === "VARIABLE" && preset.variable.kind === "PERIOD") {
      const message = "A period cannot be a preset";
      this.faults.push(createFault("BODY_INVALID", { path, message }));
      return;
    }
    if (preset.kind === "VARIABLE") {
      this.#bindVariable("PRESET", name, preset.variable, path);
      return;
    }
    if (column === undefined || preset.text === null) return;
    if (!isPossibleValue(column.type, preset.text)) {
      this.faults.push(createFault("VALUE_INVALID", { path }));
      return;
    }
    this.values.push({ text: preset.text, type: column.type, path });
  }

  /** Binds the column of users that a variable names to the mention that it is compared with. */
  #bindVariable(
    usage: BoundColumn["usage"],
    mention: string,
    variable: Variable,
    path: string,
  ): void {
    if (variable.kind !== "USER") return;
    const users = this.#catalogue.relationByName("system", "users");
    const column = users?.columnByName(variable.column);
    if (column === undefined) {
      const message = `$USER has no column ${variable.column}`;
      this.faults.push(createFault("BODY_INVALID", { path, message }));
      return;
    }
    const at = this.columns.findIndex((it) => it.usage === usage && it.mention === mention);
    const bound = this.columns[at];
    if (bound === undefined) return;
    const named = { ...bound.beside?.users, [variable.column]: column.meaning };
    this.columns[at] = { ...bound, beside: { ...bound.beside, users: named } };
  }

  #collect(work: () => void, path?: string): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const fault of error.faults) {
        this.faults.push(path === undefined ? fault : { ...fault, path });
      }
    }
  }
}

async function findUnknownConfigurations(
  on: Queryable,
  configurations: readonly { readonly name: string; readonly path: string }[],
): Promise<Fault[]> {
  if (configurations.length === 0) return [];
  const rows = await on.query<{ name: string }>(
    "select cfgname as name from pg_catalog.pg_ts_config where pg_ts_config_is_visible(oid)",
  );
  const known = new Set(rows.map(({ name }) => name));
  return configurations
    .filter(({ name }) => !known.has(name))
    .map(({ path }) =>
      createFault("BODY_INVALID", { path, message: "There is no such text search configuration" }),
    )
    .slice(0, faultsMax);
}

/** Lets PostgreSQL read each literal as its column does; a literal that the column cannot hold is a fault. */
async function findImpossibleValues(
  on: Queryable,
  values: readonly TypedValue[],
  patterns: readonly { readonly text: string; readonly path: string }[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const trials = [
    ...values.map((value) => ({ ...value, sql: `select ${heldTextSql("$1::text", value.type)}` })),
    ...patterns.map((pattern) => ({ ...pattern, sql: "select '' ~ $1::text" })),
  ];
  for (const value of trials) {
    try {
      await on.query(value.sql, [value.text], { runsCode: true });
    } catch (error) {
      const failure = toAppError(error);
      if (failure.status >= 500) throw failure;
      faults.push(createFault("VALUE_INVALID", { path: value.path }));
      if (faults.length >= faultsMax) break;
    }
  }
  return faults;
}
