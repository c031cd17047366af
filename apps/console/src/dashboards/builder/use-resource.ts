import { useMemo } from "react";
import { useFilterResource } from "../../records/filter/use-filter-resource.ts";
import { fieldsOf } from "./fields.ts";
import { useFacts } from "./use-facts.ts";

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
