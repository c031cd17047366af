/** What belongs to other tools: the service creates, alters and drops none of it. */
export interface Elsewhere {
  /** Patterns of tables, views and types, as the root file has them: `billing.*`, `*.flyway_schema_history`. */
  readonly patterns: readonly string[];
  /** What the last applied documents say, by path. */
  readonly documents: Readonly<Record<string, ElsewhereDocument>>;
}

export interface ElsewhereDocument {
  /** Whether the whole relation is managed elsewhere. */
  readonly managed: boolean;
  /** The objects of the relation that no document describes, by name. */
  readonly objects: readonly string[];
}

export const nothingElsewhere: Elsewhere = { patterns: [], documents: {} };
