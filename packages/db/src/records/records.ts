import { eq, sql } from "drizzle-orm";
import {
  type ChangesOf,
  type InputOf,
  type Kind,
  type StoredOf,
  storedColumnsOf,
} from "../kinds/kind.ts";
import type { Database, Queryable, Transaction } from "../queryable.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { AuditActor } from "./audit-log.ts";
import { makeChange, requireFound } from "./change.ts";
import { entityTagOf, requireEntityTag } from "./entity-tag.ts";
import { requireLegibleName } from "./legible-name.ts";
import type { Page, PageRequest } from "./page.ts";
import { deleteRecord, listRecords, lockRecord, type RecordFilter, readRecord } from "./record.ts";

/** What is special about a kind of record. */
export interface RecordRules<K extends Kind> {
  /**
   * Checks what a caller gives, in the transaction of the change; the record is locked.
   *
   * @param present undefined for a new record
   */
  readonly check?: (
    transaction: Transaction,
    given: ChangesOf<K>,
    present: StoredOf<K> | undefined,
  ) => Promise<void>;
  /** Returns the columns of fields that are stored in another form. */
  readonly columns?: (given: ChangesOf<K>) => Readonly<Record<string, unknown>>;
  /** Returns the action of the audit entry of a change, if it is not the update of the kind. */
  readonly actionOf?: (given: ChangesOf<K>) => AuditAction | undefined;
}

/** Columns that store secrets of a change, and what else follows from it. */
type MoreColumns = Readonly<Record<string, unknown>>;

/** The stored records of a kind. */
export class Records<K extends Kind> {
  readonly kind: K;
  readonly #rules: RecordRules<K>;

  constructor(kind: K, rules: RecordRules<K> = {}) {
    this.kind = kind;
    this.#rules = rules;
  }

  /** Lists the records in the order of the kind. */
  list(
    database: Queryable,
    request: PageRequest,
    filters: readonly RecordFilter[] = [],
  ): Promise<Page<StoredOf<K>>> {
    return listRecords(database, this.kind, request, filters);
  }

  /**
   * Returns one record.
   *
   * @throws AppError NOT_FOUND
   */
  read(database: Queryable, id: string): Promise<StoredOf<K>> {
    return readRecord(database, this.kind, id);
  }

  /** Returns the entity tag of a record, without quotes. */
  readonly tagOf = (record: StoredOf<K>): string => tagOfRecord(this.kind, record);

  /**
   * Creates a record and its audit entry in one transaction.
   *
   * @param more further columns, such as those of secrets
   * @throws AppError CONFLICT, as the kind describes it, for a duplicate; what the rules of the kind throw
   */
  create(
    database: Database,
    input: InputOf<K>,
    actor: AuditActor,
    more: MoreColumns = {},
  ): Promise<StoredOf<K>> {
    const { kind } = this;
    const given = input as ChangesOf<K>;
    const create = async (transaction: Transaction) => {
      await this.#check(transaction, given, undefined);
      const [row] = await transaction.orm
        .insert(kind.table)
        .values(this.#columnsOf(given, more) as never)
        .returning({ id: kind.table.id });
      const { id } = requireFound(row as { id: string } | undefined);
      return {
        result: await this.read(transaction, id),
        entry: {
          action: `${kind.name}.create` as AuditAction,
          targetKind: kind.name,
          targetId: id,
          changedFields: Object.keys(input),
        },
      };
    };
    return makeChange(database, actor, create, kind.conflict);
  }

  /**
   * Changes the given fields of a record and writes its audit entry in one transaction. Nothing is written if none is given.
   *
   * @param ifMatch the tags of `If-Match`
   * @param more further columns, such as those of secrets
   * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT, as the kind describes it, for a duplicate; what the rules of
   * the kind throw
   */
  async update(
    database: Database,
    id: string,
    changes: ChangesOf<K>,
    actor: AuditActor,
    ifMatch?: readonly string[],
    more: MoreColumns = {},
  ): Promise<StoredOf<K>> {
    const { kind } = this;
    const changedFields = Object.keys(changes);
    if (changedFields.length === 0) return this.#readMatching(database, id, ifMatch);
    const update = async (transaction: Transaction) => {
      await lockRecord(transaction, kind, id);
      const present = await this.#readMatching(transaction, id, ifMatch);
      await this.#check(transaction, changes, present);
      const touched = "updatedAt" in kind.table ? { updatedAt: sql`clock_timestamp()` } : {};
      await transaction.orm
        .update(kind.table)
        .set({ ...this.#columnsOf(changes, more), ...touched } as never)
        .where(eq(kind.table.id, id));
      const action = this.#rules.actionOf?.(changes) ?? (`${kind.name}.update` as AuditAction);
      return {
        result: await this.read(transaction, id),
        entry: { action, targetKind: kind.name, targetId: id, changedFields },
      };
    };
    return makeChange(database, actor, update, kind.conflict);
  }

  /**
   * Deletes a record and writes its audit entry in one transaction.
   *
   * @throws AppError NOT_FOUND
   */
  async remove(database: Database, id: string, actor: AuditActor): Promise<void> {
    await deleteRecord(database, this.kind, id, actor);
  }

  async #readMatching(
    database: Queryable,
    id: string,
    ifMatch: readonly string[] | undefined,
  ): Promise<StoredOf<K>> {
    const record = await this.read(database, id);
    const message = `The ${this.kind.noun} has changed since it was read`;
    requireEntityTag(this.tagOf(record), ifMatch, message);
    return record;
  }

  async #check(
    transaction: Transaction,
    given: ChangesOf<K>,
    present: StoredOf<K> | undefined,
  ): Promise<void> {
    for (const [name, field] of Object.entries(this.kind.fields)) {
      if (!("legible" in field)) continue;
      const textOf = (record: object | undefined) => record?.[name as never] as string | undefined;
      await requireLegibleName(textOf(given), `/data/${name}`, async () => textOf(present));
    }
    await this.#rules.check?.(transaction, given, present);
  }

  #columnsOf(given: ChangesOf<K>, more: MoreColumns): Record<string, unknown> {
    return { ...storedColumnsOf(this.kind, given), ...this.#rules.columns?.(given), ...more };
  }
}

/** Returns the entity tag of a record, without quotes. */
export function tagOfRecord(
  { fields, tag: form }: Pick<Kind, "fields" | "tag">,
  record: object,
): string {
  const values = Object.entries(record).filter(([name, value]) => {
    const field = fields[name];
    if (field === undefined) return false;
    const { tag } = field;
    return tag === undefined || (tag !== "NEVER" && value !== tag.unless);
  });
  const tagged = form === "LIST" ? values.map(([, value]) => value) : Object.fromEntries(values);
  return entityTagOf(JSON.stringify(tagged));
}
