import type { PrincipalCache } from "@rowhouse/access";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { TitleFinder } from "../cells/title-sql.ts";
import type { WrittenCheck } from "../execute/check-written.ts";
import type { ProcessBounds } from "../execute/process-bounds.ts";

export interface DataEngineDependencies {
  /** Executes every statement that names a table of the database's users. */
  readonly database: Database;
  /** Writes tables of the schema `system`, if another login keeps it. */
  readonly system?: Database | undefined;
  readonly snapshots: SnapshotStore;
  readonly principals: PrincipalCache;
  /** The limits of the process. */
  readonly bounds: ProcessBounds;
  /** Checks of rows of the service that are written. */
  readonly checks?: readonly WrittenCheck[] | undefined;
  /** Metrics for operators; without it, nothing is measured. */
  readonly observer?: DataObserver | undefined;
}

/** What exports and imports need as well. */
export interface FileDependencies extends DataEngineDependencies {
  /** Gives the rows of tables their titles. */
  readonly titleFor: TitleFinder;
}

/** Receives the cost of requests. */
export interface DataObserver {
  readonly stageEnded: (stage: Stage, seconds: number) => void;
  /** Reports whether the statement of a request's shape was cached. */
  readonly statementAsked: (isHit: boolean) => void;
  /** Reports the number of requests that a statement has answered together. */
  readonly statementShared: (requests: number) => void;
}

/** The measured stages of a request: everything before the statement, the statement, the text of the response. */
type Stage = "prepare" | "execute" | "render";

/** Measures the stages of one request. A stage that a repeated attempt runs again adds to its time. */
export class StageClock {
  readonly #record: ((stage: Stage, seconds: number) => void) | undefined;
  readonly #milliseconds = new Map<Stage, number>();
  #last = performance.now();

  constructor(record: ((stage: Stage, seconds: number) => void) | undefined) {
    this.#record = record;
  }

  /** Counts the time since the end of the previous stage for this one. */
  ended(stage: Stage): void {
    const now = performance.now();
    const milliseconds = now - this.#last;
    this.#last = now;
    this.#milliseconds.set(stage, (this.#milliseconds.get(stage) ?? 0) + milliseconds);
    this.#record?.(stage, milliseconds / 1000);
  }

  /** Returns the value of a `Server-Timing` header (W3C Server Timing), in milliseconds. */
  text(): string {
    return Array.from(
      this.#milliseconds,
      ([stage, milliseconds]) => `${stage};dur=${milliseconds.toFixed(3)}`,
    ).join(", ");
  }
}
