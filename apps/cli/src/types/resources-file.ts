import {
  type Document,
  docComment,
  indentLines,
  memberName,
  type OperationObject,
  objectType,
  parametersIn,
  referenceName,
  type Schema,
  schemaType,
} from "@rowhouse/client/openapi";

const head =
  "// Written by `rowhouse types`. Run it again after a change of tables, exposure or grants.\n";
const nothing = "Record<never, never>";

/** Returns a TypeScript file with one flat interface for each resource of a document. */
export function resourcesFile(document: Document): string {
  const resources = describedResources(document);
  const names = new TypeNames(["Resources", "Record"]);
  const keys = new Map(resources.map(({ component, key }) => [component, key]));
  const members = resources.map(({ key }) => `${JSON.stringify(key)}: ${names.of(key)};\n`);
  const comment = "/** The resources of one caller, for `createClient<Resources>`. */\n";
  const interfaces = resources.map((resource) => {
    const name = names.of(resource.key);
    const about = docComment(document.components.schemas[resource.component]?.description);
    const body = resourceMembers(document, resource, name, keys);
    return `${about}export interface ${name} {\n${body}}\n`;
  });
  const all = `${comment}export interface Resources {\n${members.join("")}}\n`;
  return indentLines([head, all, ...interfaces].join("\n"));
}

function resourceMembers(
  document: Document,
  { kind, component, id }: DescribedResource,
  name: string,
  keys: ReadonlyMap<string, string>,
): string {
  const { schemas } = document.components;
  const { fields, relations } = splitMembers(schemas[component] ?? {});
  const hidden = Object.entries(fields).filter(
    ([, each]) => each["x-hidden-in-some-rows"] === true,
  );
  const names = Object.keys(fields);
  const required = names.filter((each) => !hidden.some(([other]) => other === each));
  const row = names.length === 0 ? nothing : plainType({ properties: fields, required }, false);
  const related = relations.map(({ name: own, kind: number, target }) => {
    const key = keys.get(target);
    return key === undefined ? "" : `${memberName(own)}: ["${number}", ${JSON.stringify(key)}];\n`;
  });
  const relationsType = related.join("") === "" ? nothing : `{\n${related.join("")}}`;
  const written = writtenType(schemas, component, name);
  return [
    `Kind: "${kind}";\n`,
    `Row: ${row};\n`,
    written === undefined ? "" : `Written: ${written};\n`,
    `New: ${optionalType(schemas[`${component}.New`])};\n`,
    `Change: ${optionalType(schemas[`${component}.Change`])};\n`,
    `Exact: ${exactNames(fields)};\n`,
    `Key: ${id === undefined ? "never" : keyType(id)};\n`,
    `Relations: ${relationsType};\n`,
  ].join("");
}

/** Returns the type of a written row if it may be the key alone. */
function writtenType(
  schemas: Readonly<Record<string, Schema>>,
  component: string,
  name: string,
): string | undefined {
  const key = schemas[`${component}.Key`];
  if (key === undefined) return undefined;
  const isRow = schemas[`${component}.Written`] !== undefined;
  return `${isRow ? `${name}["Row"] | ` : ""}${plainType(key, false)}`;
}

/** Returns the names of the columns whose texts are numbers, for which a filter takes numbers. */
function exactNames(fields: Readonly<Record<string, Schema>>): string {
  const names = Object.entries(fields).flatMap(([name, schema]) => {
    const isExact = [schema, ...(schema.anyOf ?? [])].some(({ format = "" }) =>
      exactFormat.test(format),
    );
    return isExact ? [JSON.stringify(name)] : [];
  });
  return names.join(" | ") || "never";
}

const exactFormat = /^(?:int64|decimal)$/;

function optionalType(schema: Schema | undefined): string {
  return schema === undefined ? "never" : plainType(schema, true);
}

// The members of rows refer to no component.
function plainType(schema: Schema, isSent: boolean): string {
  const comment = ({ description }: Schema) => docComment(description);
  return objectType(schema, (each) => schemaType(each, () => "unknown"), comment, isSent);
}

function keyType(schema: Schema): string {
  const values = schema["x-values"];
  if (values !== undefined) return `[${values.map(keyType).join(", ")}]`;
  const types = [schema.type ?? []].flat();
  if (types.includes("boolean")) return "boolean | string";
  const isNumber = types.includes("integer") || exactFormat.test(schema.format ?? "");
  return isNumber ? "string | number | bigint" : schemaType(schema, () => "unknown");
}

/** Names of types for resources, unique within a file. */
class TypeNames {
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /** @param reserved names that the file uses itself */
  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /** Returns the name for a resource; the same on each call. */
  of(resource: string): string {
    const known = this.#names.get(resource);
    if (known !== undefined) return known;
    const plain = pascalCase(resource);
    let name = plain;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${plain}${count}`;
    this.#taken.add(name);
    this.#names.set(resource, name);
    return name;
  }
}

function pascalCase(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  return /^[\p{L}]/u.test(joined) ? joined : `Resource${joined}`;
}

type DescribedResource = {
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
function describedResources(document: Document): DescribedResource[] {
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
function splitMembers({ properties = {} }: Schema): {
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
