import { type Page, type PageRequest, requireFound, schema, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { and, desc, eq, isNotNull, lt, sql } from "drizzle-orm";
import { isoMomentOf } from "../base/iso-moment.ts";
import { type DefinitionChange, diffDefinitions } from "../compile/diff-definitions.ts";
import { parseDefinition } from "../compile/parse-definition.ts";
import { requireWorkflow } from "./workflow.ts";

export interface VersionSummary {
  readonly id: string;
  readonly number: number;
  readonly publishedAt: string;
  readonly publishedBy: string | null;
}

export interface Version extends VersionSummary {
  readonly definition: unknown;
}

const { workflowVersions: versions } = schema;

const summary = {
  id: versions.id,
  // Only the version of a test has no number.
  number: sql<number>`${versions.number}`,
  publishedBy: versions.publishedBy,
  publishedAt: isoMomentOf(versions.publishedAt),
};

/** Lists versions, newest first. @throws AppError NOT_FOUND, QUERY_INVALID for an invalid cursor */
export async function listVersions(
  database: Transaction,
  workflowId: string,
  page: Omit<PageRequest, "search">,
): Promise<Page<VersionSummary>> {
  await requireWorkflow(database, workflowId);
  if (page.cursor !== null && !/^[1-9][0-9]{0,8}$/.test(page.cursor)) {
    throw createError("QUERY_INVALID", { path: "cursor" });
  }
  const rows = await database.orm
    .select(summary)
    .from(versions)
    .where(
      and(
        eq(versions.workflowId, workflowId),
        isNotNull(versions.number),
        page.cursor === null ? undefined : lt(versions.number, Number(page.cursor)),
      ),
    )
    .orderBy(desc(versions.number))
    .limit(page.limit + 1);
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > page.limit && last !== undefined ? String(last.number) : null,
  };
}

/** Returns one version with its definition. @throws AppError NOT_FOUND */
export async function readVersion(
  database: Transaction,
  workflowId: string,
  number: number,
): Promise<Version> {
  await requireWorkflow(database, workflowId);
  const [version] = await database.orm
    .select({ ...summary, definition: versions.definition })
    .from(versions)
    .where(and(eq(versions.workflowId, workflowId), eq(versions.number, number)));
  return requireFound(version);
}

/** A version by its number, or the draft. */
export type Edition = number | "draft";

/**
 * Returns the differences between two versions, or between a version and the draft.
 *
 * @throws AppError NOT_FOUND for a missing version
 */
export async function diffVersions(
  database: Transaction,
  workflowId: string,
  from: Edition,
  to: Edition,
): Promise<DefinitionChange[]> {
  const load = async (edition: Edition) => {
    const { definition } =
      edition === "draft"
        ? await requireWorkflow(database, workflowId)
        : await readVersion(database, workflowId, edition);
    return parseDefinition(definition, "");
  };
  return diffDefinitions(await load(from), await load(to));
}
