import {
  bindSlot,
  type CallerPart,
  type CompileFilterContext,
  compileFilter,
  type FieldSql,
  type GrantPath,
  type ParsedFilter,
  resolveGrantEdges,
  resolveGrantPath,
  type SlotBinding,
  sharedEdges,
  slotType,
  type Variable,
} from "@rowhouse/access";
import {
  builtInType,
  type Catalogue,
  type Column,
  type ColumnType,
  type Edge,
  joinSql,
  type ParameterType,
  parameterSql,
  quoteIdentifier,
  quoteQualified,
  type Relation,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { zonesWithoutAbbreviation } from "@rowhouse/settings";

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
  | { readonly kind: "CURSOR"; readonly index: number }
  | { readonly kind: "CONSTANT"; readonly text: string | null }
  | { readonly kind: "FILTER"; readonly binding: SlotBinding }
  | { readonly kind: "KEY"; readonly index: number; readonly column: Column }
  | { readonly kind: "VALUE"; readonly field: string; readonly column: Column }
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
  /** Maximum size of the data of the response, in bytes. */
  | { readonly kind: "BYTES_MAX" }
  /** The mark of a truncated list. */
  | { readonly kind: "CUT_MARK" };

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
  /** The paths of the to-many relations whose lists may be truncated, by the number in their mark. */
  readonly cuts: readonly string[];
}

/** The columns that the statement needs of the caller's own row of `system.users`. */
interface UserColumns {
  readonly names: Map<string, ColumnType>;
}

/** The alias of the requests of a shared statement. */
export const membersAlias = "members";

/** Sources whose value is the same in every request of a compiled statement. */
const constantSources: ReadonlySet<ParameterSource["kind"]> = new Set(["CONSTANT", "CUT_MARK"]);

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
  readonly #userColumns: UserColumns = { names: new Map() };
  readonly #places = new Map<string, string>();

  readonly #gateInScope: boolean;
  readonly #isShared: boolean;
  readonly #scope = new Set<number>();
  readonly #requested = new Set<Relation>();
  readonly cuts: string[] = [];
  #aliases = 0;

  /**
   * @param gateInScope whether conditions on rows can name the gate's row; the RETURNING of a write needs a subquery
   * for it
   */
  constructor(catalogue: Catalogue, gateInScope: boolean, form: "SINGLE" | "SHARED" = "SINGLE") {
    this.#isShared = form === "SHARED";
    this.#catalogue = catalogue;
    this.#users = catalogue.relationByName("system", "users");
    this.#gateInScope = gateInScope;
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
    const key = `${type.name} ${JSON.stringify(source)}`;
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
    return this.place({ kind: "FILTER", binding }, slotType(binding));
  }

  /** Returns SQL for the end of the JSON text of a list with more rows than the response shows. */
  cutSql(path: string): string {
    const number = this.cuts.push(path) - 1;
    return `(',"' || ${this.place({ kind: "CUT_MARK" })} || '.${number}"]')`;
  }

  /** Returns ` offset n`. */
  offsetSql(): string {
    return ` offset ${this.place({ kind: "OFFSET" }, builtInType("bigint"))}`;
  }

  /**
   * Returns SQL for a variable's value, which is evaluated once per statement. A user column without a value is null,
   * so a comparison with it is never true.
   *
   * @throws AppError QUERY_INVALID if `system.users` has no such column
   */
  placeVariable(variable: Variable, type: ColumnType): string {
    if (variable.kind === "NOW") return `pg_catalog.now()::${type.name}`;
    if (variable.kind === "PERIOD") throw new TypeError("A period is not a value");
    const column = this.#users?.columnByName(variable.column);
    if (column === undefined) {
      throw createError("QUERY_INVALID", { message: `$USER has no ${variable.column}` });
    }
    this.#userColumns.names.set(column.name, column.type);
    const name = `gate.${quoteIdentifier(`$USER.${column.name}`)}`;
    const from = this.#gateInScope ? "" : " from gate";
    // The subquery contains the cast, so that it does not run for each row.
    if (column.type.name !== type.name) return `(select ${name}::text::${type.name}${from})`;
    return this.#gateInScope ? name : `(select ${name}${from})`;
  }

  /**
   * Returns SQL for the caller's time zone: the user's own, else the setting `system.timezone`, else the header
   * `X-Service-Timezone`, else UTC (docs/data-api.md#time-zones).
   */
  timeZoneSql(): string {
    const column = this.#users?.columnByName("time_zone");
    const fallback = this.place({ kind: "TIME_ZONE" });
    if (column === undefined) return fallback;
    const own = this.placeVariable({ kind: "USER", column: column.name }, column.type);
    return `coalesce(case pg_catalog.lower(${own}) ${abbreviationsSql} else ${own} end, ${fallback})`;
  }

  /** Returns SQL for a variable of a grant; null for a user column that has been deleted. */
  placeGrantVariable(variable: Variable, type: ColumnType): string {
    const isGone =
      variable.kind === "USER" && this.#users?.columnByName(variable.column) === undefined;
    return isGone ? `null::${type.name}` : this.placeVariable(variable, type);
  }

  /** Returns the select list of the columns of the user row `u` that the gate provides. */
  userColumnsSql(): string {
    return [...this.#userColumns.names.keys()]
      .map((name) => `, u.${quoteIdentifier(name)} as ${quoteIdentifier(`$USER.${name}`)}`)
      .join("");
  }

  /** Returns the names of the gate's columns of the user row. */
  userColumnNames(): string[] {
    return [...this.#userColumns.names.keys()].map((name) => quoteIdentifier(`$USER.${name}`));
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
    return compileFilter(parsed.filter, this.#grantContext(parsed, relation, sqlOf));
  }

  /**
   * Creates the resolver of a grant's filter. Administrators wrote the filter, so its paths cross relations without
   * grants on them.
   */
  #grantContext(
    parsed: ParsedFilter,
    relation: Relation,
    sqlOf: (column: Column) => string,
  ): CompileFilterContext {
    const resolve = (name: string): GrantPath => {
      const path = resolveGrantPath(this.#catalogue, relation, name);
      if (path === undefined) throw new TypeError("A grant's filter has lost a column");
      return path;
    };
    return {
      field: (name) => {
        const { edges, column } = resolve(name);
        const hops = this.#follow(edges, relation, sqlOf);
        const own: FieldSql = {
          sql: hops.sqlOf(edges.length, column),
          type: column.type,
          visibleSql: null,
          raises: false,
          guard: (condition) => condition,
          beside: (other) => {
            const path = resolve(other);
            const shared = sharedEdges(edges, path.edges);
            const rest = path.edges.slice(shared);
            if (rest.some(({ kind }) => kind === "MANY")) return undefined;
            const start = edges[shared - 1]?.target ?? relation;
            const further = this.#follow(rest, start, (from) => hops.sqlOf(shared, from));
            const sql = further.wrap(further.sqlOf(rest.length, path.column), "SCALAR");
            return { sql, type: path.column.type };
          },
        };
        if (edges.length === 0) return own;
        const single = edges.every(({ kind }) => kind === "ONE");
        return {
          ...own,
          relate: (condition, positive) =>
            hops.wrap(condition, single && !positive ? "SCALAR" : "EXISTS"),
        };
      },
      relation: (name) => {
        const edges = resolveGrantEdges(this.#catalogue, relation, name);
        const target = edges?.at(-1)?.target;
        if (edges === undefined || target === undefined) {
          throw new TypeError("A grant's filter has lost a relation");
        }
        const hops = this.#follow(edges, relation, sqlOf);
        return {
          inner: this.#grantContext(parsed, target, (column) => hops.sqlOf(edges.length, column)),
          exists: (condition) => hops.wrap(condition, "EXISTS"),
        };
      },
      placeSlot: (binding) => {
        const slot = parsed.slots[binding.slot];
        if (slot === undefined) throw new TypeError("A grant's filter has lost a literal");
        const constant = { kind: "CONSTANT", text: bindSlot(binding, slot) } as const;
        return this.place(constant, slotType(binding));
      },
      placeVariable: (variable, type) => this.placeGrantVariable(variable, type),
      timeZoneSql: () => this.timeZoneSql(),
      code: "BODY_INVALID",
    };
  }

  #follow(edges: readonly Edge[], start: Relation, sqlOf: (column: Column) => string): Hops {
    const hops: { readonly from: string; readonly join: string }[] = [];
    const writers = [sqlOf];
    let relation = start;
    let write = sqlOf;
    for (const edge of edges) {
      const { sql, alias } = this.#name(edge.target);
      const joins = joinConditions(edge, alias, relation, write);
      hops.push({ from: sql, join: joins.join(" and ") });
      relation = edge.target;
      write = (column) => columnSql(column, alias);
      writers.push(write);
    }
    return {
      sqlOf: (passed, column) => (writers[passed] ?? write)(column),
      wrap: (condition, form) =>
        hops.reduceRight(
          (inner, { from, join }) =>
            form === "EXISTS"
              ? `exists (select 1 from ${from} where ${join} and ${inner})`
              : `(select ${inner} from ${from} where ${join})`,
          condition,
        ),
    };
  }
}

/** The relations of a path in a grant's filter. */
interface Hops {
  /** SQL for a column of the relation that a number of the path's edges lead to. */
  sqlOf(passed: number, column: Column): string;
  wrap(condition: string, form: "EXISTS" | "SCALAR"): string;
}

/**
 * Returns the conditions that join a row to the rows to which an edge refers.
 *
 * @param alias the alias of the target
 * @param sqlOf returns SQL for a column of the edge's own relation
 */
export function joinConditions(
  { columns, target }: Edge,
  alias: string,
  own: Relation,
  sqlOf: (column: Column) => string,
): string[] {
  return columns.flatMap(([name, other]) => {
    const [from, to] = [own.columnByName(name), target.columnByName(other)];
    if (from === undefined || to === undefined) return [];
    const there = { sql: columnSql(to, alias), type: to.type };
    return [joinSql(there, { sql: sqlOf(from), type: from.type })];
  });
}

/**
 * Returns the qualified name of a column. An unqualified name in ORDER BY would refer to the text form in the select
 * list and miss the index.
 */
export function columnSql(column: Column, alias: string): string {
  return `${alias}.${quoteIdentifier(column.name)}`;
}
