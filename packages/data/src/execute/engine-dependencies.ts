import type { PrincipalCache } from "@rowhouse/access";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { Stage } from "./stage-clock.ts";

export interface DataEngineDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly principals: PrincipalCache;
  /** What operators count; left out, nothing is measured. */
  readonly observer?: DataObserver | undefined;
}

/** Hears what requests cost. */
export interface DataObserver {
  readonly stageEnded: (stage: Stage, seconds: number) => void;
  /** Whether the statement of a request's shape was at hand. */
  readonly statementAsked: (isHit: boolean) => void;
}
