import type {
  FieldDescription,
  RelationDescription,
  ResourceDescription,
} from "../backend/describe-resources.ts";

export type ResourceDetail = "names" | "summary" | "full";

/** Returns a resource in the requested detail. Members without a value are left out, to keep results short. */
export function describeResource(resource: ResourceDescription, detail: ResourceDetail): object {
  const { schema, name, kind, label, description, actions, key } = resource;
  if (detail === "names") return { schema, name };
  const summary = {
    schema,
    name,
    kind,
    ...(label === null ? {} : { label }),
    ...(description === null ? {} : { description }),
    actions,
    ...(key.length === 0 ? {} : { key }),
  };
  if (detail === "summary") {
    return { ...summary, fields: resource.fields.map((field) => field.name) };
  }
  const names = new Set(resource.fields.map((field) => field.name));
  const relations = resource.relations.map((relation) => describeRelation(relation, names));
  return {
    ...summary,
    fields: resource.fields.map(describeField),
    ...(relations.length === 0 ? {} : { relations }),
  };
}

function describeField(field: FieldDescription): object {
  const { name, type, nullable, readable, creatable, updatable, required, values } = field;
  const rights = [
    ...(readable ? ["READ"] : []),
    ...(creatable ? ["CREATE"] : []),
    ...(updatable ? ["UPDATE"] : []),
  ];
  return {
    name,
    type,
    ...(nullable ? { nullable } : {}),
    ...(required ? { required } : {}),
    ...(values === null ? {} : { values }),
    ...(field.description === null ? {} : { description: field.description }),
    // Almost every field can only be read.
    ...(rights.length === 1 && readable ? {} : { actions: rights }),
  };
}

/** A relation with the name of a field is read beside it under an alias. */
function describeRelation(
  { name, kind, schema, target }: RelationDescription,
  fields: ReadonlySet<string>,
): object {
  const alias = fields.has(name) ? { besideField: `${name}_row:${name}` } : {};
  return { name, kind, schema, target, ...alias };
}
