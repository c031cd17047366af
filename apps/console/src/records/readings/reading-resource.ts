import { readName } from "@rowhouse/access/written-name";
import { wordsOfPath } from "../../shell/names.ts";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import type { OpenReading, ReadingField } from "./open-reading.ts";

/**
 * Returns the resource of a reading as the person may use it. Without it in their navigation, and where writes are off, it
 * has the fields of the reading and nothing can be changed.
 */
export function resourceOfReading(
  { resource, fields }: Pick<OpenReading, "resource" | "fields">,
  resources: readonly NavigationResource[],
  isReadOnly: boolean,
): NavigationResource {
  const own = resources.find(({ id }) => id === resource.id);
  if (own !== undefined) return isReadOnly ? locked(own) : own;
  return {
    ...resource,
    description: null,
    path: "",
    primaryKey: [],
    actions: ["READ"],
    history: false,
    title: [],
    relations: [],
    columns: fields.map(lockedColumn),
  };
}

function locked(resource: NavigationResource): NavigationResource {
  return {
    ...resource,
    actions: ["READ"],
    columns: resource.columns.map((column) => ({ ...column, creatable: false, updatable: false })),
  };
}

/** A field of a reading as a column that nobody can change. */
export function lockedColumn(field: ReadingField): NavigationColumn {
  const { dataType } = field;
  return {
    ...field,
    name: readName(field.name),
    label: field.label ?? wordsOfPath(field.name, dataType),
    description: null,
    // `character varying(20)[]` has the base type `character varying`.
    baseType: dataType.replace(/\[\]$/, "").replace(/\([^)]*\)/, ""),
    array: dataType.endsWith("[]"),
    lengthMax: null,
    ...{ hasDefault: false, generated: false, nullable: true },
    ...{ readable: true, creatable: false, updatable: false, required: false },
  };
}
