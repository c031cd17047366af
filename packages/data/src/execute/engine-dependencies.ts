import type { PrincipalCache } from "@rowhouse/access";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { Stage } from "./stage-clock.ts";

export interface DataEngineDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly principals: PrincipalCache;
  /** Metrics for operators; without it, nothing is measured. */
  readonly observer?: DataObserver | undefined;
}

/** Receives the cost of requests. */
export interface DataObserver {
  readonly stageEnded: (stage: Stage, seconds: number) => void;
  /** Reports whether the statement of a request's shape was cached. */
  readonly statementAsked: (isHit: boolean) => void;
  /** Reports the number of requests that a statement has answered together. */
  readonly statementShared: (requests: number) => void;
}
