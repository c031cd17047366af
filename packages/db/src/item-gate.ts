/**
 * SQL with which a statement checks each of its items, for instance the caller that it is for. There is one object for
 * each text.
 */
export interface ItemGate {
  /** The types of the values that an item proves. */
  readonly types: readonly string[];
  /** An item of FROM with one row, `gate`, which the statement reads once for all items. */
  readonly from: string;
  /**
   * Returns a query, for a LATERAL item of FROM, with one row for a proven item, otherwise none. It ends with a limit:
   * without one, the planner would join whole tables while they are small, and keep that plan.
   *
   * @param columns SQL of the values, in the order of `types`
   */
  readonly sql: (columns: readonly string[]) => string;
}

/** What an item must prove. */
export interface ItemProof {
  readonly gate: ItemGate;
  readonly values: readonly string[];
}
