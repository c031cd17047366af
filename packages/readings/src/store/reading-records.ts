import {
  type AuditActor,
  createRecord,
  type Database,
  deleteRecord,
  givenFields,
  listRecords,
  lockRecord,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordFilter,
  type RecordKind,
  readRecord,
  requireLegibleName,
  type Transaction,
  updateRecord,
} from "@rowhouse/db";
import { type Openable, openableBy, replaceOpeners } from "../presentation/openers.ts";
import { type ReadingColumn, replaceReadingColumns } from "./reading-columns.ts";

/** A changed dashboard or DataView, with the columns that it names. */
export interface Revised<Input> {
  readonly input: Input;
  readonly columns: readonly ReadingColumn[];
}

interface ReadingKind<Input> extends RecordKind {
  readonly name: Openable;
  /** The member of an input that contains its filters. */
  readonly filters: keyof Input;
  /** Stores a new record, and returns its id; undefined if its resource was dropped after the validation. */
  readonly insert: (transaction: Transaction, input: Input) => Promise<string | undefined>;
  readonly update: (transaction: Transaction, id: string, input: Input) => Promise<void>;
}

/** The stored dashboards, or the stored DataViews. */
export class ReadingRecords<
  Input extends { readonly name: string; readonly roleIds: readonly string[] },
  Stored extends { readonly id: string; readonly name: string },
> {
  readonly #kind: ReadingKind<Input>;

  constructor(kind: ReadingKind<Input>) {
    this.#kind = kind;
  }

  /**
   * Lists records by position and name.
   *
   * @param request `roleIds`: only those that members of one of these roles may open; null for all
   */
  list(
    database: Queryable,
    request: PageRequest & { readonly roleIds: readonly string[] | null },
    ...filters: readonly RecordFilter[]
  ): Promise<Page<Stored>> {
    const { name, id } = this.#kind;
    const opened = openableBy(name, id, request.roleIds);
    return listRecords(database, this.#kind, request, [...filters, opened]);
  }

  /** @throws AppError NOT_FOUND */
  read(database: Queryable, id: string): Promise<Stored> {
    return readRecord(database, this.#kind, id);
  }

  /**
   * @param columns the columns that it names
   * @throws AppError NOT_FOUND if its resource was dropped after the validation
   */
  create(
    database: Database,
    input: Input,
    columns: readonly ReadingColumn[],
    actor: AuditActor,
  ): Promise<Stored> {
    const insert = async (transaction: Transaction) => {
      await requireLegibleName(input.name);
      const id = await this.#kind.insert(transaction, input);
      if (id === undefined) return undefined;
      await replaceReadingColumns(transaction, this.#kind.name, id, columns, false);
      await replaceOpeners(transaction, this.#kind.name, id, input.roleIds);
      return id;
    };
    return createRecord(database, this.#kind, input, insert, actor);
  }

  /**
   * Changes the given fields.
   *
   * @param revise makes the changed record of the stored one; it throws if the result is invalid. Filters that do not change
   * must have the labels of enums as they are stored, because their columns keep the meaning of that time.
   * @throws AppError NOT_FOUND
   */
  update(
    database: Database,
    id: string,
    changes: { readonly [Key in keyof Input]?: Input[Key] | undefined },
    revise: (stored: Stored) => Revised<Input>,
    actor: AuditActor,
  ): Promise<Stored> {
    const update = async (transaction: Transaction) => {
      await lockRecord(transaction, this.#kind, id);
      const stored = await this.read(transaction, id);
      const { input, columns } = revise(stored);
      await requireLegibleName(input.name, undefined, async () => stored.name);
      await this.#kind.update(transaction, id, input);
      const keepsFilters = changes[this.#kind.filters] === undefined;
      await replaceReadingColumns(transaction, this.#kind.name, id, columns, keepsFilters);
      if (changes.roleIds !== undefined) {
        await replaceOpeners(transaction, this.#kind.name, id, input.roleIds);
      }
    };
    return updateRecord(database, this.#kind, id, givenFields(changes), update, actor);
  }

  /** @throws AppError NOT_FOUND */
  async remove(database: Database, id: string, actor: AuditActor): Promise<void> {
    await deleteRecord(database, this.#kind, id, actor);
  }
}
