import { isReservedSchema } from "@rowhouse/ddl";
import type { Elsewhere } from "../model/part.ts";
import { decodeName, namesOfRelation } from "./document-name.ts";

/** Whether a text is a pattern: a schema and a name, each with at most one `*`. */
export function isPattern(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 2 && parts.every((part) => partOf(part) !== undefined);
}

/** Returns a function that tells whether a relation or a type belongs to other tools, by patterns and by its schema. */
export function matcherOf(patterns: readonly string[]): (schema: string, name: string) => boolean {
  const tests = patterns.map((pattern) => {
    const [schema, name] = pattern.split(".").map((part) => partOf(part) ?? isNothing);
    return { schema: schema ?? isNothing, name: name ?? isNothing };
  });
  return (schema, name) =>
    isReservedSchema(schema) || tests.some((test) => test.schema(schema) && test.name(name));
}

/** Returns the paths of the relations of one part that other tools have not created yet. */
export function awaitedIn(
  { documents }: Elsewhere,
  present: ReadonlyMap<string, unknown>,
  folder: string,
): string[] {
  return Object.entries(documents).flatMap(([path, { managed }]) =>
    managed && !present.has(path) && namesOfRelation(folder, path) !== undefined ? [path] : [],
  );
}

function isNothing(): boolean {
  return false;
}

/** Returns the test of a part of a pattern. A name is written as in the path of a document, so its own `*` is escaped. */
function partOf(part: string): ((name: string) => boolean) | undefined {
  const [start, end, ...more] = part.split("*").map(decodeName);
  if (start === undefined || more.length > 0 || part === "") return undefined;
  if (!part.includes("*")) return (name) => name === start;
  if (end === undefined) return undefined;
  return (name) =>
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}
