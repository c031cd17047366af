import {
  type Document,
  type OperationObject,
  parametersIn,
  referenceName,
  type Schema,
} from "@rowhouse/client/openapi";

/** A resource as a document describes it. */
export type DescribedResource = {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
  /** The name of its components: `fleet.vehicles`. */
  readonly component: string;
  /** The name in `from`: a part with a dot or a quote stands in double quotes. */
  readonly key: string;
  /** The schema of the path's `{id}`; undefined if rows have no path. */
  readonly id: Schema | undefined;
};

/** Returns the resources of a document in its order. */
export function describedResources(document: Document): DescribedResource[] {
  return Object.entries(document.paths).flatMap(([path, operations]) => {
    const parts = /^\/api\/([^/]+)\/(table|view)\/([^/]+)$/.exec(path);
    const [operation] = Object.values(operations);
    if (parts === null || operation === undefined) return [];
    const [, schema = "", kind, name = ""] = parts;
    const names = { schema: decodeURIComponent(schema), name: decodeURIComponent(name) };
    return [
      {
        ...names,
        kind: kind === "view" ? ("view" as const) : ("table" as const),
        component: componentOf(operation),
        key: `${quoted(names.schema)}.${quoted(names.name)}`,
        id: idOf(document, path),
      },
    ];
  });
}

/** A relation: whether it leads to one or to many rows, and the component of its target. */
export type DescribedRelation = {
  readonly name: string;
  readonly kind: "one" | "many";
  readonly target: string;
};

/** Splits the members of a row into fields and relations. A member may be both: the field, or the related row. */
export function splitMembers({ properties = {} }: Schema): {
  readonly fields: Readonly<Record<string, Schema>>;
  readonly relations: readonly DescribedRelation[];
} {
  const fields: [string, Schema][] = [];
  const relations: DescribedRelation[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const [field, related] = schema.anyOf ?? [];
    const relation = relationOf(name, schema) ?? (related && relationOf(name, related));
    if (relation !== undefined) relations.push(relation);
    if (relationOf(name, schema) === undefined) {
      fields.push([name, relation === undefined ? schema : (field ?? schema)]);
    }
  }
  return { fields: Object.fromEntries(fields), relations };
}

/** A to-many relation refers to the list of its target: `fleet.trips.List`. */
const listForm = /^([^.]+\..+)\.List$/;

function relationOf(name: string, { $ref, anyOf }: Schema): DescribedRelation | undefined {
  const [, target] = listForm.exec($ref === undefined ? "" : referenceName($ref)) ?? [];
  if (target !== undefined) return { name, kind: "many", target };
  const reference = anyOf?.[0]?.$ref;
  if (reference === undefined) return undefined;
  return { name, kind: "one", target: referenceName(reference).replace(/\.Result$/, "") };
}

function componentOf({ operationId }: OperationObject): string {
  return operationId.slice(0, operationId.lastIndexOf("."));
}

function idOf(document: Document, path: string): Schema | undefined {
  const [operation] = Object.values(document.paths[`${path}/{id}`] ?? {});
  return operation && parametersIn(document, operation, "path")[0]?.schema;
}

function quoted(name: string): string {
  return /[."]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
