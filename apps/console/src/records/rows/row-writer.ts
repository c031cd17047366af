import { writeName } from "@rowhouse/access/written-name";
import { RowhouseError } from "@rowhouse/client";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import {
  addressOf,
  keysFilter,
  type Row,
  type RowKey,
  readableColumns,
} from "../model/resource.ts";
import { rowsByKey } from "./load-rows.ts";
import type { GridRow, RowStore } from "./row-store.ts";

/** A change of one row. */
export interface RowChange {
  readonly row: GridRow;
  /** The columns to change with their new values. */
  readonly after: Row;
}

/** A change that was written: what the columns had, and what they have now. */
export interface WrittenChange {
  readonly key: RowKey;
  readonly before: Row;
  readonly after: Row;
}

/** A row that another person has changed since it was read. */
export class RowConflict extends Error {
  override readonly name = "RowConflict";

  /** The row as it was read, and the change. */
  readonly change: RowChange;
  /** The row as it is now; null if it is gone, or this person no longer sees it. */
  readonly current: GridRow | null;
  /** The changes of other rows that were not written because of this one. */
  readonly others: readonly RowChange[];

  constructor(change: RowChange, current: GridRow | null, others: readonly RowChange[] = []) {
    super("Another person has changed the row");
    this.change = change;
    this.current = current;
    this.others = others;
  }
}

/** A change of many rows that failed after some of them were written. */
export class PartialChange extends Error {
  override readonly name = "PartialChange";
  readonly written: readonly WrittenChange[];

  constructor(written: readonly WrittenChange[], cause: unknown) {
    super("Only some of the rows were changed", { cause });
    this.written = written;
  }
}

/** Writes in one transaction, as the service allows. */
const batchMax = 100;

/** Writes to one resource, and keeps the rows of the grid up to date. */
export class RowWriter {
  readonly #resource: NavigationResource;
  readonly #fields: readonly string[];
  readonly #store: RowStore;

  constructor(resource: NavigationResource, fields: readonly string[], store: RowStore) {
    this.#resource = resource;
    this.#fields = fields;
    this.#store = store;
  }

  /**
   * Changes rows, each only if it is as it was read: all, or none. More than 100 rows are written in several
   * transactions.
   *
   * @throws RowConflict if one was changed since; RowhouseError for any other refusal; PartialChange if earlier
   * transactions of the same change were committed
   */
  async change(changes: readonly RowChange[]): Promise<readonly WrittenChange[]> {
    const { writes } = client.from(addressOf(this.#resource));
    const written: WrittenChange[] = [];
    for (let from = 0; from < changes.length; from += batchMax) {
      const some = changes.slice(from, from + batchMax);
      const before = await this.#beforeOf(some);
      let results: readonly { readonly row: Row | null }[];
      try {
        results = await client.batch(
          some.map(({ row, after }) => writes.update(keyOrThrow(row), after, tagOf(row))),
        );
      } catch (error) {
        const reason = (await this.#conflictIn(changes.slice(from), error)) ?? error;
        throw written.length === 0 ? reason : new PartialChange(written, reason);
      }
      const done = some.map((change, index) =>
        this.#written(change, before[index] ?? {}, results[index]?.row ?? {}),
      );
      await this.#show(some, done);
      written.push(...done);
    }
    return written;
  }

  /** Creates rows and adds them to the grid. @throws RowhouseError */
  async create(rows: readonly Row[]): Promise<readonly GridRow[]> {
    const created = await client.from(addressOf(this.#resource)).create(rows);
    const keys = created.rows.map((row) =>
      this.#resource.primaryKey.map((name) => String(row[name])),
    );
    const hasKeys = this.#resource.primaryKey.length > 0 && keys.length > 0;
    const read = hasKeys ? await rowsByKey(this.#resource, this.#fields, keys) : [];
    const marked = read.map((row): GridRow => ({ ...row, mark: "NEW" }));
    if (hasKeys) this.#store.insert(marked);
    else this.#store.refresh();
    return marked;
  }

  /** Deletes rows, or none if one of them is gone. @throws RowhouseError */
  async remove(rows: readonly GridRow[]): Promise<void> {
    const keys = rows.map(keyOrThrow);
    const [only] = rows;
    const from = client.from(addressOf(this.#resource));
    if (rows.length === 1 && only !== undefined) await from.remove(keyOrThrow(only), tagOf(only));
    else
      await from.removeMany({ where: keysFilter(this.#resource, keys), maxAffected: keys.length });
    this.#store.remove(new Set(rows.map(({ id }) => id)));
  }

  /**
   * Changes every row that a filter matches, in one statement. It cannot be undone.
   *
   * @param count the number that the person has confirmed; if more rows match, none is changed
   */
  async changeMatching(where: Row | undefined, after: Row, count: number): Promise<void> {
    await client
      .from(addressOf(this.#resource))
      .updateMany({ where: where ?? this.#everyRow(), maxAffected: count }, after, {
        returning: "minimal",
      });
    this.#store.refresh();
  }

  /** Deletes every row that a filter matches, or none if they are more than the person has confirmed. */
  async removeMatching(where: Row | undefined, count: number): Promise<void> {
    const affected = { where: where ?? this.#everyRow(), maxAffected: count };
    await client.from(addressOf(this.#resource)).removeMany(affected);
    this.#store.refresh();
  }

  #everyRow(): Row {
    return { [writeName(this.#resource.primaryKey[0] ?? "")]: { _null: false } };
  }

  /**
   * Reads rows by their keys, as the grid has them.
   *
   * @param names columns that the rows need besides those of the grid
   */
  read(keys: readonly RowKey[], names: readonly string[] = []): Promise<readonly GridRow[]> {
    const readable = readableColumns(this.#resource).filter(({ name }) => names.includes(name));
    const fields = new Set([...this.#fields, ...readable.map(({ name }) => writeName(name))]);
    return rowsByKey(this.#resource, [...fields], keys);
  }

  /** Returns those values of a row that this person can compare: of readable columns, without related rows. */
  comparable(values: Row): Row {
    const names = readableColumns(this.#resource).map(({ name }) => name);
    return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  }

  /** Returns the values that the changed columns have before the change; rows of the grid have only those it shows. */
  async #beforeOf(changes: readonly RowChange[]): Promise<readonly Row[]> {
    const namesOf = ({ after }: RowChange) => Object.keys(this.comparable(after));
    const isPart = changes.some((change) =>
      namesOf(change).some((name) => !(name in change.row.values)),
    );
    const names = changes.flatMap(namesOf);
    const read = isPart
      ? await this.read(
          changes.map(({ row }) => keyOrThrow(row)),
          names,
        )
      : [];
    const byId = new Map(read.map(({ id, values }) => [id, values]));
    // The tag of the row ensures that what is read here is what the change replaces.
    return changes.map((change) => {
      const values = { ...byId.get(change.row.id), ...change.row.values };
      return Object.fromEntries(namesOf(change).map((name) => [name, values[name]]));
    });
  }

  /** @param stored the row as the service has stored it, whose values may be written otherwise than those sent */
  #written({ row, after }: RowChange, before: Row, stored: Row): WrittenChange {
    const all = { ...after, ...stored };
    const key = this.#resource.primaryKey.map((name, index) =>
      String(name in after ? all[name] : row.key?.[index]),
    );
    return {
      key,
      before,
      after: Object.fromEntries(Object.keys(after).map((name) => [name, all[name]])),
    };
  }

  /** The rows are read again: the service may have stored other values than those sent, and each has a new tag. */
  async #show(changes: readonly RowChange[], written: readonly WrittenChange[]): Promise<void> {
    const read = await this.read(written.map(({ key }) => key));
    const byId = new Map(read.map((row) => [row.id, row]));
    const shown = changes.map(({ row, after }, index): [string, GridRow] => {
      const now = byId.get(JSON.stringify(written[index]?.key));
      // A row that left this person's sight stays until the next refresh, and cannot be changed.
      const gone: GridRow = {
        ...{ id: row.id, key: null, etag: undefined },
        values: { ...row.values, ...after },
      };
      return [row.id, { ...(now ?? gone), mark: "EDITED" }];
    });
    this.#store.replace(new Map(shown));
  }

  /** Finds the row of a conflict among the changes that were not written, which begin with those of the failed batch. */
  async #conflictIn(left: readonly RowChange[], error: unknown): Promise<RowConflict | null> {
    const isGone = error instanceof RowhouseError && error.status === 404;
    if (!(error instanceof RowhouseError) || !(isGone || error.status === 412)) return null;
    const changes = left.slice(0, batchMax);
    // Both versions are shown, also of a column that the grid hides.
    const names = changes.flatMap(({ after }) => Object.keys(after));
    const keys = changes.map(({ row }) => keyOrThrow(row));
    const read = await this.read(keys, names);
    for (const change of changes) {
      const current = read.find(({ id }) => id === change.row.id) ?? null;
      if (current === null || current.etag !== change.row.etag) {
        const others = left.filter((one) => one !== change);
        return new RowConflict(change, current, others);
      }
    }
    return null;
  }
}

function keyOrThrow(row: GridRow): RowKey {
  if (row.key === null) throw new TypeError("A row without a key cannot be changed");
  return row.key;
}

function tagOf({ etag }: GridRow): { readonly ifMatch?: string } {
  return etag === undefined ? {} : { ifMatch: etag };
}
