import { referenceName, type Schema } from "./document.ts";

/** Returns the TypeScript type of a referenced component. */
export type NameOf = (component: string) => string;

/** Returns a JSON Schema as a TypeScript type, without indentation. */
export function schemaType(schema: Schema, nameOf: NameOf): string {
  const of = (each: Schema) => schemaType(each, nameOf);
  if (schema.$ref !== undefined) return nameOf(referenceName(schema.$ref));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map(of));
  if (schema.allOf !== undefined) {
    // A member that states a type only repeats that of the others.
    const members = schema.allOf.filter((each) => Object.keys(each).join() !== "type");
    return members.map((each) => parenthesized(of(each))).join(" & ");
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  const isExact = schema.format === "int64" || schema.format === "decimal";
  const takesNumbers = types.includes("number") || types.includes("integer");
  // A bigint keeps the digits of an input just as a text does.
  const exact = isExact && takesNumbers && types.includes("string") ? ["bigint"] : [];
  if (types.length === 0)
    return schema.properties === undefined ? "unknown" : objectType(schema, of);
  return union([...types.map((type) => simpleType(type, schema, of)), ...exact]);
}

/** Returns a description as the lines of a doc comment, or no line. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text.trim() === "") return "";
  // Texts of the database may contain the end of a comment, and every kind of line break.
  const line = text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/").trim();
  return `/** ${line} */\n`;
}

/** Returns the name of a member, in quotes if it is not an identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns a member on a line. An optional one that is sent takes `undefined`, also under `exactOptionalPropertyTypes`. */
export function memberText(
  name: string,
  type: string,
  isRequired: boolean,
  isSent: boolean = true,
): string {
  const isOpen = isRequired || !isSent || type === "unknown" || type === "never";
  return `${memberName(name)}${isRequired ? "" : "?"}: ${isOpen ? type : `${type} | undefined`};\n`;
}

/** Returns an object type with a member on each line; `comment` returns the comment of a member. */
export function objectType(
  schema: Schema,
  of: (schema: Schema) => string,
  comment: (member: Schema) => string = () => "",
  isSent: boolean = true,
): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(([name, each]) => {
    const member = memberText(name, of(each), required.includes(name), isSent);
    return `${comment(each)}${member}`;
  });
  if (members.length > 0) return `{\n${members.join("")}}`;
  if (additionalProperties === false) return "{ [name: string]: never }";
  const value = typeof additionalProperties === "object" ? of(additionalProperties) : "unknown";
  return `{ [name: string]: ${value} }`;
}

/** Indents a file by its braces. */
export function indentLines(text: string): string {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("}")) depth -= 1;
      const indented = line === "" ? line : `${"  ".repeat(depth)}${line}`;
      if (line.endsWith("{") && !line.startsWith("/**")) depth += 1;
      return indented;
    })
    .join("\n");
}

function simpleType(type: string, schema: Schema, of: (schema: Schema) => string): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, of);
    case "object":
      return objectType(schema, of);
    default:
      return type;
  }
}

function arrayType({ items, "x-values": values }: Schema, of: (schema: Schema) => string): string {
  if (values !== undefined) return `[${values.map(of).join(", ")}]`;
  return items === undefined ? "unknown[]" : `${parenthesized(of(items))}[]`;
}

function literal(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}

function parenthesized(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}
