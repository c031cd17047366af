import type { Database, OwnTransaction, Queryable, Transaction } from "@rowhouse/db";

const reads = /^\s*select\s/i;

/**
 * Returns a database that collects the statements which it executes as the service's login and does not roll back: what a
 * change does to objects of the database's users, without its reads and probes.
 */
export function collecting(database: Database, executed: string[]): Database {
  return {
    ...database,
    ...collectingStatements(database, executed),
    get orm() {
      return database.orm;
    },
    transaction: async (work, options) => {
      const { length } = executed;
      try {
        return await database.transaction(
          (inner) => work(collectingTransaction(inner, executed)),
          options,
        );
      } catch (error) {
        executed.length = length;
        throw error;
      }
    },
  };
}

function collectingTransaction(transaction: OwnTransaction, executed: string[]): OwnTransaction {
  return {
    ...transaction,
    ...collectingStatements(transaction, executed),
    get orm() {
      return transaction.orm;
    },
    savepoint: async (work) => {
      const { length } = executed;
      try {
        await transaction.savepoint((inner) => work(collectingTransaction(inner, executed)));
      } catch (error) {
        executed.length = length;
        throw error;
      }
    },
  };
}

function collectingStatements(
  transaction: Transaction,
  executed: string[],
): Pick<Transaction, "query" | "asService"> {
  const savepoints = new Map<string, number>();
  const query: Queryable["query"] = async (text, parameters, options) => {
    const [, verb = "", name = ""] = /^(savepoint|rollback to savepoint) (\w+)/.exec(text) ?? [];
    if (verb === "savepoint") savepoints.set(name, executed.length);
    else if (verb !== "") executed.length = savepoints.get(name) ?? executed.length;
    return transaction.query(text, parameters, options);
  };
  return {
    query,
    asService: {
      query: async (text, parameters, options) => {
        const rows = await transaction.asService.query(text, parameters, options);
        if (!reads.test(text)) executed.push(text);
        return rows as never;
      },
    },
  };
}
