import type { Document, Schema } from "@rowhouse/client/openapi";
import {
  docComment,
  indentLines,
  memberName,
  objectType,
  schemaType,
} from "@rowhouse/client/openapi";
import { TypeNames } from "../openapi/type-names.ts";
import { type DescribedResource, describedResources, splitMembers } from "./described-resource.ts";

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
  const row = names.length === 0 ? nothing : plainType({ properties: fields, required });
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
  return `${isRow ? `${name}["Row"] | ` : ""}${plainType(key)}`;
}

function optionalType(schema: Schema | undefined): string {
  return schema === undefined ? "never" : plainType(schema);
}

// The members of rows refer to no component.
function plainType(schema: Schema): string {
  const comment = ({ description }: Schema) => docComment(description);
  return objectType(schema, (each) => schemaType(each, () => "unknown"), comment);
}

function keyType(schema: Schema): string {
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(keyType).join(", ")}]`;
  const types = [schema.type ?? []].flat();
  if (types.includes("boolean")) return "boolean | string";
  const isNumber = types.includes("integer") || /^(?:int64|decimal)$/.test(schema.format ?? "");
  return isNumber ? "string | number | bigint" : schemaType(schema, () => "unknown");
}
