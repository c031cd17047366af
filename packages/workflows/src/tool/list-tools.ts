import { arrayLiteral, type Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import type { ToolMark } from "../definition/definition.ts";

/** A workflow that agents can run. */
export interface WorkflowTool extends ToolMark {
  readonly slug: string;
  readonly name: string;
  /** Whether a call waits for the result; otherwise it returns the id of the run. */
  readonly isSynchronous: boolean;
}

export interface ToolQuery {
  /** The roles of the caller now. */
  readonly roleIds: readonly string[];
  /** One workflow only. */
  readonly slug?: string | undefined;
  /** A part of the slug, the name or the description. */
  readonly query?: string | undefined;
  /** The slug after which the list continues. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Lists the enabled workflows that are marked as tools and that one of the roles may invoke, by slug. */
export async function listTools(database: Queryable, query: ToolQuery): Promise<WorkflowTool[]> {
  const rows = await database.query<{
    slug: string;
    name: string;
    tool: string;
    response: string;
  }>(
    toolsSql,
    [
      arrayLiteral(query.roleIds),
      query.slug ?? null,
      query.query ?? null,
      query.after ?? null,
      String(query.limit),
    ],
    { prepare: true },
  );
  return rows.map(({ slug, name, tool, response }) => ({
    slug,
    name,
    ...(parseExactJson(tool) as ToolMark),
    isSynchronous: response === "SYNCHRONOUS",
  }));
}

const toolsSql = `
select w.slug, w.name, t.mark::text as tool, v.definition #>> '{trigger,response}'::text[] as response
from system.workflows w
join system.workflow_versions v on v.id = w.published_version_id
cross join lateral (select v.definition #> '{trigger,tool}'::text[] as mark offset 0) t
where w.enabled and t.mark is not null
  and exists (select from system.workflow_invoke_grants g
    where g.workflow_id = w.id and g.role_id = any ($1::text::uuid[]))
  and ($2::text is null or w.slug = $2::text)
  and ($3::text is null or strpos(system.fold(pg_catalog.concat_ws(' ', w.slug, w.name, t.mark ->> 'description'::text)), system.fold($3::text)) > 0)
  and ($4::text is null or w.slug > $4::text)
order by w.slug limit $5::text::integer`;
