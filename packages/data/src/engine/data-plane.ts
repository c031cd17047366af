import {
  type Authenticator,
  createAuthenticator,
  createPrincipalCache,
  createTokenUseRecorder,
  type PrincipalCache,
  type TokenUses,
} from "@rowhouse/access";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { DataObserver } from "../answer/engine-dependencies.ts";
import type { TitleFinder } from "../cells/title-sql.ts";
import type { WrittenCheck } from "../execute/check-written.ts";
import { createProcessBounds, type ProcessBounds } from "../execute/process-bounds.ts";
import { createExportEngine, type ExportEngine } from "../export/export-engine.ts";
import { createImportEngine, type ImportEngine } from "../import/import-engine.ts";
import { createDataEngine, type DataEngine } from "./data-engine.ts";

export interface DataPlaneOptions {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** Receives the error of a write of a token's last use. Undefined if requests here are no uses of a token. */
  readonly onUnrecordedUse?: ((error: unknown) => void) | undefined;
  readonly metrics?: DataPlaneMetrics | undefined;
  /** Checks of rows of the service that are written; not needed by a plane that only reads. */
  readonly checks?: readonly WrittenCheck[] | undefined;
  /** Gives the rows of tables their titles; without it, no row has one. */
  readonly titleFor?: TitleFinder | undefined;
  /** The bounds of another plane of this process. */
  readonly bounds?: ProcessBounds | undefined;
  /** The clock of this process, in milliseconds; PostgreSQL has its own. */
  readonly now?: (() => number) | undefined;
}

/** Receives the cost of requests, for operators. */
export interface DataPlaneMetrics {
  readonly data: DataObserver;
  readonly principalAsked: (isHit: boolean) => void;
}

/**
 * What reads and writes rows in this process. It is opened once for each pool of connections, and every app of the
 * process gets it: caches, shared statements and limits hold for all of them together.
 */
export interface DataPlane {
  readonly authenticator: Authenticator;
  readonly principals: PrincipalCache;
  readonly engine: DataEngine;
  readonly exports: ExportEngine;
  readonly imports: ImportEngine;
  /** Memory of responses, exports and imports in progress. Planes of one process share them. */
  readonly bounds: ProcessBounds;
}

export function openDataPlane(options: DataPlaneOptions): DataPlane {
  const { database, snapshots, onUnrecordedUse, metrics, bounds = createProcessBounds() } = options;
  const uses =
    onUnrecordedUse === undefined
      ? unrecorded
      : createTokenUseRecorder(database, onUnrecordedUse, options.now);
  const { service } = database;
  const principals = createPrincipalCache(service, uses, metrics?.principalAsked);
  const system = service === database ? undefined : database;
  const pools = { database: service, system };
  const { checks, titleFor = withoutTitle } = options;
  const parts = { ...pools, snapshots, principals, bounds, checks, titleFor };
  return {
    authenticator: createAuthenticator(database, snapshots, uses),
    principals,
    engine: createDataEngine({ ...parts, observer: metrics?.data }),
    exports: createExportEngine(parts),
    imports: createImportEngine(parts),
    bounds,
  };
}

const withoutTitle: TitleFinder = () => [];

const unrecorded: TokenUses = { record: () => {} };
