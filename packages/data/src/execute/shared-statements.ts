import { arrayLiteral, type Database, type Parameter, readPostgresFailure } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { SharedStatement } from "../compile/compile-shared.ts";
import type { CompiledRequest } from "../compile/statement-cache.ts";

/** A read that may share its statement. */
export interface SharedRead {
  readonly compiled: CompiledRequest;
  readonly parameters: readonly Parameter[];
  readonly userId: string;
  readonly isAbandoned: (() => boolean) | undefined;
}

/** The read of one request on its way. */
interface Member<Row> {
  readonly read: SharedRead;
  /** Returns the permit of the user. */
  readonly release: () => void;
  /** Runs the request's own statement. */
  readonly runAlone: () => Promise<Row>;
  readonly resolve: (row: Row | Promise<Row>) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of requests in one statement. */
const membersMax = 32;
/** A statement that takes longer, in milliseconds, is not shared for `aloneMs`. */
const slowMs = 250;
const aloneMs = 10_000;

/**
 * Lets reads of one compiled statement that arrive in one turn of the event loop share a statement. It is sent after the
 * last of them has arrived, so each of them is answered from a state after its arrival. A read that is alone in its turn
 * runs its own statement.
 *
 * A list shares its statement only with lists of the same user, because it may visit many rows; a row by its key also
 * with those of other users. A shared statement that fails is repeated as one statement for each request, and a
 * statement that failed or took long is not shared for ten seconds: a request can hardly hold up another one.
 */
export class SharedStatements<Row extends object> {
  readonly #database: Database;
  readonly #onShared: ((requests: number) => void) | undefined;
  readonly #waiting = new Map<CompiledRequest, Map<string, Member<Row>[]>>();

  /** @param onShared receives the number of requests of each shared statement */
  constructor(database: Database, onShared?: (requests: number) => void) {
    this.#database = database;
    this.#onShared = onShared;
  }

  /** @returns undefined if the read must run a statement of its own */
  join(read: SharedRead, runAlone: () => Promise<Row>): Promise<Row> | undefined {
    const { compiled, userId } = read;
    if (performance.now() < compiled.aloneUntil || compiled.shared() === null) return undefined;
    const release = this.#database.charge(userId);
    if (release === undefined) return undefined;
    return new Promise((resolve, reject) => {
      const group = compiled.plan.kind === "LIST" ? userId : "";
      this.#wait(group, { read, release, runAlone, resolve, reject });
    });
  }

  #wait(group: string, member: Member<Row>): void {
    const { compiled } = member.read;
    if (this.#waiting.size === 0) setImmediate(() => this.#sendAll());
    let groups = this.#waiting.get(compiled);
    if (groups === undefined) {
      groups = new Map();
      this.#waiting.set(compiled, groups);
    }
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [member]);
    else members.push(member);
  }

  #sendAll(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [compiled, groups] of waiting) {
      for (const members of groups.values()) {
        for (let start = 0; start < members.length; start += membersMax) {
          this.#send(compiled, members.slice(start, start + membersMax));
        }
      }
    }
  }

  #send(compiled: CompiledRequest, members: readonly Member<Row>[]): void {
    const shared = members.length === 1 ? null : compiled.shared();
    if (shared === null) {
      runEachAlone(members);
      return;
    }
    const started = performance.now();
    this.#query(shared, members).then(
      (rows) => {
        this.#onShared?.(members.length);
        const ended = performance.now();
        if (ended - started > slowMs) compiled.aloneUntil = ended + aloneMs;
        for (const [index, { release, resolve, reject }] of members.entries()) {
          release();
          const row = rows[index];
          if (row === undefined) reject(createError("INTERNAL_ERROR"));
          else resolve(row);
        }
      },
      (error: unknown) => {
        compiled.aloneUntil = performance.now() + aloneMs;
        if (readPostgresFailure(error) === undefined) {
          for (const { release, reject } of members) {
            release();
            reject(error);
          }
        } else {
          runEachAlone(members);
        }
      },
    );
  }

  /** Returns the row of each request. */
  async #query(shared: SharedStatement, members: readonly Member<Row>[]): Promise<Row[]> {
    const parameters = shared.isList.map((isList, index): Parameter => {
      if (!isList) return members[0]?.read.parameters[index] ?? null;
      return arrayLiteral(members.map(({ read }) => read.parameters[index] ?? null));
    });
    const isAbandoned = () => members.every(({ read }) => read.isAbandoned?.() === true);
    const options = { prepare: true, isAbandoned };
    const answered = await this.#database.query<Row & { readonly member: string }>(
      shared.text,
      parameters,
      options,
    );
    const rows: Row[] = [];
    for (const row of answered) rows[Number(row.member) - 1] = row;
    return rows;
  }
}

function runEachAlone<Row>(members: readonly Member<Row>[]): void {
  for (const { release, resolve, runAlone } of members) {
    // The own statement takes a permit of its own.
    release();
    resolve(runAlone());
  }
}
