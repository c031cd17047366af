import { readName, writeName } from "@rowhouse/access/written-name";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";

/** A field or relation as the person may reach it from a resource. */
export interface FieldPath {
  /** The relations to cross, the first from the filter's own resource. */
  readonly steps: readonly NavigationRelation[];
  /** The resource at the end of the steps. */
  readonly resource: NavigationResource;
  /** Null for the rows of the last step themselves. */
  readonly column: NavigationColumn | null;
}

/** The resources that the person may open, by id. */
export type Resources = ReadonlyMap<string, NavigationResource>;

/** Most relations that a path of the Data API crosses. */
const stepsMax = 3;
/** Most paths that a list offers; near ones come first. */
const pathsMax = 2000;

/** Returns the field that keys of a filter lead to; undefined for one that this person may not read. */
export function resolveField(
  resource: NavigationResource,
  resources: Resources,
  keys: readonly string[],
): FieldPath | undefined {
  return resolve({ steps: [], resource, column: null }, resources, keys.map(readName).join("."));
}

function resolve(from: FieldPath, resources: Resources, name: string): FieldPath | undefined {
  const { steps, resource } = from;
  const column = resource.columns.find((one) => one.name === name && one.readable);
  if (column !== undefined) return { ...from, column };
  for (const relation of resource.relations) {
    const target = resources.get(relation.resource.id);
    if (target === undefined) continue;
    const next: FieldPath = { steps: [...steps, relation], resource: target, column: null };
    if (name === relation.name && relation.kind === "MANY") return next;
    if (relation.kind !== "ONE" || !name.startsWith(`${relation.name}.`)) continue;
    const found = resolve(next, resources, name.slice(relation.name.length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the key under which a filter has a field. */
export function keysOf({ steps, column }: FieldPath): readonly string[] {
  const names = [...steps.map(({ name }) => name), ...(column === null ? [] : [column.name])];
  return [names.map(writeName).join(".")];
}

/** Lists the fields and to-many relations that a filter on a resource may use; own ones first, then those of related rows. */
export function fieldPaths(resource: NavigationResource, resources: Resources): FieldPath[] {
  const found: FieldPath[] = [];
  let level: FieldPath[] = [{ steps: [], resource, column: null }];
  while (level.length > 0 && found.length < pathsMax) {
    const next: FieldPath[] = [];
    for (const from of level) {
      for (const column of from.resource.columns) {
        if (column.readable) found.push({ ...from, column });
      }
      if (from.steps.length >= stepsMax) continue;
      for (const relation of from.resource.relations) {
        const target = resources.get(relation.resource.id);
        if (target?.actions.includes("READ") !== true) continue;
        const path = { steps: [...from.steps, relation], resource: target, column: null };
        if (relation.kind === "MANY") found.push(path);
        else next.push(path);
      }
    }
    level = next;
  }
  return found.slice(0, pathsMax);
}

/** The names of the steps and of the column, as people know them. */
export function pathNames({ steps, column }: FieldPath): readonly string[] {
  const names = steps.map(({ label }) => label);
  return column === null ? names : [...names, column.label ?? column.name];
}
