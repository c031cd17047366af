import { writeName } from "@rowhouse/access/written-name";
import { useQueries } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { useWays } from "../values/ways.ts";
import { fieldsWithTitle, recordTitle } from "./record-title.ts";
import { addressOf, type Row } from "./resource.ts";

/** Values that refer to rows through one relation. */
export interface RowReferences {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
  /** The values of each reference, in the order of the relation's columns. */
  readonly values: readonly (readonly unknown[])[];
}

/** Returns the title of the row that values refer to; undefined until it is read, and for a row that the person may not read. */
export type RowTitleOf = (
  relation: NavigationRelation,
  values: readonly unknown[],
) => string | undefined;

/** Rows of one request, so that their filter fits into a URL. */
const rowsMax = 50;

/** Reads the titles of rows outside of a list: a few requests for each relation, however many rows refer to it. */
export function useRowTitles(references: readonly RowReferences[]): RowTitleOf {
  const ways = useWays();
  const parts = references.flatMap(({ relation, target, values }) => {
    const keys = [...new Map(values.map((one) => [keyOf(one), one])).values()];
    const starts = Array.from({ length: Math.ceil(keys.length / rowsMax) }, (_, at) => at);
    return target.title.length === 0 || relation.columns === null
      ? []
      : starts.map((at) => ({
          ...{ relation, target, columns: relation.columns ?? [] },
          keys: keys.slice(at * rowsMax, (at + 1) * rowsMax),
        }));
  });
  const found = useQueries({
    queries: parts.map(({ target, columns, keys }) => {
      const names = columns.map(({ to }) => to);
      const fields = fieldsWithTitle(target, names);
      return {
        queryKey: ["row titles", target.id, fields, names, keys.map(keyOf)],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Row[]> => {
          const options = { fields, where: whereOf(names, keys), limit: keys.length, signal };
          return (await client.from(addressOf(target)).list(options)).rows as readonly Row[];
        },
      };
    }),
  });
  const titles = new Map<string, string>();
  for (const [index, { relation, target, columns }] of parts.entries()) {
    for (const row of found[index]?.data ?? []) {
      const title = recordTitle(target, row, ways);
      const key = keyOf(columns.map(({ to }) => row[to]));
      if (title !== undefined) titles.set(`${relation.name} ${target.id} ${key}`, title);
    }
  }
  return (relation, values) =>
    titles.get(`${relation.name} ${relation.resource.id} ${keyOf(values)}`);
}

function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map(String));
}

function whereOf(names: readonly string[], keys: readonly (readonly unknown[])[]): Row {
  const [only = "", ...others] = names;
  if (others.length === 0) return { [writeName(only)]: { _in: keys.map(([value]) => value) } };
  return {
    _or: keys.map((values) =>
      Object.fromEntries(names.map((name, at) => [writeName(name), { _eq: values[at] }])),
    ),
  };
}
