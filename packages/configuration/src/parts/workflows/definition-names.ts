import { isUuid } from "@rowhouse/db";
import { isObject } from "@rowhouse/wire";
import type { DocumentPath } from "../../yaml/yaml-text.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a text in place of another; undefined to keep it. */
export type Naming = (text: string) => string | undefined;

/** The names of what a definition refers to by id: the user of its runs, and the folders of new files. */
export interface Names {
  readonly user: Naming;
  readonly folder: Naming;
}

/** The kinds of steps that create a file, and the fields that hold inner steps. */
const fileKinds: ReadonlySet<unknown> = new Set(["renderDocument", "storeFile"]);
const branches: ReadonlySet<string> = new Set([
  ...["steps", "then", "else", "default", "cases", "onError"],
]);

/** Returns a definition with ids (`folderId`) as one with names (`folder`). */
export function withNames(definition: unknown, { user, folder }: Names): unknown {
  return mapDefinition(definition, user, (step) => {
    const { folderId } = step;
    const name = typeof folderId === "string" && isUuid(folderId) ? folder(folderId) : undefined;
    return name === undefined ? step : renameKey(step, "folderId", "folder", name);
  });
}

/** Returns a definition with names as one with ids. */
export function withIds(definition: unknown, { user, folder }: Names): unknown {
  return mapDefinition(definition, user, (step) => {
    const id = typeof step.folder === "string" ? folder(step.folder) : undefined;
    const isPossible = id !== undefined && !Object.hasOwn(step, "folderId");
    return isPossible ? renameKey(step, "folder", "folderId", id) : step;
  });
}

/** Returns the user of a definition's runs: an id, or an address. */
export function userOf(definition: unknown): string | undefined {
  const trigger = isObject(definition) ? definition.trigger : undefined;
  const user = isObject(trigger) ? trigger.executeAs : undefined;
  return typeof user === "string" ? user : undefined;
}

/** Yields the steps of a definition that create files, with their places. */
export function* fileSteps(
  definition: unknown,
): Generator<{ readonly step: JsonObject; readonly place: DocumentPath }> {
  if (isObject(definition)) yield* stepsIn(definition.steps, ["steps"]);
}

function* stepsIn(value: unknown, place: DocumentPath): ReturnType<typeof fileSteps> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stepsIn(item, [...place, index]);
  } else if (isObject(value)) {
    if (fileKinds.has(value.kind)) yield { step: value, place };
    for (const [key, item] of Object.entries(value)) {
      if (branches.has(key)) yield* stepsIn(item, [...place, key]);
    }
  }
}

function mapDefinition(
  definition: unknown,
  user: Naming,
  mapStep: (step: JsonObject) => JsonObject,
): unknown {
  if (!isObject(definition)) return definition;
  return Object.fromEntries(
    Object.entries(definition).map(([key, value]) => {
      if (key === "steps") return [key, mapSteps(value, mapStep)];
      if (key !== "trigger" || !isObject(value)) return [key, value];
      const { executeAs } = value;
      if (typeof executeAs !== "string") return [key, value];
      return [key, { ...value, executeAs: user(executeAs) ?? executeAs }];
    }),
  );
}

function mapSteps(value: unknown, mapStep: (step: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSteps(item, mapStep));
  if (!isObject(value)) return value;
  const inside = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      branches.has(key) ? mapSteps(item, mapStep) : item,
    ]),
  );
  return fileKinds.has(value.kind) ? mapStep(inside) : inside;
}

/** Replaces a key and its value, at their place. */
function renameKey(object: JsonObject, key: string, name: string, value: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map((entry) => (entry[0] === key ? [name, value] : entry)),
  );
}
