import { writeName } from "@rowhouse/access/written-name";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type FilterResource,
  useFilterResource,
} from "../../records/filter/use-filter-resource.ts";
import { addressOf, type Row } from "../../records/model/resource.ts";
import { valueKindOf } from "../../records/values/value-kind.ts";
import { client } from "../../shell/client.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { type Facts, noFacts } from "./propose.ts";

/** Loads a resource with its fields and what is known of their values. */
export function useResource(id: string | null) {
  const { found, error, reload } = useFilterResource(id ?? undefined);
  const resource = found?.resource;
  const resources = found?.resources;
  const fields = useMemo(
    () => (resource === undefined || resources === undefined ? [] : fieldsOf(resource, resources)),
    [resource, resources],
  );
  const facts = useFacts(found, fields);
  return { found, fields, facts, error, reload };
}

/** As many fields are counted of a wide table. */
const countedMax = 12;
const dayMs = 86_400_000;

/** Loads how long the times of a resource reach and how many values its texts have; nothing while it is not known. */
function useFacts(found: FilterResource | undefined, fields: readonly Field[]): Facts {
  const own = fields.filter(({ isOwn }) => isOwn);
  const times = own.filter(({ role }) => role === "TIME").slice(0, countedMax);
  const texts = own
    .filter(({ role, column }) => role === "CATEGORY" && valueKindOf(column) === "TEXT")
    .slice(0, countedMax);
  const spans = useOneRow(
    found,
    times.flatMap(({ path }) => [`min(${writeName(path)})`, `max(${writeName(path)})`] as const),
  );
  const counts = useOneRow(
    found,
    texts.map(({ path }) => `count_distinct(${writeName(path)})` as const),
  );
  if (spans === undefined && counts === undefined) return noFacts;
  const days = times.flatMap(({ path }) => {
    const [first = Number.NaN, last = Number.NaN] = ["min", "max"].map((end) =>
      Date.parse(String(spans?.[`${end}_${path}`])),
    );
    const span = (last - first) / dayMs;
    return Number.isFinite(span) ? [[path, span] as const] : [];
  });
  const distinct = texts.flatMap(({ path }) => {
    const count = counts?.[`count_distinct_${path}`];
    return count === undefined || count === null ? [] : [[path, Number(count)] as const];
  });
  return { days: new Map(days), distinct: new Map(distinct) };
}

type Term = `${"min" | "max" | "count_distinct"}(${string})`;

/** Loads aggregates over all rows. A table that is too large for that keeps its facts to itself. */
function useOneRow(found: FilterResource | undefined, aggregate: readonly Term[]): Row | undefined {
  const { data } = useQuery({
    queryKey: ["dashboards", "facts", found?.resource.id, aggregate],
    enabled: found?.isReadable === true && aggregate.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Row> => {
      if (found === undefined) return {};
      const { rows } = await client
        .from(addressOf(found.resource))
        .aggregate({ aggregate: [...aggregate], signal });
      return (rows as readonly Row[])[0] ?? {};
    },
  });
  return data;
}
