/** A column of the database whose texts a vault has sealed. Its parts are SQL of the code's own, and no input. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** A text that no other row of the table has, and that the context is made of. */
  readonly key: string;
  /** What the row is called where it is told of: never a secret. */
  readonly id: string;
  /** What the text of the row with this key is sealed for. */
  readonly contextOf: (key: string) => string;
}
