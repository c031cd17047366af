import {
  type CallerPart,
  compileFilter,
  type EffectiveGrant,
  mergedFilters,
  type ParsedFilter,
  type SlotBinding,
  slotType,
  type Variable,
} from "@rowhouse/access";
import {
  builtInType,
  type Catalogue,
  type Column,
  type ColumnType,
  convertAllSql,
  type ParameterType,
  parameterSql,
  quoteIdentifier,
  quoteQualified,
  type Relation,
} from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { zonesWithoutAbbreviation } from "@rowhouse/settings";
import { columnSql } from "./column-sql.ts";
import { type GrantStatement, grantContext } from "./edge-sql.ts";

/** Branches of a `case` over a time zone's name, for names that PostgreSQL reads differently from IANA. */
const abbreviationsSql = [...zonesWithoutAbbreviation]
  .map(([name, zone]) => `when '${name}' then '${zone}'`)
  .join(" ");

/** The source of a parameter of a compiled statement, read at each execution. */
export type ParameterSource =
  | { readonly kind: "PROOF" }
  | { readonly kind: "VERSION" }
  | { readonly kind: "CALLER"; readonly part: CallerPart }
  /** The author of an administrative record: user, token, client address and request. */
  | { readonly kind: "ACTOR"; readonly part: "USER" | "TOKEN" | "ADDRESS" | "REQUEST" }
  /** The author of a change for the row history: user, token and request as a JSON object. */
  | { readonly kind: "WRITER" }
  | { readonly kind: "OFFSET" }
  | { readonly kind: "TIME_ZONE" }
  | { readonly kind: "CURSOR"; readonly index: number; readonly typeName: string }
  /** The offset, and a value of the cursor, of related rows. */
  | { readonly kind: "DEEP_OFFSET"; readonly path: string }
  | {
      readonly kind: "DEEP_CURSOR";
      readonly path: string;
      readonly index: number;
      readonly typeName: string;
    }
  | { readonly kind: "CONSTANT"; readonly text: string | null }
  | { readonly kind: "FILTER"; readonly binding: SlotBinding }
  | { readonly kind: "KEY"; readonly index: number; readonly column: Column }
  | { readonly kind: "VALUE"; readonly field: string; readonly column: Column }
  /** A value in a change of a document: that of `$set` at a position, or that of `$value`. */
  | {
      readonly kind: "CHANGE";
      readonly field: string;
      readonly index: number | null;
      readonly column: Column;
    }
  /** The values of one field in all rows of a group, as an array of texts. */
  | {
      readonly kind: "VALUES";
      readonly group: number;
      readonly field: string;
      readonly column: Column;
    }
  /** The number of rows of a group. */
  | { readonly kind: "ROWS"; readonly group: number }
  | { readonly kind: "IF_MATCH" }
  /** The texts of one column of the keys of written rows. */
  | { readonly kind: "WRITTEN_KEYS"; readonly index: number }
  /** Maximum size of the data of the response, in bytes. */
  | { readonly kind: "BYTES_MAX" }
  /** The mark of a list of related rows. */
  | { readonly kind: "LIST_MARK" };

/** Placeholder of the gate in a statement that reads, until the columns of the gate are known. */
export const gatePlaceholder = "$GATE$ gate";

/** The alias of the relation that the request names. */
export const rootAlias = "t";

/** A compiled statement: one text for all requests of a shape. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly ParameterSource[];
  /** The relation that the request names. */
  readonly relation: Relation;
  /** The OIDs of all relations that the response depends on. */
  readonly scope: readonly number[];
  /** Those of them that the request names; a relation that only a grant's filter names is excluded. */
  readonly requested: readonly Relation[];
  /** The paths of the to-many relations whose lists may have a mark, by the number in it. */
  readonly lists: readonly string[];
}

/**
 * Where a statement has its gate: `BESIDE` its rows, in FROM; `APART`, a common table expression in FROM, for a statement that
 * reads many rows; `ABOVE`, a common table expression that the RETURNING of a write can name by a subquery alone.
 */
export type GatePlace = "BESIDE" | "APART" | "ABOVE";

/** The alias of the requests of a shared statement. */
export const membersAlias = "members";

/** Sources whose value is the same in every request of a compiled statement. */
const constantSources: ReadonlySet<ParameterSource["kind"]> = new Set(["CONSTANT", "LIST_MARK"]);

/**
 * Collects the parameters of one statement and the columns that its gate must provide. The statement is for one
 * request, or `SHARED` by several: then a parameter whose value differs between requests is a column of
 * `membersAlias`.
 */
export class StatementBuilder {
  readonly parameters: ParameterSource[] = [];
  /** The parameters that are columns of `membersAlias`, with their numbers; none in a statement for one request. */
  readonly members: { readonly number: number; readonly type: ParameterType }[] = [];
  readonly #catalogue: Catalogue;
  readonly #users: Relation | undefined;
  /** The values that the statement needs of the caller's own row `u` of `system.users`: SQL by the gate's column. */
  readonly #userColumns = new Map<string, string>();
  readonly #places = new Map<string, string>();

  readonly #gate: GatePlace;
  /** Whether the conditions of the rows are compiled, which PostgreSQL tests in parallel if they name no other query. */
  #inConditions = false;
  readonly #isShared: boolean;
  readonly #grantStatement: GrantStatement;
  readonly #scope = new Set<number>();
  readonly #requested = new Set<Relation>();
  readonly lists: string[] = [];
  /** SQL that converts the values of the caller which are not converted when they are bound. */
  readonly arrays = new Set<string>();
  #aliases = 0;

  constructor(catalogue: Catalogue, gate: GatePlace, form: "SINGLE" | "SHARED" = "SINGLE") {
    this.#isShared = form === "SHARED";
    this.#catalogue = catalogue;
    this.#users = catalogue.relationByName("system", "users");
    this.#gate = gate;
    this.#grantStatement = {
      catalogue,
      from: (relation) => this.#name(relation),
      placeConstant: (text, type) => this.place({ kind: "CONSTANT", text }, type),
      placeVariable: (variable, type) => this.placeGrantVariable(variable, type),
      timeZoneSql: () => this.timeZoneSql(),
    };
  }

  /** The OIDs of the relations that were named so far. */
  get scope(): number[] {
    return [...this.#scope];
  }

  get requested(): Relation[] {
    return [...this.#requested];
  }

  /** Whether reading a column may fail, because its value is computed. */
  isComputed(relation: Relation, column: Column): boolean {
    return this.#catalogue.isComputed(relation, column);
  }

  /** Returns the FROM item of a relation that the request names, under a new alias. */
  from(relation: Relation): { readonly sql: string; readonly alias: string } {
    this.#requested.add(relation);
    return this.#name(relation);
  }

  #name(relation: Relation): { readonly sql: string; readonly alias: string } {
    const alias = this.#aliases === 0 ? rootAlias : `${rootAlias}${this.#aliases}`;
    this.#aliases += 1;
    this.#scope.add(relation.oid);
    return { sql: `${quoteQualified(relation.schema, relation.name)} ${alias}`, alias };
  }

  /**
   * Returns the placeholder of a parameter as a value of a type. A source has one placeholder for each type, because a
   * parameter has one type.
   */
  place(source: ParameterSource, type: ParameterType = builtInType("text")): string {
    const key = `${type.plain} ${JSON.stringify(source)}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.parameters.push(source);
    const number = this.parameters.length;
    const isOfMember = this.#isShared && !constantSources.has(source.kind);
    if (isOfMember) this.members.push({ number, type });
    const placed = isOfMember ? `${membersAlias}.p${number}` : parameterSql(`$${number}`, type);
    this.#places.set(key, placed);
    return placed;
  }

  /** Returns the placeholder of a literal in the caller's filter. */
  placeSlot(binding: SlotBinding): string {
    const placed = this.place({ kind: "FILTER", binding }, slotType(binding));
    if (binding.conversion === "ARRAYS") this.arrays.add(convertAllSql(placed, binding.type));
    return placed;
  }

  /** Returns SQL for the end of the JSON text of a list with more rows than the response shows. */
  cutSql(path: string): string {
    const number = this.lists.push(path) - 1;
    return `(',"' || ${this.place({ kind: "LIST_MARK" })} || '.${number}"]')`;
  }

  /**
   * Returns SQL for the last member of the JSON text of a page of related rows.
   *
   * @param position SQL for the position of the last row, as a JSON text
   */
  nextSql(path: string, position: string): string {
    const number = this.lists.push(path) - 1;
    const rest = `pg_catalog.substr(pg_catalog.to_json(${position})::text, 2)`;
    return `(',"nextCursor":"' || ${this.place({ kind: "LIST_MARK" })} || '>${number} ' || ${rest})`;
  }

  /** Returns SQL for the JSON in place of a page of another row's related rows. */
  misplacedSql(path: string): string {
    const number = this.lists.push(path) - 1;
    return `pg_catalog.to_json(${this.place({ kind: "LIST_MARK" })} || '!${number}')`;
  }

  /** Returns ` offset n`. */
  offsetSql(source: ParameterSource = { kind: "OFFSET" }): string {
    return ` offset ${this.place(source, builtInType("bigint"))}`;
  }

  /**
   * Returns SQL for a variable's value, which is evaluated once per statement. A user column without a value is null,
   * so a comparison with it is never true.
   *
   * @throws AppError QUERY_INVALID if `system.users` has no such column
   */
  placeVariable(variable: Variable, type: ColumnType): string {
    if (variable.kind === "NOW") return `pg_catalog.now()::${type.plain}`;
    if (variable.kind === "PERIOD") throw new TypeError("A period is not a value");
    const column = this.#users?.columnByName(variable.column);
    if (column === undefined) {
      throw createError("QUERY_INVALID", { message: `$USER has no ${variable.column}` });
    }
    const name = this.#userColumn(`$USER.${column.name}`, `u.${quoteIdentifier(column.name)}`);
    const from = this.#gateInScope() ? "" : " from gate";
    // The subquery contains the cast, so that it does not run for each row.
    if (column.type.plain !== type.plain) return `(select ${name}::text::${type.plain}${from})`;
    return this.#gateInScope() ? name : `(select ${name}${from})`;
  }

  /**
   * Compiles conditions that select rows. In a statement that reads many rows they take the values of the gate from
   * subqueries, each evaluated once: PostgreSQL does not parallelize a query that refers to an outer query. An expression
   * that groups rows must not: PostgreSQL 15 to 17 would not recognize its repetition.
   */
  conditions<Result>(compile: () => Result): Result {
    if (this.#gate !== "APART" || this.#inConditions) return compile();
    this.#inConditions = true;
    try {
      return compile();
    } finally {
      this.#inConditions = false;
    }
  }

  #gateInScope(): boolean {
    return this.#gate !== "ABOVE" && !this.#inConditions;
  }

  /** Makes the gate compute a value of the user row; returns SQL for it where the gate is in scope. */
  #userColumn(name: string, sql: string): string {
    const quoted = quoteIdentifier(name);
    this.#userColumns.set(quoted, sql);
    return `gate.${quoted}`;
  }

  /**
   * Returns SQL for the caller's time zone: the user's own, else the setting `system.timezone`, else the header
   * `X-Service-Timezone`, else UTC (docs/data-api.md#time-zones).
   */
  timeZoneSql(): string {
    const column = this.#users?.columnByName("time_zone");
    const fallback = this.place({ kind: "TIME_ZONE" });
    if (column === undefined) return fallback;
    const own = `u.${quoteIdentifier(column.name)}`;
    const zone = `coalesce(case pg_catalog.lower(${own} collate pg_catalog."C") ${abbreviationsSql} else ${own} end, ${fallback})`;
    const name = this.#userColumn("$ZONE", zone);
    return this.#gateInScope() ? name : `(select ${name} from gate)`;
  }

  /** Returns SQL for a variable of a grant; null for a user column that has been deleted. */
  placeGrantVariable(variable: Variable, type: ColumnType): string {
    const isGone =
      variable.kind === "USER" && this.#users?.columnByName(variable.column) === undefined;
    return isGone ? `null::${type.plain}` : this.placeVariable(variable, type);
  }

  /** Returns the select list of the columns of the user row `u` that the gate provides. */
  userColumnsSql(): string {
    return [...this.#userColumns].map(([name, sql]) => `, ${sql} as ${name}`).join("");
  }

  /** Returns the names of the gate's columns of the user row. */
  userColumnNames(): string[] {
    return [...this.#userColumns.keys()];
  }

  /**
   * Returns the condition that one of the grants' filters matches; null if every row is granted. Administrators wrote
   * the filters, so these may name any column and need no guard.
   */
  grantRowsSql(
    filters: readonly ParsedFilter[] | null,
    relation: Relation,
    alias: string,
  ): string | null {
    if (filters === null) return null;
    if (filters.length === 0) return "false";
    const parts = filters.map((filter) => this.grantFilterSql(filter, relation, alias));
    return parts.length === 1 ? (parts[0] ?? "false") : `(${parts.join(" or ")})`;
  }

  /** Returns the condition that one of the grants allows a row; null if every row is granted. */
  grantedSql(grants: readonly EffectiveGrant[], relation: Relation, alias: string): string | null {
    return this.grantRowsSql(mergedFilters(grants, relation, this.#catalogue), relation, alias);
  }

  /**
   * Compiles a filter of a grant.
   *
   * @param sqlOf returns SQL for a column of the row; by default the column of the relation under its alias
   */
  grantFilterSql(
    parsed: ParsedFilter,
    relation: Relation,
    alias: string,
    sqlOf: (column: Column) => string = (column) => columnSql(column, alias),
  ): string {
    return compileFilter(
      parsed.filter,
      grantContext(this.#grantStatement, parsed, relation, sqlOf),
    );
  }
}

/**
 * Returns SQL for the data of a read and its size in bytes. PostgreSQL returns null in place of data that exceeds the
 * current limit of the request, so such data never reaches this process.
 */
export function sizedSql(data: string, builder: StatementBuilder): string {
  const max = builder.place({ kind: "BYTES_MAX" }, builtInType("bigint"));
  const size = `pg_catalog.octet_length(${data})`;
  return `case when ${size} <= ${max} then ${data} end as data, ${size}::text as size`;
}

/**
 * SQLSTATE of a write whose data is too large. `width_bucket` with zero buckets raises it; no other part of a compiled
 * statement calls that function.
 */
export const tooLargeState = "2201G";

/** Returns SQL for the data of a write. If the data is too large, an error undoes the statement. */
export function boundedSql(data: string, builder: StatementBuilder): string {
  return `(select case ${boundCase("a.data", builder)} else a.data end from (select ${data} as data offset 0) a)`;
}

/** Returns the branch of a CASE expression that raises an error if the data of a write is too large. */
export function boundCase(data: string, builder: StatementBuilder): string {
  const max = builder.place({ kind: "BYTES_MAX" }, builtInType("bigint"));
  const size = `pg_catalog.octet_length(${data})`;
  // The number of buckets depends on the data, because the planner evaluates constants and would raise the error for
  // every write.
  return `when ${size} > ${max} then pg_catalog.width_bucket(1::float8, 1, 2, ${size} * 0)::text`;
}

/** Creates the error for a response that exceeds the limit. */
export function answerTooLarge(isWrite: boolean, cause?: unknown): AppError {
  const way = isWrite
    ? "send Prefer: return=minimal, or write fewer rows at once"
    : "ask for fewer rows or fields, or for an export (Accept: application/x-ndjson)";
  return createError("QUERY_INVALID", {
    message: `The answer exceeds data.max_response_bytes: ${way}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
