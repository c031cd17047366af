import type { Queryable } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { LRUCache } from "lru-cache";
import type { CompiledDefinition } from "../compile/compiled.ts";
import { compileStored } from "../compile/stored-definition.ts";

/** A cache of compiled versions. A published version never changes, so an entry cannot be stale. */
export interface VersionCache {
  /**
   * @throws Error if the version does not exist, and AppError SERVICE_UNAVAILABLE if this build cannot read it: during
   * a rolling upgrade another process can
   */
  load(versionId: string): Promise<CompiledDefinition>;
}

/** Creates a cache that holds the most recently used versions. */
export function createVersionCache(database: Queryable, versionsMax = 500): VersionCache {
  const cache = new LRUCache<string, CompiledDefinition>({ max: versionsMax });
  return {
    load: async (versionId) => {
      const known = cache.get(versionId);
      if (known !== undefined) return known;
      const [row] = await database.query<{ definition: string }>(
        "select definition::text as definition from system.workflow_versions where id = $1::text::uuid",
        [versionId],
        { prepare: true },
      );
      if (row === undefined) throw new Error("The version of the run does not exist");
      const compiled = compile(row.definition);
      cache.set(versionId, compiled);
      return compiled;
    },
  };
}

function compile(definition: string): CompiledDefinition {
  try {
    return compileStored(definition);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw createError("SERVICE_UNAVAILABLE", { cause });
  }
}
