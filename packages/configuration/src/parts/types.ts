import { isDeepStrictEqual } from "node:util";
import { quoteLiteral } from "@rowhouse/db";
import {
  addEnumValueSql,
  addEnumValues,
  createEnumType,
  dropEnumType,
  dropEnumTypeSql,
  type EnumType,
  isReservedSchema,
  listEnumTypes,
} from "@rowhouse/ddl";
import { z } from "zod";
import { gather, throwAll } from "../documents/document-faults.ts";
import { namesOfRelation, relationKey, relationPath } from "../documents/document-name.ts";
import { matcherOf } from "../documents/elsewhere.ts";
import type { Document } from "../model/document.ts";
import {
  type Documents,
  noEffects,
  type Part,
  type Step,
  stepOrder,
  type World,
} from "../model/part.ts";
import { schemaSteps } from "./schema-step.ts";

/** The longest label that PostgreSQL stores, in bytes. */
const labelBytesMax = 63;

const schema = z.strictObject({
  /** The values of an enum, in their order. */
  values: z
    .array(
      z.string().refine((label) => label !== "" && Buffer.byteLength(label) <= labelBytesMax, {
        error: `A value has 1 to ${labelBytesMax} bytes`,
      }),
    )
    .min(1)
    .refine((values) => new Set(values).size === values.length, {
      error: "A value may stand only once",
    }),
});

type TypeDocument = z.output<typeof schema>;

/** Enum types. */
export const typesPart: Part<TypeDocument> = {
  name: "types",
  schema,
  namesOf: (path) => namesOfRelation("types", path),
  read: async ({ database, elsewhere }) => {
    const isOthers = matcherOf(elsewhere.patterns);
    const types = await database.transaction(listEnumTypes);
    return new Map(
      types.map(({ values, ...type }) => {
        const hasNoFile = isOthers(type.schema, type.name);
        return [relationPath("types", type), { values: [...values], hasNoFile }];
      }),
    );
  },
  write: ({ values }) => ({ values }),
  compare: async ({ world, present, wanted, documents, applied }) => {
    const steps = await gather(wanted, ([path, document]) =>
      typeSteps(world, document, present.get(path), documents),
    );
    for (const [path, { hasNoFile, values }] of present) {
      const [schema = "", name = ""] = typesPart.namesOf(path) ?? [];
      if (wanted.has(path) || hasNoFile === true || documents.isOthers(schema, name)) continue;
      steps.push({ ...dropStep(path, values), isOptional: !applied.has(path) });
    }
    return steps;
  },
};

/** Returns the types that are new, and those that documents give more values, with all of these. None is in a reserved schema. */
export async function grownTypes(
  { database }: World,
  documents: Documents,
): Promise<readonly EnumType[]> {
  const wanted = documents.of(typesPart);
  if (wanted.size === 0) return [];
  const present = await database.transaction(listEnumTypes);
  return [...wanted.values()].flatMap(({ names: [schema = "", name = ""], value: { values } }) => {
    if (isReservedSchema(schema)) return [];
    const found = present.find((type) => type.schema === schema && type.name === name);
    const isGrown = values.some((label) => found?.values.includes(label) !== true);
    return isGrown ? [{ schema, name, values }] : [];
  });
}

async function typeSteps(
  { database }: World,
  document: Document<TypeDocument>,
  before: TypeDocument | undefined,
  { isOthers }: Pick<Documents, "isOthers">,
): Promise<Step[]> {
  const [schema = "", name = ""] = document.names;
  if (isReservedSchema(schema)) {
    throwAll([document.faultAt([], "This schema is not for types of users")]);
  }
  if (isOthers(schema, name)) {
    const message = "The root file leaves this type to other tools, so it has no document";
    throwAll([document.faultAt([], message)]);
  }
  if (before === undefined) {
    return [...(await schemaSteps(database, document.path, schema)), createStep(document)];
  }
  return isDeepStrictEqual(before.values, document.value.values)
    ? []
    : [updateStep(document, before)];
}

function createStep({ path, names, value }: Document<TypeDocument>): Step {
  const [schema = "", name = ""] = names;
  return {
    kind: "type.create",
    document: path,
    subject: relationKey(schema, name),
    order: stepOrder.types.write,
    detail: value,
    run: ({ database }) => createEnumType(database, { schema, name, values: value.values }),
  };
}

/** Adds the values that are new. PostgreSQL can neither remove nor move one. */
function updateStep(document: Document<TypeDocument>, before: TypeDocument): Step {
  const { path, names, value } = document;
  const [schema = "", name = ""] = names;
  const kept = value.values.filter((label) => before.values.includes(label));
  if (!isDeepStrictEqual(kept, before.values)) {
    const message = `PostgreSQL can only add values to a type; it has ${before.values.join(", ")}`;
    throwAll([document.faultAt(["values"], message)]);
  }
  const added = value.values.flatMap((label, index) => {
    if (before.values.includes(label)) return [];
    const next = value.values.slice(index + 1).find((other) => before.values.includes(other));
    return [{ value: label, before: next ?? null }];
  });
  const type = { schema, name };
  return {
    kind: "type.update",
    document: path,
    subject: relationKey(schema, name),
    order: stepOrder.types.write,
    detail: added,
    // It would lock the type until the plan ends.
    preview: async () => ({
      ...noEffects,
      sql: added.map(({ value: label, before: next }) => addEnumValueSql(type, label, next)),
    }),
    isNeededBy: ({ detail }) => {
      const text = JSON.stringify(detail);
      // As a text of a filter, or as a literal within an expression.
      return added.some(
        ({ value: label }) =>
          text.includes(JSON.stringify(label)) ||
          text.includes(JSON.stringify(quoteLiteral(label)).slice(1, -1)),
      );
    },
    run: ({ database }) => addEnumValues(database, type, added),
  };
}

function dropStep(path: string, values: TypeDocument["values"]): Step {
  const [schema = "", name = ""] = typesPart.namesOf(path) ?? [];
  const subject = relationKey(schema, name);
  return {
    kind: "type.drop",
    document: path,
    subject,
    order: stepOrder.types.drop,
    detail: null,
    consent: `drop:type:${subject}`,
    values: { before: { values }, after: null },
    preview: async () => ({ ...noEffects, sql: [dropEnumTypeSql({ schema, name })] }),
    run: ({ database }) => dropEnumType(database, { schema, name }),
  };
}
