import { isDeepStrictEqual } from "node:util";
import { AppError, unescapePointer } from "@rowhouse/errors";
import {
  type Definition,
  parseDefinition,
  withoutDefaults,
  workflowNameSchema,
} from "@rowhouse/workflows";
import { z } from "zod";
import { Placeholders } from "../../documents/placeholders.ts";
import type { DocumentPath } from "../../yaml/yaml-text.ts";
import { withIds, withNames } from "./definition-names.ts";

/** A definition with its defaults. Its user is an address, and its folders are paths: `Invoices/2026`. */
const definitionSchema = z.unknown().transform(readDefinition);

function readDefinition(input: unknown, context: z.RefinementCtx): unknown {
  const placeholders = new Placeholders();
  const mark = (name: string) => placeholders.idOf(name);
  const unmark = (id: string) => placeholders.nameOf(id);
  try {
    const ids = withIds(input, { user: mark, folder: mark });
    return withNames(parseDefinition(ids, ""), { user: unmark, folder: unmark });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const { path = "", message } of error.faults) {
      context.addIssue({ code: "custom", path: [...placeOf(path)], message });
    }
    return z.NEVER;
  }
}

export const workflowSchema = z
  .strictObject({
    name: workflowNameSchema,
    enabled: z.boolean().default(false),
    /** Roles whose members may start it. */
    invoke: z
      .array(z.string())
      .refine((roles) => new Set(roles).size === roles.length, "A role may be named only once")
      .default([]),
    /** The draft. */
    definition: definitionSchema,
    /** By default the draft; null for a workflow that was never published. */
    published: z
      .unknown()
      .transform((input, context) => (input == null ? input : readDefinition(input, context)))
      .optional(),
  })
  .transform(({ published, ...workflow }) => ({
    ...workflow,
    published: published === undefined ? workflow.definition : published,
  }));

export type WorkflowDocument = z.output<typeof workflowSchema>;

/** Returns members of a workflow with definitions as files have them. */
export function shownFields(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const isDefinition = value != null && (key === "definition" || key === "published");
      return [key, isDefinition ? withoutDefaults(value as Definition) : value];
    }),
  );
}

export function writeWorkflow({
  name,
  enabled,
  invoke,
  definition,
  published,
}: WorkflowDocument): Readonly<Record<string, unknown>> {
  const isSame = isDeepStrictEqual(published, definition);
  return {
    ...{ name, enabled },
    ...(invoke.length === 0 ? {} : { invoke: invoke.toSorted() }),
    ...shownFields(isSame ? { definition } : { definition, published }),
  };
}

/** Returns the key of a document under which the published definition stands. */
export function publishedKey({ published, definition }: WorkflowDocument): string {
  return isDeepStrictEqual(published, definition) ? "definition" : "published";
}

/** Returns the place in a definition with names of a JSON pointer into one with ids. */
export function placeOf(pointer: string): DocumentPath {
  return pointer
    .split("/")
    .slice(1)
    .map(unescapePointer)
    .map((key) => (key === "folderId" ? "folder" : key));
}
