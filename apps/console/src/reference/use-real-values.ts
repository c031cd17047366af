import type { Document } from "@rowhouse/client/openapi";
import { useQuery } from "@tanstack/react-query";
import { keyOf } from "../records/model/resource.ts";
import { client } from "../shell/client.ts";
import { type Navigation, navigationQuery } from "../shell/navigation.ts";
import type { Operation } from "./operations.ts";
import { resourceOf } from "./row-call.ts";

type Values = Readonly<Record<string, string>>;

/** Reads values for the path of an operation from the data that the person may read; an unknown one stays away. */
export function useRealValues(document: Document, operation: Operation): Values {
  const { data: navigation } = useQuery(navigationQuery);
  const { data } = useQuery({
    queryKey: ["reference", "values", operation.path],
    enabled: navigation !== undefined && operation.path.includes("{"),
    // A sample that cannot be read is no failure of the page.
    retry: false,
    queryFn: async ({ signal }): Promise<Values> => {
      if (navigation === undefined) return {};
      const values = await (operation.path.startsWith("/admin/api/")
        ? recordValues(document, operation.path, signal)
        : rowValues(navigation, operation, signal)
      ).catch(() => ({}));
      return values;
    },
  });
  return data ?? {};
}

/** The key of the first row of a table. A composite key has no single value, so its snippet keeps the name. */
async function rowValues(
  { resources }: Navigation,
  operation: Operation,
  signal: AbortSignal,
): Promise<Values> {
  const { schema, name, kind } = resourceOf(operation) ?? {};
  const resource = resources.find((one) => one.schema === schema && one.name === name);
  if (resource === undefined || kind !== "table") return {};
  const address = { schema: resource.schema, name: resource.name, kind };
  const [column, ...others] = resource.primaryKey;
  if (column === undefined || others.length > 0) return {};
  const { rows } = await client.from(address).list({ fields: [column], limit: 1, signal });
  const [id] = rows[0] === undefined ? [] : (keyOf(resource, rows[0]) ?? []);
  return id === undefined ? {} : { id };
}

/** The values of a path of the Admin API: each is that of the first record of the list before it. */
async function recordValues(
  document: Document,
  path: string,
  signal: AbortSignal,
): Promise<Values> {
  let values: Values = {};
  for (const [braces, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const list = path.slice(0, path.indexOf(braces) - 1);
    if (document.paths[list]?.get === undefined) break;
    // Every list of the document takes `path` and `limit`; its type is known only to the document.
    const options = { path: values, query: { limit: 1 }, signal } as object;
    const { data } = await client.admin.get(list.replace("/admin/api", "") as "/roles", options);
    const value = sampleMember(data[0], name);
    if (value === undefined) break;
    values = { ...values, [name]: value };
  }
  return values;
}

/** Records are known by their id; tables, columns and secrets by their name. */
function sampleMember(record: object | undefined, name: string): string | undefined {
  const members: Readonly<Record<string, unknown>> = { ...record };
  const value = members[name] ?? members.id ?? members.name ?? members.number;
  return value === undefined || value === null ? undefined : String(value);
}
