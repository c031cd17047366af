import type { Page, PageRequest, Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isoMoment } from "../base/iso-moment.ts";
import { type DefinitionChange, diffDefinitions } from "../definition/diff-definitions.ts";
import { parseDefinition } from "../definition/parse-definition.ts";
import { requireWorkflow } from "./workflow.ts";

/** A published version. */
export interface VersionSummary {
  readonly id: string;
  readonly number: number;
  readonly publishedAt: string;
  readonly publishedBy: string | null;
}

export interface Version extends VersionSummary {
  readonly definition: unknown;
}

const columns = `id, number, published_by as "publishedBy",
  ${isoMoment("published_at")} as "publishedAt"`;

/** Lists versions, newest first. @throws AppError NOT_FOUND, QUERY_INVALID for an invalid cursor */
export async function listVersions(
  database: Queryable,
  workflowId: string,
  page: Omit<PageRequest, "search">,
): Promise<Page<VersionSummary>> {
  await requireWorkflow(database, workflowId);
  if (page.cursor !== null && !/^[1-9][0-9]{0,8}$/.test(page.cursor)) {
    throw createError("QUERY_INVALID", { path: "cursor" });
  }
  const rows = await database.query<VersionSummary>(
    `select ${columns} from system.workflow_versions
     where workflow_id = $1::text::uuid and number is not null
       and ($2::text is null or number < $2::text::integer)
     order by number desc limit $3::text::integer`,
    [workflowId, page.cursor, String(page.limit + 1)],
  );
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > page.limit && last !== undefined ? String(last.number) : null,
  };
}

/** Returns one version with its definition. @throws AppError NOT_FOUND */
export async function readVersion(
  database: Queryable,
  workflowId: string,
  number: number,
): Promise<Version> {
  await requireWorkflow(database, workflowId);
  const [version] = await database.query<Version>(
    `select ${columns}, definition from system.workflow_versions
     where workflow_id = $1::text::uuid and number = $2::text::integer`,
    [workflowId, String(number)],
  );
  if (version === undefined) throw createError("NOT_FOUND");
  return version;
}

/** A version by its number, or the draft. */
export type Edition = number | "draft";

/**
 * Returns the differences between two versions, or between a version and the draft.
 *
 * @throws AppError NOT_FOUND for a missing version
 */
export async function diffVersions(
  database: Queryable,
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
