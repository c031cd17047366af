import { createHash } from "node:crypto";

export type Json = Readonly<Record<string, unknown>>;

/** A schema of a document with all components that it reaches. */
export interface OwnSchema {
  readonly schema: Json;
  /** The components by name, in alphabetical order. */
  readonly components: Readonly<Record<string, Json>>;
  /**
   * A hash of the text of both: schemas with the same id validate alike, whatever else their documents contain. The
   * texts themselves would occupy hundreds of megabytes in a long run.
   */
  readonly id: string;
}

/** What a reference to a schema begins with; its name follows. */
export const componentPrefix = "#/components/schemas/";
const reference = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

interface Part {
  readonly text: string;
  readonly references: readonly string[];
}

/**
 * Creates a function that reads single schemas out of a document. A component is read once, when a schema reaches it.
 *
 * @param components the `components.schemas` of the document
 * @returns a function that throws an Error for a reference to a component that the document lacks
 */
export function createSchemaReader(
  components: Readonly<Record<string, Json>>,
): (schema: Json) => OwnSchema {
  const parts = new Map<string, Part>();
  const partOf = (name: string): Part => {
    const known = parts.get(name);
    if (known !== undefined) return known;
    const schema = components[name];
    if (schema === undefined)
      throw new Error(`The document has no component ${componentPrefix}${name}`);
    const part = readPart(schema);
    parts.set(name, part);
    return part;
  };
  return (schema) => {
    const { text, references } = readPart(schema);
    const reached = new Set(references);
    // A set also visits what is added during the loop.
    for (const name of reached) {
      for (const further of partOf(name).references) reached.add(further);
    }
    const names = [...reached].sort();
    const texts = [text, ...names.map((name) => `${name} ${partOf(name).text}`)];
    return {
      schema,
      components: Object.fromEntries(names.map((name) => [name, components[name] ?? {}])),
      id: createHash("sha256").update(texts.join("\n")).digest("base64"),
    };
  };
}

function readPart(schema: Json): Part {
  const text = JSON.stringify(schema);
  return { text, references: [...text.matchAll(reference)].map(([, name = ""]) => name) };
}
