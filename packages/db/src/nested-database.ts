import type { Database, OwnTransaction } from "./queryable.ts";

/**
 * Returns a database whose statements and transactions are part of one transaction: a transaction of it is a savepoint.
 * So functions that change records each in a transaction of their own take effect together, or not at all.
 *
 * @param database the pool of the transaction, for what does not read or write: its load and its health
 */
export function nestedDatabase(database: Database, transaction: OwnTransaction): Database {
  return {
    ...database,
    query: (text, parameters, options) => transaction.query(text, parameters, options),
    get orm() {
      return transaction.orm;
    },
    get asService() {
      return transaction.asService;
    },
    transaction: async (work) => {
      let done: { readonly result: Awaited<ReturnType<typeof work>> } | undefined;
      await transaction.savepoint(async (inner) => {
        done = { result: await work(inner) };
      });
      if (done === undefined) throw new Error("The savepoint ran no work");
      return done.result;
    },
    stream: refuse,
    stage: refuse,
    listen: refuse,
    // Settings of the pool belong to the database itself.
    setStatementTimeout: () => {},
    forgetStatementsOfCode: () => {},
    renew: () => {},
    close: async () => {},
  };
}

function refuse(): never {
  throw new Error("A nested database has one connection, which its transaction uses");
}
