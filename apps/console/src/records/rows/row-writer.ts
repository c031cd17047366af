import { writeName } from "@rowhouse/access/written-name";
import { type BatchWrite, RowhouseError, ref } from "@rowhouse/client";
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
import {
  PartialWrite,
  type RecordLines,
  type RowChange,
  RowConflict,
  type RowWrites,
  type WrittenChange,
  type WrittenRows,
} from "./row-writes.ts";

/** Writes in one transaction, as the service allows. */
const batchMax = 100;

/** The result of a write of one row. */
interface Result {
  readonly row?: Row | null;
  readonly etag?: string;
}

/** One write of a batch: of a change, of the values of a new row, or of a row to delete. */
interface Step {
  readonly write: BatchWrite<Result>;
  readonly change?: RowChange;
  readonly values?: Row;
  readonly removed?: GridRow;
}

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
   * Writes rows, each only if it is as it was read: all, or none. More than 100 writes are made in several transactions.
   *
   * @throws RowConflict if a row was changed since; RowhouseError for any other refusal; PartialWrite if earlier
   * transactions of the same call were committed
   */
  async write({
    changes = [],
    creates = [],
    removes = [],
    lines,
  }: RowWrites): Promise<WrittenRows> {
    const { writes } = client.from(addressOf(this.#resource));
    const steps: readonly Step[] = [
      ...changes.map((change): Step => {
        const { row, after } = change;
        return { write: writes.update(keyOrThrow(row), after, tagOf(row)), change };
      }),
      ...creates.map((values): Step => ({ write: writes.create(values), values })),
      ...removes.map(
        (removed): Step => ({
          write: writes.remove(keyOrThrow(removed), tagOf(removed)),
          removed,
        }),
      ),
    ];
    let written: WrittenRows = { changes: [], rows: [], values: [] };
    const count = Math.max(steps.length, lines === undefined ? 0 : 1);
    for (let from = 0; from < count; from += batchMax) {
      try {
        const done = await this.#writeSome(steps.slice(from, from + batchMax), lines);
        written = {
          changes: [...written.changes, ...done.changes],
          rows: [...written.rows, ...done.rows],
          values: [...written.values, ...done.values],
        };
      } catch (error) {
        const reason = (await this.#conflictIn(steps.slice(from), error, lines)) ?? error;
        throw from === 0 ? reason : new PartialWrite(written, reason);
      }
    }
    return written;
  }

  async #writeSome(steps: readonly Step[], lines?: RecordLines): Promise<WrittenRows> {
    const changes = steps.flatMap(({ change }) => change ?? []);
    const before = await this.#beforeOf(changes);
    lines?.onSend?.(steps.length);
    const results: readonly Result[] = await client.batch([
      ...steps.map(({ write }) => write),
      ...batchOfLines(lines, steps[0]),
    ]);
    passWritten(lines, results.slice(steps.length));
    // The changes are the first of the steps.
    const done = changes.map((change, index) =>
      this.#written(change, before[index] ?? {}, results[index]?.row ?? {}),
    );
    await this.#show(changes, done);
    const created = steps.flatMap(({ values }, index) =>
      values === undefined ? [] : [{ values, row: results[index]?.row ?? {} }],
    );
    const rows = await this.#showCreated(
      created.map(({ row }) => row),
      (added) => this.#store.append(added),
    );
    this.#store.remove(new Set(steps.flatMap(({ removed }) => removed?.id ?? [])));
    return { changes: done, rows, values: created.map(({ values }) => values) };
  }

  /** Creates rows and adds them at the start of the grid. @param lines of the only row @throws RowhouseError */
  async create(values: readonly Row[], lines?: RecordLines): Promise<WrittenRows> {
    const from = client.from(addressOf(this.#resource));
    const created =
      lines === undefined ? await from.create(values) : await this.#createWith(values, lines);
    const rows = await this.#showCreated(created.rows, (added) => this.#store.insert(added));
    return { changes: [], rows, values };
  }

  async #createWith(
    [values = {}]: readonly Row[],
    lines: RecordLines,
  ): Promise<{ readonly rows: readonly Row[] }> {
    const step: Step = {
      write: client.from(addressOf(this.#resource)).writes.create(values),
      values,
    };
    lines.onSend?.(1);
    const [result, ...others]: readonly Result[] = await client.batch([
      step.write,
      ...batchOfLines(lines, step),
    ]);
    passWritten(lines, others);
    return { rows: result?.row ? [result.row] : [] };
  }

  /** Reads created rows, which may have more than they were sent, and adds them to the grid. */
  async #showCreated(
    created: readonly Row[],
    add: (rows: readonly GridRow[]) => void,
  ): Promise<readonly GridRow[]> {
    if (created.length === 0) return [];
    const { primaryKey } = this.#resource;
    if (primaryKey.length === 0) {
      this.#store.refresh();
      return [];
    }
    const keys = created.map((row) => primaryKey.map((name) => String(row[name])));
    const read = await this.read(keys);
    const byId = new Map(read.map((row) => [row.id, row]));
    const rows = keys.flatMap((key): readonly GridRow[] => {
      const row = byId.get(JSON.stringify(key));
      return row === undefined ? [] : [{ ...row, mark: "NEW" }];
    });
    add(rows);
    return rows;
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

  /** Finds the row of a conflict among the steps that were not made, which begin with those of the failed batch. */
  async #conflictIn(
    left: readonly Step[],
    error: unknown,
    lines: RecordLines | undefined,
  ): Promise<RowConflict | null> {
    const isGone = error instanceof RowhouseError && error.status === 404;
    if (!(error instanceof RowhouseError) || !(isGone || error.status === 412)) return null;
    const changes = left.slice(0, batchMax).flatMap(({ change }) => change ?? []);
    // Both versions are shown, also of a column that the grid hides.
    const names = changes.flatMap(({ after }) => Object.keys(after));
    const keys = changes.map(({ row }) => keyOrThrow(row));
    const read = await this.read(keys, names);
    for (const change of changes) {
      const current = read.find(({ id }) => id === change.row.id) ?? null;
      if (current === null || current.etag !== change.row.etag) {
        return new RowConflict(change, current, {
          changes: left.flatMap((step) => step.change ?? []).filter((one) => one !== change),
          creates: left.flatMap(({ values }) => (values === undefined ? [] : [values])),
          removes: left.flatMap(({ removed }) => removed ?? []),
          ...(lines === undefined ? {} : { lines }),
        });
      }
    }
    return null;
  }
}

/** @param own the write of the record in the same batch, which comes first; undefined for a record that stays as it is */
function batchOfLines(
  lines: RecordLines | undefined,
  own: Step | undefined,
): readonly BatchWrite<Result>[] {
  return (lines?.writes ?? []).map((line) => {
    const { writes } = client.from(addressOf(line.target));
    if (line.kind === "CHANGE") {
      return writes.update(keyOrThrow(line.row), line.after, tagOf(line.row));
    }
    if (line.kind === "REMOVE") return writes.remove(keyOrThrow(line.row), tagOf(line.row));
    const parent = line.pairs.map(({ from, to }) => {
      const isNew =
        own?.values !== undefined || (own?.change !== undefined && from in own.change.after);
      return [to, isNew ? ref(0, from) : lines?.record?.values[from]] as const;
    });
    return writes.create({ ...line.values, ...Object.fromEntries(parent) });
  });
}

function passWritten(lines: RecordLines | undefined, results: readonly Result[]): void {
  for (const [index, { onWritten }] of (lines?.writes ?? []).entries()) {
    const { row, etag } = results[index] ?? {};
    if (row) onWritten?.(row, etag);
  }
}

function keyOrThrow(row: GridRow): RowKey {
  if (row.key === null) throw new TypeError("A row without a key cannot be changed");
  return row.key;
}

function tagOf({ etag }: GridRow): { readonly ifMatch?: string } {
  return etag === undefined ? {} : { ifMatch: etag };
}
