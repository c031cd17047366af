import {
  arrayLiteral,
  type Database,
  type Parameter,
  type Permit,
  readPostgresFailure,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { Projection } from "../authorize/projection.ts";
import type { SharedStatement } from "../compile/compile-statement.ts";
import type { CompiledRequest } from "./statement-cache.ts";

// The way of a read, and the states of its group while it waits:
//
//   join ─── may not share now, or few come together ─────────────▶ a statement of its own ──▶ answered
//    │ has a permit of its user                                        ▲ one read, or PostgreSQL refused it
//    ├─ 2 statements run ───▶ HELD ── 5 ms ────────────┐               │
//    ├─ else, many wait (`partMin`, `parts`) ──────────┼──▶ SENT, up to 32 reads in a statement ──▶ answered
//    └─ else ───────────────▶ DUE ─── end of the turn ─┘
//
//   DUE, at the end of the turn 2 statements run ──▶ HELD     HELD, a statement of the group ends ──▶ DUE
//   to be SENT, 4 statements of the line run ──▶ in `line.held`, until a statement of the line ends ──▶ DUE

export interface SharedRead {
  readonly compiled: CompiledRequest;
  readonly parameters: readonly Parameter[];
  readonly userId: string;
  readonly isAbandoned: (() => boolean) | undefined;
}

/**
 * Runs the request's own statement.
 *
 * @param isCharged whether its user's permit is taken already; the statement returns it
 */
type RunAlone<Row> = (isCharged: boolean) => Promise<Row>;

/** The read of one request on its way. */
interface Member<Row> {
  readonly read: SharedRead;
  /** Returns the permit of the user. */
  readonly release: Permit;
  readonly runAlone: RunAlone<Row>;
  readonly resolve: (row: Row | Promise<Row>) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements whose number in progress is limited together. */
interface Line<Row> {
  readonly name: string;
  inProgress: number;
  /** Groups that wait for the end of one of these statements, in the order of their arrival. */
  readonly held: Set<Group<Row>>;
}

/** Reads of one compiled statement that may share it. */
interface Group<Row> {
  readonly compiled: CompiledRequest;
  readonly line: Line<Row>;
  /** The user of a list; empty for rows by key, which all users share. */
  readonly name: string;
  /** Arrived and not sent yet. */
  waiting: Member<Row>[];
  inProgress: number;
  /** Reads that these statements answer. */
  sent: number;
  /** Sends those that wait for a statement in progress, after `heldMs`. */
  timer: NodeJS.Timeout | undefined;
  /** Whether those that wait are sent at the end of this turn of the event loop. */
  isDue: boolean;
}

/** Maximum number of requests in one statement. */
const membersMax = 32;
/**
 * While a group has this many statements in progress, further reads wait for the end of one of them, so that they share
 * the next one.
 */
const inProgressMax = 2;
/**
 * Half of the reads that usually come together are sent before the rest has arrived. So PostgreSQL answers one half while
 * the process receives the other one; otherwise each would wait for the other. Smaller parts cost more processor time.
 */
const parts = 2;
/** Minimum number of reads that are sent before the end of the turn. */
const partMin = 8;
/** The part of `together` that remains with each statement. */
const togetherKept = 0.95;
/**
 * Fewer reads than usually come together are sent at once, each in a statement of its own: to wait for the end of the turn
 * costs more than a statement of two saves.
 */
const togetherMin = 3;
/** Maximum time that a read waits for others' statements, in milliseconds. */
const heldMs = 5;
/**
 * Maximum number of statements of one line in progress. Readers of a locked table therefore leave connections to those of
 * other tables.
 */
const perLineMax = 4;
/** A statement that takes longer, in milliseconds, is not shared for `aloneMs`. */
const slowMs = 250;
const aloneMs = 10_000;

/**
 * Lets reads of one compiled statement share a statement: those that arrive in one turn of the event loop, or while two
 * statements of theirs are in progress, at most for five milliseconds. Under load, half of those that usually come
 * together are sent before the turn ends. A statement is sent after the last of its reads has arrived, so each of them
 * is answered from a state after its arrival. A read that is alone runs its own statement, at once if few of its shape come
 * together.
 *
 * A list shares its statement only with lists of the same user, because it may visit many rows; a row by its key also
 * with those of other users. A shared statement that fails is repeated as one statement for each request, and a
 * statement that failed or took long is not shared for ten seconds: a request can hardly hold up another one.
 *
 * Four statements of one relation may be in progress, so that a lock on it does not occupy the pool. Those that may visit
 * many rows are counted for each user, because one of them may take long without a lock.
 */
export class SharedStatements<Row extends object> {
  readonly #database: Database;
  readonly #onShared: ((requests: number) => void) | undefined;
  /** The groups of rows by key alone, which remain with their compiled statement. */
  readonly #rowGroups = new WeakMap<CompiledRequest, Group<Row>>();
  /** The other groups while they have reads. */
  readonly #groups = new Map<CompiledRequest, Map<string, Group<Row>>>();
  /** The lines of relations. */
  readonly #rowLines = new Map<number, Line<Row>>();
  /** The lines of a relation and a user while they have statements. */
  readonly #lines = new Map<string, Line<Row>>();
  /** Groups to be sent at the end of this turn. */
  #due: Group<Row>[] = [];

  /** @param onShared receives the number of requests of each shared statement */
  constructor(database: Database, onShared?: (requests: number) => void) {
    this.#database = database;
    this.#onShared = onShared;
  }

  /** @returns undefined if the read must run a statement of its own */
  join(read: SharedRead, runAlone: RunAlone<Row>): Promise<Row> | undefined {
    if (runsAlone(read.compiled)) return undefined;
    const permit = this.#database.charge(read.userId);
    return permit instanceof Promise
      ? this.#enterAfter(permit, read, runAlone)
      : permit && this.#enter(permit, read, runAlone);
  }

  async #runNow(group: Group<Row>, runAlone: RunAlone<Row>): Promise<Row> {
    const { compiled, line } = group;
    group.inProgress += 1;
    group.sent += 1;
    line.inProgress += 1;
    compiled.together = Math.max(compiled.together, group.sent);
    try {
      return await runAlone(true);
    } finally {
      this.#ended(group, 1);
    }
  }

  /** A read whose user holds all of their permits waits for one of them. */
  async #enterAfter(
    turn: Promise<Permit | undefined>,
    read: SharedRead,
    runAlone: RunAlone<Row>,
  ): Promise<Row> {
    const permit = await turn;
    const isAbandoned = read.isAbandoned?.() === true;
    if (permit !== undefined && !isAbandoned && !runsAlone(read.compiled)) {
      return this.#enter(permit, read, runAlone);
    }
    permit?.();
    if (isAbandoned) throw createError("SERVICE_UNAVAILABLE");
    return runAlone(false);
  }

  #enter(release: Permit, read: SharedRead, runAlone: RunAlone<Row>): Promise<Row> {
    const { compiled, userId } = read;
    const group = this.#groupOf(compiled, userId);
    if (
      compiled.together < togetherMin &&
      group.waiting.length === 0 &&
      group.inProgress < inProgressMax &&
      group.line.inProgress < perLineMax
    ) {
      return this.#runNow(group, runAlone);
    }
    return new Promise((resolve, reject) => {
      group.waiting.push({ read, release, runAlone, resolve, reject });
      compiled.together = Math.max(compiled.together, group.waiting.length + group.sent);
      if (group.inProgress >= inProgressMax) this.#hold(group);
      else if (group.waiting.length >= Math.max(partMin, compiled.together / parts)) {
        this.#sendWaiting(group);
      } else this.#sendSoon(group);
    });
  }

  #groupOf(compiled: CompiledRequest, userId: string): Group<Row> {
    const { plan } = compiled;
    if (visitsOneRow(plan)) {
      let group = this.#rowGroups.get(compiled);
      if (group === undefined) {
        group = createGroup(compiled, this.#lineOf(compiled, userId), "");
        this.#rowGroups.set(compiled, group);
      }
      return group;
    }
    const groups = known(this.#groups, compiled, () => new Map<string, Group<Row>>());
    const name = plan.kind === "LIST" ? userId : "";
    return known(groups, name, () => createGroup(compiled, this.#lineOf(compiled, userId), name));
  }

  #lineOf({ plan }: CompiledRequest, userId: string): Line<Row> {
    const { oid } = plan.relation;
    return visitsOneRow(plan)
      ? known(this.#rowLines, oid, () => createLine(String(oid)))
      : known(this.#lines, `${oid} ${userId}`, createLine);
  }

  /** Lets those that wait continue to wait for the end of a statement. */
  #hold(group: Group<Row>): void {
    if (group.waiting.length === 0) return;
    group.timer ??= setTimeout(() => this.#sendWaiting(group), heldMs);
  }

  #sendSoon(group: Group<Row>): void {
    if (group.isDue) return;
    group.isDue = true;
    if (this.#due.length === 0) setImmediate(() => this.#sendDue());
    this.#due.push(group);
  }

  #sendDue(): void {
    const due = this.#due;
    this.#due = [];
    for (const group of due) {
      group.isDue = false;
      if (group.inProgress >= inProgressMax) this.#hold(group);
      else this.#sendWaiting(group);
    }
  }

  #sendWaiting(group: Group<Row>): void {
    const { compiled, line } = group;
    clearTimeout(group.timer);
    group.timer = undefined;
    compiled.together *= togetherKept;
    while (group.waiting.length > 0 && line.inProgress < perLineMax) {
      const members = group.waiting.splice(0, membersMax);
      group.inProgress += 1;
      group.sent += members.length;
      line.inProgress += 1;
      const ended = () => this.#ended(group, members.length);
      this.#send(compiled, members).then(ended, ended);
    }
    if (group.waiting.length > 0) line.held.add(group);
    else this.#forgetIdle(group);
  }

  #ended(group: Group<Row>, members: number): void {
    const { line } = group;
    group.inProgress -= 1;
    group.sent -= members;
    line.inProgress -= 1;
    for (const held of line.held) this.#sendSoon(held);
    line.held.clear();
    if (group.waiting.length > 0) this.#sendSoon(group);
    else this.#forgetIdle(group);
    if (line.inProgress === 0 && this.#lines.get(line.name) === line) this.#lines.delete(line.name);
  }

  #forgetIdle(group: Group<Row>): void {
    if (group.inProgress > 0 || group.waiting.length > 0) return;
    const groups = this.#groups.get(group.compiled);
    if (groups?.get(group.name) !== group) return;
    groups.delete(group.name);
    if (groups.size === 0) this.#groups.delete(group.compiled);
  }

  /** Resolves after the statement. */
  async #send(compiled: CompiledRequest, members: readonly Member<Row>[]): Promise<void> {
    const shared = members.length === 1 ? null : compiled.shared();
    if (shared === null) {
      await runEachAlone(members);
      return;
    }
    const started = performance.now();
    let rows: Row[];
    try {
      rows = await this.#query(compiled, shared, members);
    } catch (error) {
      compiled.aloneUntil = performance.now() + aloneMs;
      if (readPostgresFailure(error) !== undefined) {
        void runEachAlone(members);
        return;
      }
      for (const { release, reject } of members) {
        release();
        reject(error);
      }
      return;
    }
    this.#onShared?.(members.length);
    const ended = performance.now();
    if (ended - started > slowMs) compiled.aloneUntil = ended + aloneMs;
    for (const [index, { release, resolve, reject }] of members.entries()) {
      release();
      const row = rows[index];
      if (row === undefined) reject(createError("INTERNAL_ERROR"));
      else resolve(row);
    }
  }

  /** Returns the row of each request. */
  async #query(
    { runsCode }: CompiledRequest,
    shared: SharedStatement,
    members: readonly Member<Row>[],
  ): Promise<Row[]> {
    const parameters = shared.isList.map((isList, index): Parameter => {
      if (!isList) return members[0]?.read.parameters[index] ?? null;
      return arrayLiteral(members.map(({ read }) => read.parameters[index] ?? null));
    });
    const isAbandoned = () => members.every(({ read }) => read.isAbandoned?.() === true);
    const options = { prepare: true, isAbandoned, readOnly: true, runsCode };
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

function createLine<Row>(name: string): Line<Row> {
  return { name, inProgress: 0, held: new Set() };
}

function createGroup<Row>(compiled: CompiledRequest, line: Line<Row>, name: string): Group<Row> {
  return {
    ...{ compiled, line, name, waiting: [] },
    ...{ inProgress: 0, sent: 0, timer: undefined, isDue: false },
  };
}

/** Returns the value of a key, which is created if it is new. */
function known<Key, Value>(map: Map<Key, Value>, key: Key, create: (key: Key) => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create(key);
    map.set(key, value);
  }
  return value;
}

/** Whether each read of a shape runs a statement of its own now. */
function runsAlone(compiled: CompiledRequest): boolean {
  return performance.now() < compiled.aloneUntil || compiled.shared() === null;
}

/** Whether a read takes the same short time for every key, unless its table is locked. */
function visitsOneRow(plan: AuthorizedPlan): boolean {
  return plan.kind === "READ" && !hasLists(plan.projection);
}

function hasLists({ related }: Projection): boolean {
  return related.some(({ rows, projection }) => rows !== null || hasLists(projection));
}

/** Resolves or rejects with the last of the statements, and never rejects itself. */
async function runEachAlone<Row>(members: readonly Member<Row>[]): Promise<void> {
  const running = members.map(({ resolve, runAlone }) => {
    const row = runAlone(true);
    resolve(row);
    return row;
  });
  await Promise.allSettled(running);
}
