import type { Visible, VisibleEdge } from "../authorize/visible.ts";
import { findsByIndex } from "./finds-by-index.ts";
import type { GroupedRows } from "./step-sql.ts";

/** Reads the related rows of all rows of a scope in one pass. */
export class OnePass {
  /** The common table expression with the rows of the scope, which is their alias; null for every row of the relation. */
  readonly rows: string | null;
  #expressions = "";

  constructor(rows: string | null) {
    this.rows = rows;
  }

  /** Adds a common table expression that the rows of the scope refer to. */
  add(name: string, sql: string): void {
    this.#expressions += `, ${name} as materialized (${sql})`;
  }

  /**
   * Returns the clause WITH; complete once the rows of the scope have been compiled.
   *
   * @param sql the query of the rows
   */
  withSql(sql: string): string {
    return `with ${this.rows} as materialized (${sql})${this.#expressions} `;
  }

  /** Returns the condition that a related row belongs to a row of the scope; null if every one may. */
  belongsSql(grouped: GroupedRows): string | null {
    if (this.rows === null) return null;
    return `exists (select 1 from ${this.rows} where ${grouped.joins(grouped.alias).join(" and ")})`;
  }
}

/** Returns the pass that reads the related rows of an edge; null if those of each row cost less. */
export function onePassOf(
  { pass, visible }: { readonly pass: OnePass | null; readonly visible: Visible },
  edge: VisibleEdge,
): OnePass | null {
  return pass === null || findsByIndex(edge, visible.relation) ? null : pass;
}
