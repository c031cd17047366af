import {
  bindSlot,
  type CallerPart,
  type CompileFilterContext,
  compileFilter,
  type ParsedFilter,
  type ResolvedField,
  resolveGrantEdges,
  resolveGrantPath,
  type SlotBinding,
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

/** Branches of a `case` over a time zone's name, for those that Postgres reads otherwise than IANA. */
const abbreviationsSql = [...zonesWithoutAbbreviation]
  .map(([name, zone]) => `when '${name}' then '${zone}'`)
  .join(" ");

/** Where a parameter of a compiled statement comes from, each time it runs. */
export type ParameterSource =
  | { readonly kind: "PROOF" }
  | { readonly kind: "VERSION" }
  | { readonly kind: "CALLER"; readonly part: CallerPart }
  /** Who writes an administrative record, with what and from where. */
  | { readonly kind: "ACTOR"; readonly part: "USER" | "TOKEN" | "ADDRESS" | "REQUEST" }
  | { readonly kind: "OFFSET" }
  | { readonly kind: "TIME_ZONE" }
  | { readonly kind: "CURSOR"; readonly index: number }
  | { readonly kind: "CONSTANT"; readonly text: string | null }
  | { readonly kind: "FILTER"; readonly binding: SlotBinding }
  | { readonly kind: "KEY"; readonly index: number; readonly column: Column }
  | { readonly kind: "VALUE"; readonly field: string; readonly column: Column }
  /** A field of all rows of a group, as an array of texts. */
  | {
      readonly kind: "VALUES";
      readonly group: number;
      readonly field: string;
      readonly column: Column;
    }
  /** The number of rows of a group. */
  | { readonly kind: "ROWS"; readonly group: number }
  | { readonly kind: "IF_MATCH" }
  /** Bytes of data that the answer may have. */
  | { readonly kind: "BYTES_MAX" }
  /** The mark of a list that is cut off. */
  | { readonly kind: "CUT_MARK" };

/** Stands for the gate in a statement that reads, until all that the gate must provide is known. */
export const gatePlaceholder = "$GATE$ gate";

/** The alias of the relation that the request names. */
export const rootAlias = "t";

/** A compiled statement: one text for all requests of a shape. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly ParameterSource[];
  /** The relation that the request names. */
  readonly relation: Relation;
  /** The OIDs of every relation that the answer rests on. */
  readonly scope: readonly number[];
  /** Those among them that the request names, and not only a grant's filter. */
  readonly requested: readonly Relation[];
  /** The paths of the to-many relations whose lists may be cut off, by the number in their mark. */
  readonly cuts: readonly string[];
}

/** The columns that the statement needs of the caller's own row of `system.users`. */
interface UserColumns {
  readonly names: Map<string, ColumnType>;
}

/** Collects the parameters of one statement, and what its gate must provide. */
export class StatementBuilder {
  readonly parameters: ParameterSource[] = [];
  readonly #catalogue: Catalogue;
  readonly #users: Relation | undefined;
  readonly #userColumns: UserColumns = { names: new Map() };
  readonly #places = new Map<string, string>();

  readonly #gateInScope: boolean;
  readonly #scope = new Set<number>();
  readonly #requested = new Set<Relation>();
  readonly cuts: string[] = [];
  #aliases = 0;

  /**
   * @param gateInScope whether the gate's row can be named where rows are decided; a write's RETURNING must ask for it
   */
  constructor(catalogue: Catalogue, gateInScope: boolean) {
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

  /** Whether reading a column may raise. */
  isComputed(relation: Relation, column: Column): boolean {
    return this.#catalogue.isComputed(relation, column);
  }

  /** A relation that the request names, in FROM under an alias of its own. */
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
   * A parameter as a value of a type. The same source has one placeholder for each type that it is wanted as: a parameter
   * has one type.
   */
  place(source: ParameterSource, type: ParameterType = builtInType("text")): string {
    const key = `${type.name} ${JSON.stringify(source)}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.parameters.push(source);
    const placed = parameterSql(`$${this.parameters.length}`, type);
    this.#places.set(key, placed);
    return placed;
  }

  /** The value of a literal in the caller's filter. */
  placeSlot(binding: SlotBinding): string {
    return this.place({ kind: "FILTER", binding }, slotType(binding));
  }

  /** The end of a list's JSON text that has more rows than are shown. */
  cutSql(path: string): string {
    const number = this.cuts.push(path) - 1;
    return `(',"' || ${this.place({ kind: "CUT_MARK" })} || '.${number}"]')`;
  }

  /** ` offset n`. */
  offsetSql(): string {
    return ` offset ${this.place({ kind: "OFFSET" }, builtInType("bigint"))}`;
  }

  /** A variable's value, evaluated once a statement. An absent user column is null, and so never true. */
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
    // A cast is in the subquery too, so that it is not made for each row.
    if (column.type.name !== type.name) return `(select ${name}::text::${type.name}${from})`;
    return this.#gateInScope ? name : `(select ${name}${from})`;
  }

  /** The caller's time zone: the user's own, else the instance's, else the one the request names (spec §5.12). */
  timeZoneSql(): string {
    const column = this.#users?.columnByName("time_zone");
    const fallback = this.place({ kind: "TIME_ZONE" });
    if (column === undefined) return fallback;
    const own = this.placeVariable({ kind: "USER", column: column.name }, column.type);
    return `coalesce(case pg_catalog.lower(${own}) ${abbreviationsSql} else ${own} end, ${fallback})`;
  }

  /** A variable of a grant; a user column that is gone since is as empty as one without a value. */
  placeGrantVariable(variable: Variable, type: ColumnType): string {
    const isGone =
      variable.kind === "USER" && this.#users?.columnByName(variable.column) === undefined;
    return isGone ? `null::${type.name}` : this.placeVariable(variable, type);
  }

  /** The columns of the gate beyond its own, of the user row `u`. */
  userColumnsSql(): string {
    return [...this.#userColumns.names.keys()]
      .map((name) => `, u.${quoteIdentifier(name)} as ${quoteIdentifier(`$USER.${name}`)}`)
      .join("");
  }

  /** The names of the gate's columns of the user row. */
  userColumnNames(): string[] {
    return [...this.#userColumns.names.keys()].map((name) => quoteIdentifier(`$USER.${name}`));
  }

  /**
   * The condition of a grant's filters, of which one must match; null where every row does. Administrators wrote them:
   * they name any column and need no guard.
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

  /** @param sqlOf how a column of the row at hand is written, where not as one of the relation's own row */
  grantFilterSql(
    parsed: ParsedFilter,
    relation: Relation,
    alias: string,
    sqlOf: (column: Column) => string = (column) => columnSql(column, alias),
  ): string {
    return compileFilter(parsed.filter, this.#grantContext(parsed, relation, sqlOf));
  }

  /** A grant's paths cross relations without grants of their own: administrators wrote them. */
  #grantContext(
    parsed: ParsedFilter,
    relation: Relation,
    sqlOf: (column: Column) => string,
  ): CompileFilterContext {
    const field = (column: Column, sql: string): ResolvedField => ({
      sql,
      type: column.type,
      visibleSql: null,
      raises: false,
      guard: (condition) => condition,
    });
    return {
      resolveField: (name) => {
        const path = resolveGrantPath(this.#catalogue, relation, name);
        if (path === undefined) throw new TypeError("A grant's filter has lost a column");
        const { edges, column } = path;
        if (edges.length === 0) return field(column, sqlOf(column));
        const hops = this.#follow(edges, relation, sqlOf);
        const single = edges.every(({ kind }) => kind === "ONE");
        return {
          ...field(column, columnSql(column, hops.alias)),
          relate: (condition, positive) =>
            hops.wrap(condition, single && !positive ? "SCALAR" : "EXISTS"),
        };
      },
      resolveRelation: (name) => {
        const edges = resolveGrantEdges(this.#catalogue, relation, name);
        const target = edges?.at(-1)?.target;
        if (edges === undefined || target === undefined) {
          throw new TypeError("A grant's filter has lost a relation");
        }
        const hops = this.#follow(edges, relation, sqlOf);
        return {
          inner: this.#grantContext(parsed, target, (column) => columnSql(column, hops.alias)),
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

  #follow(
    edges: readonly Edge[],
    start: Relation,
    sqlOf: (column: Column) => string,
  ): { readonly alias: string; wrap(condition: string, form: "EXISTS" | "SCALAR"): string } {
    const hops: { readonly from: string; readonly join: string }[] = [];
    let relation = start;
    let write = sqlOf;
    let last = "";
    for (const edge of edges) {
      const { sql, alias } = this.#name(edge.target);
      const joins = joinConditions(edge, alias, relation, write);
      hops.push({ from: sql, join: joins.join(" and ") });
      relation = edge.target;
      write = (column) => columnSql(column, alias);
      last = alias;
    }
    return {
      alias: last,
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

/**
 * The conditions under which a row is the one, or one of those, that an edge leads to.
 *
 * @param alias the name of the target
 * @param sqlOf how a column of the edge's own relation is written
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

/** A column, qualified: an unqualified name in ORDER BY would mean the select list's text form and miss the index. */
export function columnSql(column: Column, alias: string): string {
  return `${alias}.${quoteIdentifier(column.name)}`;
}
