import type { Queryable } from "@rowhouse/db";
import type { PartName } from "@rowhouse/wire";
import { formerNamesIn } from "../documents/former-names.ts";
import { placeOf, rootFile } from "../documents/read-documents.ts";
import type { AppliedRenames, Documents, Elsewhere } from "../model/part.ts";
import type { elsewhereTable } from "../parts/tables/table-document.ts";
import { tablesPart } from "../parts/tables/tables-part.ts";
import type { elsewhereView } from "../parts/views/view-document.ts";
import { viewsPart } from "../parts/views/views-part.ts";
import { partsOf } from "./read-configuration.ts";

const nothingElsewhere: Elsewhere = { patterns: [], documents: {}, renames: {} };

/** Returns what belongs to other tools by the last apply; nothing before the first one. */
export async function loadElsewhere(queryable: Queryable): Promise<Elsewhere> {
  const [row] = await queryable.query<{ elsewhere: string }>(
    "select elsewhere::text as elsewhere from system.configuration_applies order by applied_at desc limit 1",
  );
  return row === undefined ? nothingElsewhere : (JSON.parse(row.elsewhere) as Elsewhere);
}

/** Returns what belongs to other tools once documents are applied. What they have no part of stays as it was. */
export function elsewhereAfter(
  { parts, of, elsewhere, uncarried }: Documents,
  before: Elsewhere,
): Elsewhere {
  const isOf = (path: string) =>
    [...parts].some((part) => path.startsWith(`${part}/`)) ||
    (path === rootFile && parts.has("sql"));
  const documents = new Map(Object.entries(before.documents).filter(([path]) => !isOf(path)));
  for (const part of [tablesPart, viewsPart]) {
    for (const [path, { value }] of of<typeof elsewhereView | typeof elsewhereTable>(
      part as never,
    )) {
      const { managed, elsewhere: objects } = value;
      const isManaged = managed === "elsewhere";
      if (!isManaged && objects.length === 0) continue;
      documents.set(path, { managed: isManaged, objects });
    }
  }
  if (parts.has("sql") && uncarried.length > 0) {
    documents.set(rootFile, { managed: false, objects: [...uncarried] });
  }
  const hasPatterns =
    parts.has("tables") || parts.has("views") || parts.has("types") || parts.has("sql");
  return {
    patterns: hasPatterns ? [...new Set(elsewhere)].toSorted() : before.patterns,
    documents: Object.fromEntries(documents),
    renames: renamesAfter({ parts, of }, before.renames),
  };
}

function renamesAfter(
  { parts, of }: Pick<Documents, "parts" | "of">,
  before: AppliedRenames = {},
): AppliedRenames {
  const own = partsOf(parts);
  const kept = Object.entries(before).filter(
    ([path]) => !own.some((part) => placeOf(part, path) !== undefined),
  );
  const renamed = own.flatMap((part) =>
    [...of(part)].flatMap(([path, { value }]): [string, string[]][] => {
      const names = formerNamesIn(value);
      return names.length === 0 ? [] : [[path, names]];
    }),
  );
  return Object.fromEntries([...kept, ...renamed]);
}

/** Returns the paths of the documents that have been applied, each by the last apply of its part. */
export async function loadAppliedPaths(queryable: Queryable): Promise<string[]> {
  const paths = "(select pg_catalog.json_object_agg(key, null) from json_object_keys(a.files) key)";
  const { files } = await loadApplied<Readonly<Record<string, null>>>(queryable, paths);
  return Object.keys(files);
}

/**
 * Returns the files of each part after the last apply that had it, without the root file.
 *
 * @param expression SQL of what is read of an apply `a`, as JSON by path
 */
export async function loadApplied<Texts extends Readonly<Record<string, unknown>>>(
  database: Queryable,
  expression: string,
): Promise<{ readonly parts: PartName[]; readonly files: Texts }> {
  const applies = await database.query<{ parts: string; files: string }>(
    `select pg_catalog.to_json(n.parts)::text as parts, (${expression})::text as files
     from system.configuration_applies a
     join (select id, pg_catalog.array_agg(part) as parts from (
         select distinct on (part) part, id from system.configuration_applies, pg_catalog.unnest(parts) part
         order by part, applied_at desc) newest
       group by id) n on n.id = a.id`,
  );
  const found = applies.flatMap(({ parts, files }) => {
    const own = partsOf(new Set(JSON.parse(parts) as PartName[]));
    const texts = Object.entries(JSON.parse(files) as Texts);
    return [{ own, texts: texts.filter(([path]) => own.some((part) => placeOf(part, path))) }];
  });
  const names = new Set(found.flatMap(({ own }) => own.map(({ name }) => name)));
  return {
    parts: partsOf(names).map(({ name }) => name),
    files: Object.fromEntries(found.flatMap(({ texts }) => texts)) as Texts,
  };
}
