import { type DataPlaneOptions, type ExportEngine, openDataPlane } from "@rowhouse/data";
import { type ReadingEngine, readOnlyEngine } from "./read-only-engine.ts";

/** What reads the rows of previews, read-only. */
export interface PreviewEngines {
  readonly engine: ReadingEngine;
  /** Its callers give `readOnly`. */
  readonly exports: ExportEngine;
}

/** Creates the engines of previews. They record no use of a token. */
export function createPreviewEngines(
  parts: Pick<DataPlaneOptions, "database" | "snapshots" | "bounds">,
): PreviewEngines {
  const { engine, exports } = openDataPlane(parts);
  return { engine: readOnlyEngine(engine, parts.database), exports };
}
