/** A database column whose texts a vault has encrypted. Its parts are SQL from the source code, never input. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** SQL of a text that is unique in the table and from which the context is built. */
  readonly key: string;
  /** SQL of the row's name in reports; never a secret. */
  readonly id: string;
  /** Returns the encryption context of the row with this key. */
  readonly contextOf: (key: string) => string;
}
