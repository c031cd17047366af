import { writeQuery } from "../request/query.ts";
import type { ChangeOf, KeyOf, KeyValue, NewOf, WrittenOf } from "../types/resource.ts";
import { affectedQuery, keySegment } from "./address.ts";
import type { BatchWrite } from "./batch.ts";
import { type KeyWithReferences, keyWithReferences, type WithReferences } from "./reference.ts";
import type {
  Affected,
  ConflictOptions,
  RowOptions,
  Written,
  WrittenRows,
} from "./write-options.ts";

type Match = Pick<RowOptions, "ifMatch">;

/** Writes of one table for `client.batch`. Values and keys may be references to earlier results, at the places `P`. */
export class RowWrites<R, N extends keyof R> {
  readonly #path: string;

  /** @param path of the table, encoded */
  constructor(path: string) {
    this.#path = path;
  }

  /** Creates one row, or a list of rows. */
  create<P extends string = never>(
    data: readonly WithReferences<NewOf<R, N>, P>[],
    options?: ConflictOptions<R, N>,
  ): BatchWrite<WrittenRows<WrittenOf<R, N>>, P>;
  create<P extends string = never, S extends "merge" | "ignore" | undefined = undefined>(
    data: WithReferences<NewOf<R, N>, P>,
    options?: ConflictOptions<R, N, S>,
  ): BatchWrite<Written<WrittenOf<R, N>, undefined, S>, P>;
  create(
    data: unknown,
    { onConflict, resolution }: ConflictOptions<R, N> = {},
  ): BatchWrite<never, never> {
    const query = writeQuery([
      ["on_conflict", onConflict?.join()],
      ["resolution", resolution],
    ]);
    return { method: "POST", path: `${this.#path}${query}`, data };
  }

  /** Updates one row. */
  update<P extends string = never>(
    key: KeyWithReferences<KeyOf<R, N>, P>,
    change: WithReferences<ChangeOf<R, N>, P>,
    options: Match = {},
  ): BatchWrite<Written<WrittenOf<R, N>>, P> {
    return { method: "PATCH", path: this.#rowPath(key), data: change, ...options };
  }

  /** Updates the rows that match a filter, or fails if they are more than `maxAffected`. */
  updateMany<const W, P extends string = never>(
    affected: Affected<R, N, W>,
    change: WithReferences<ChangeOf<R, N>, P>,
  ): BatchWrite<WrittenRows<WrittenOf<R, N>>, P> {
    return { method: "PATCH", path: this.#manyPath(affected), data: change };
  }

  /** Deletes one row. */
  remove<P extends string = never>(
    key: KeyWithReferences<KeyOf<R, N>, P>,
    options: Match = {},
  ): BatchWrite<Record<never, never>, P> {
    return { method: "DELETE", path: this.#rowPath(key), ...options };
  }

  /** Deletes the rows that match a filter, or fails if they are more than `maxAffected`. */
  removeMany<const W>(affected: Affected<R, N, W>): BatchWrite<Record<never, never>, never> {
    return { method: "DELETE", path: this.#manyPath(affected) };
  }

  #rowPath(key: unknown): string {
    const segment = keyWithReferences(key) ?? keySegment(key as KeyValue | readonly KeyValue[]);
    return `${this.#path}/${segment}`;
  }

  #manyPath<W>(affected: Affected<R, N, W>): string {
    return `${this.#path}${writeQuery(affectedQuery(affected))}`;
  }
}
