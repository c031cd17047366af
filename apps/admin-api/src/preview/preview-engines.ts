import { createPrincipalCache } from "@rowhouse/access";
import { createDataEngine, createExportEngine, type ExportEngine } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ReadingEngine, readOnlyEngine } from "./read-only-engine.ts";

/** What reads the rows of previews, read-only. */
export interface PreviewEngines {
  readonly engine: ReadingEngine;
  /** Its callers give `readOnly`. */
  readonly exports: ExportEngine;
}

/** Creates the engines of previews. They record no use of a token. */
export function createPreviewEngines(parts: {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
}): PreviewEngines {
  const principals = createPrincipalCache(parts.database, { record: () => {} });
  const engines = { ...parts, principals };
  return {
    engine: readOnlyEngine(createDataEngine(engines), parts.database),
    exports: createExportEngine(engines),
  };
}
