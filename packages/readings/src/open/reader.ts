import type { Caller, Principal } from "@rowhouse/access";
import type { DataEngine, ExportEngine } from "@rowhouse/data";
import type { Database, Snapshot } from "@rowhouse/db";

/** Whose rows a response contains, and what reads them. */
export interface Reader {
  readonly database: Database;
  readonly engine: Pick<DataEngine, "answer">;
  readonly exports: ExportEngine;
  readonly snapshot: Snapshot;
  readonly principal: Principal;
  readonly caller: Caller;
  /** `X-Service-Timezone`. */
  readonly timeZone: string | null;
}
