import { writeQuery } from "../request/query.ts";
import type { ChangeOf, KeyOf, KeyValue, NewOf, WrittenOf } from "../types/resource.ts";
import { affectedQuery, keySegment } from "./address.ts";
import type { BatchWrite } from "./batch.ts";
import { type KeyWithReferences, keyWithReferences, type WithReferences } from "./reference.ts";
import type { Affected, CreateOptions, RowOptions, Written, WrittenRows } from "./write-options.ts";

type ConflictOptions = Pick<CreateOptions, "onConflict" | "resolution">;
type MatchOptions = Pick<RowOptions, "ifMatch">;

/** A written row with its tag for `ifMatch`. */
export type BatchedRow<Row> = Written<Row> & { readonly etag?: string };

/** Writes of one table for `client.batch`. Values and keys may be references to earlier results. */
export class RowWrites<R, N extends keyof R> {
  readonly #path: string;

  /** @param path of the table, encoded */
  constructor(path: string) {
    this.#path = path;
  }

  /** Creates one row, or a list of rows. */
  create(
    data: readonly WithReferences<NewOf<R, N>>[],
    options?: ConflictOptions,
  ): BatchWrite<WrittenRows<WrittenOf<R, N>>>;
  create(
    data: WithReferences<NewOf<R, N>>,
    options?: ConflictOptions,
  ): BatchWrite<BatchedRow<WrittenOf<R, N>>>;
  create(data: unknown, { onConflict, resolution }: ConflictOptions = {}): BatchWrite<never> {
    const query = writeQuery([
      ["on_conflict", onConflict?.join()],
      ["resolution", resolution],
    ]);
    return { method: "POST", path: `${this.#path}${query}`, data };
  }

  /** Updates one row. */
  update(
    key: KeyWithReferences<KeyOf<R, N>>,
    change: WithReferences<ChangeOf<R, N>>,
    options: MatchOptions = {},
  ): BatchWrite<BatchedRow<WrittenOf<R, N>>> {
    return { method: "PATCH", path: this.#rowPath(key), data: change, ...options };
  }

  /** Updates the rows that match a filter, or fails if they are more than `maxAffected`. */
  updateMany(
    affected: Affected<R, N>,
    change: WithReferences<ChangeOf<R, N>>,
  ): BatchWrite<WrittenRows<WrittenOf<R, N>>> {
    return { method: "PATCH", path: this.#manyPath(affected), data: change };
  }

  /** Deletes one row. */
  remove(
    key: KeyWithReferences<KeyOf<R, N>>,
    options: MatchOptions = {},
  ): BatchWrite<Record<never, never>> {
    return { method: "DELETE", path: this.#rowPath(key), ...options };
  }

  /** Deletes the rows that match a filter, or fails if they are more than `maxAffected`. */
  removeMany(affected: Affected<R, N>): BatchWrite<Record<never, never>> {
    return { method: "DELETE", path: this.#manyPath(affected) };
  }

  #rowPath(key: unknown): string {
    const segment = keyWithReferences(key) ?? keySegment(key as KeyValue | readonly KeyValue[]);
    return `${this.#path}/${segment}`;
  }

  #manyPath(affected: Affected<R, N>): string {
    return `${this.#path}${writeQuery(affectedQuery(affected))}`;
  }
}
