import type { Database } from "@rowhouse/db";

/** A question of a person at work, the request that answers it, and SQL written from the question alone. */
export interface Question {
  readonly question: string;
  /** The reader may read every table; the clerk has row filters and lists of fields. By default the reader. */
  readonly as?: "clerk";
  /** By default GET. The answer to HEAD is a count; the answer to DELETE the count or, if requested, the rows. */
  readonly method?: "HEAD" | "DELETE";
  /** Table and query. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns a further request, made with the answer to the first one. */
  // biome-ignore lint/suspicious/noExplicitAny: each question has rows of its own shape.
  readonly next?: (rows: any) => string;
  /** Whether the rows have no order, as those of a DELETE. */
  readonly isUnordered?: true;
  readonly sql: string;
}

export interface Grant {
  readonly fields?: readonly string[];
  readonly rowFilter?: object;
}

/** A public sample database and twenty questions on it. */
export interface World {
  readonly name: string;
  readonly schema: string;
  readonly load: (database: Database) => Promise<void>;
  /** Tables whose rows both users may delete, within what they may read. */
  readonly deletable: readonly string[];
  /** What the clerk may read, by table. */
  readonly clerk: Readonly<Record<string, Grant>>;
  /** The same restriction in SQL: the clerk's tables, in a WITH clause before the SQL of the clerk's questions. */
  readonly clerkSql: string;
  readonly questions: readonly Question[];
}
