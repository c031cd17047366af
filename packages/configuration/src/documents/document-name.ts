import { encodeName } from "@rowhouse/wire";

/** Returns the name of a part of a path; undefined if the part is not how `encodeName` writes it. */
export function decodeName(text: string): string | undefined {
  try {
    const name = decodeURIComponent(text);
    return encodeName(name) === text ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of a relation: `schema.table`. */
export function relationKey(schema: string, relation: string): string {
  return `${encodeName(schema)}.${encodeName(relation)}`;
}

/** Returns the schema and the name of a relation by its key; undefined for another text. */
export function readRelationKey(key: string): { schema: string; name: string } | undefined {
  const [schema, name, ...rest] = key.split(".").map(decodeName);
  if (schema === undefined || name === undefined || rest.length > 0) return undefined;
  return schema === "" || name === "" ? undefined : { schema, name };
}

/** Returns the path of the document of a relation or a type by its key; undefined for another text. */
export function pathOfKey(folder: string, key: string): string | undefined {
  const names = readRelationKey(key);
  return names && relationPath(folder, names);
}

/** Returns the path of the document of a relation or a type. */
export function relationPath(
  folder: string,
  { schema, name }: { readonly schema: string; readonly name: string },
): string {
  return `${folder}/${encodeName(schema)}/${encodeName(name)}.yaml`;
}

/** Returns the schema and the name by the path of a document; undefined if it is none of the folder. */
export function namesOfRelation(folder: string, path: string): readonly string[] | undefined {
  const [, found, schema, name] = /^([^/]+)\/([^/]+)\/([^/]+)\.yaml$/.exec(path) ?? [];
  if (found !== folder) return undefined;
  const names = [schema, name].flatMap((part) => decodeName(part ?? "") ?? []);
  return names.length === 2 && !names.includes("") ? names : undefined;
}
