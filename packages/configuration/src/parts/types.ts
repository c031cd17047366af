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
  type RenamedType,
  renameEnumType,
  renameSql,
} from "@rowhouse/ddl";
import { z } from "zod";
import { gather, throwAll } from "../documents/document-faults.ts";
import {
  namesOfRelation,
  pathOfKey,
  readRelationKey,
  relationKey,
  relationPath,
} from "../documents/document-name.ts";
import { matcherOf } from "../documents/elsewhere.ts";
import { formerPath } from "../documents/former-names.ts";
import type { Document } from "../model/document.ts";
import {
  type Documents,
  noEffects,
  type Part,
  type Step,
  stepOrder,
  type World,
} from "../model/part.ts";
import { withoutNull } from "./presentation.ts";
import { schemaSteps } from "./schema-step.ts";

/** The longest label that PostgreSQL stores, in bytes. */
const labelBytesMax = 63;

const schema = z.strictObject({
  /** The type (`schema.name`) that gets this name. */
  renamedFrom: z
    .string()
    .refine((key) => readRelationKey(key) !== undefined, {
      error: "A former name is that of a type: schema.name",
    })
    .nullable()
    .default(null),
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
        const document = { renamedFrom: null, values: [...values], hasNoFile };
        return [relationPath("types", type), document];
      }),
    );
  },
  write: ({ renamedFrom, values }) => withoutNull({ renamedFrom, values }),
  compare: async (change) => {
    const { world, present, wanted, documents, applied } = change;
    const renamed = new Set<string>();
    const steps = await gather(wanted, ([path, document]) => {
      const from = formerPath(document, change, {
        noun: "type",
        pathOf: (former) => pathOfKey("types", former),
      });
      if (from !== undefined) renamed.add(from);
      return typeSteps(
        world,
        document,
        { path: from, value: present.get(from ?? path) },
        documents,
      );
    });
    for (const [path, { hasNoFile, values }] of present) {
      const [schema = "", name = ""] = typesPart.namesOf(path) ?? [];
      if (wanted.has(path) || renamed.has(path)) continue;
      if (hasNoFile === true || documents.isOthers(schema, name)) continue;
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

/** Returns the types that documents rename and that exist under their former names. */
export async function renamedTypes(
  { database }: World,
  documents: Documents,
): Promise<readonly RenamedType[]> {
  const wanted = documents.of(typesPart);
  if (![...wanted.values()].some(({ value }) => value.renamedFrom !== null)) return [];
  const present = await database.transaction(listEnumTypes);
  const has = (one: { readonly schema: string; readonly name: string }) =>
    present.some(({ schema, name }) => schema === one.schema && name === one.name);
  return [...wanted.values()].flatMap(({ names: [schema = "", name = ""], value }) => {
    const from = readRelationKey(value.renamedFrom ?? "");
    const to = { schema, name };
    return from !== undefined && has(from) && !has(to) ? [{ from, to }] : [];
  });
}

async function typeSteps(
  { database }: World,
  document: Document<TypeDocument>,
  former: { readonly path: string | undefined; readonly value: TypeDocument | undefined },
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
  const { value: before, path } = former;
  if (before === undefined) {
    return [...(await schemaSteps(database, document.path, schema)), createStep(document)];
  }
  const steps: Step[] = [];
  if (path !== undefined) {
    const schemas = await schemaSteps(database, document.path, schema);
    steps.push(...schemas, renameStep(document, path));
  }
  if (!isDeepStrictEqual(before.values, document.value.values)) {
    steps.push(updateStep(document, before, path));
  }
  return steps;
}

/** Gives a type its name and schema. Columns, defaults and views follow. */
function renameStep({ path, names }: Document<TypeDocument>, former: string): Step {
  const [schema = "", name = ""] = names;
  const from = typeAt(former);
  const to = { schema, name };
  return {
    kind: "type.update",
    document: path,
    subject: relationKey(schema, name),
    order: stepOrder.types.rename,
    detail: { former: relationKey(from.schema, from.name) },
    locate: () => ["renamedFrom"],
    preview: async () => ({ ...noEffects, sql: renameSql("type", from, to) }),
    run: ({ database }) => renameEnumType(database, from, to),
  };
}

function typeAt(path: string): { readonly schema: string; readonly name: string } {
  const [schema = "", name = ""] = typesPart.namesOf(path) ?? [];
  return { schema, name };
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
function updateStep(
  document: Document<TypeDocument>,
  before: TypeDocument,
  former: string | undefined,
): Step {
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
    formerDocument: former,
    run: async ({ database }) => {
      // Ahead of the others, the type still has its former name.
      const types = await database.transaction(listEnumTypes);
      const isNamed = types.some((one) => one.schema === schema && one.name === name);
      await addEnumValues(database, isNamed || former === undefined ? type : typeAt(former), added);
    },
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
