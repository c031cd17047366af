import { exactNumberText } from "@rowhouse/wire";
import { isJsonObject, setOwn } from "../base/json.ts";

export type ShapeType = "object" | "array" | "string" | "number" | "boolean" | "null" | "any";

/** The shape of a value that templates can read. */
export interface Shape {
  type: ShapeType;
  properties?: Record<string, Shape> | undefined;
  /** Of an array: the shape of its items. */
  items?: Shape | undefined;
  /** At most 3 texts of at most 80 characters. */
  examples?: string[] | undefined;
  /** Whether the shape follows from the definition, or only from earlier runs. */
  source: "DEFINITION" | "RUNS";
}

const depthMax = 6;
const propertiesMax = 100;
const examplesMax = 3;
const exampleLengthMax = 80;
/** Items of a list that its shape is derived from. */
const itemsRead = 20;

/** Limits the number of shapes in a response. */
export class ShapeBudget {
  #left: number;

  constructor(shapesMax = 20_000) {
    this.#left = shapesMax;
  }

  /** Returns whether another shape fits. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
}

/** A value that the definition does not determine. */
export const anyShape: Shape = { type: "any", source: "DEFINITION" };

/** Returns a shape without inner shapes, as the definition determines it. */
export function plainShape(type: ShapeType): Shape {
  return { type, source: "DEFINITION" };
}

/** Returns the shape of an object whose properties the definition determines. */
export function objectShape(entries: Iterable<readonly [string, Shape]>): Shape {
  const properties: Record<string, Shape> = {};
  for (const [name, shape] of entries) setOwn(properties, name, shape);
  return { type: "object", properties, source: "DEFINITION" };
}

export function listShape(items: Shape): Shape {
  return { type: "array", items, source: "DEFINITION" };
}

/** Returns the shape of a value of an earlier run, without the parts beyond the limits. */
export function shapeOfValue(value: unknown, budget: ShapeBudget, depth = 1): Shape {
  const source = "RUNS" as const;
  if (value === null || value === undefined) return { type: "null", source };
  if (typeof value === "boolean") return { type: "boolean", source };
  const digits = typeof value === "number" ? String(value) : exactNumberText(value);
  if (digits !== undefined) return { type: "number", source, examples: [exampleOf(digits)] };
  if (typeof value === "string") return { type: "string", source, examples: [exampleOf(value)] };
  const isCut = depth >= depthMax || !budget.take();
  if (Array.isArray(value)) {
    if (isCut || value.length === 0) return { type: "array", source };
    const items = value
      .slice(0, itemsRead)
      .map((item) => shapeOfValue(item, budget, depth + 1))
      .reduce(mergeShapes);
    return { type: "array", source, items };
  }
  if (!isJsonObject(value)) return { type: "any", source };
  if (isCut) return { type: "object", source };
  const properties: Record<string, Shape> = {};
  for (const [name, item] of Object.entries(value).slice(0, propertiesMax)) {
    setOwn(properties, name, shapeOfValue(item, budget, depth + 1));
  }
  return { type: "object", source, properties };
}

function exampleOf(text: string): string {
  return text.length <= exampleLengthMax ? text : `${text.slice(0, exampleLengthMax - 1)}…`;
}

/** Combines two shapes of one value. What only one of them knows is kept; different types become `any`. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const type = commonType(one.type, other.type);
  const source = one.source === "DEFINITION" && type === one.type ? "DEFINITION" : other.source;
  const merged: Shape = { type, source };
  const examples = [...new Set([...(one.examples ?? []), ...(other.examples ?? [])])];
  if (examples.length > 0) merged.examples = examples.slice(0, examplesMax);
  const items = mergeOptional(one.items, other.items);
  if (items !== undefined) merged.items = items;
  const properties = mergeProperties(one.properties, other.properties);
  if (properties !== undefined) merged.properties = properties;
  return merged;
}

function commonType(one: ShapeType, other: ShapeType): ShapeType {
  if (one === other) return one;
  const isOpen = (type: ShapeType) => type === "any" || type === "null";
  if (isOpen(one)) return isOpen(other) ? "any" : other;
  return isOpen(other) ? one : "any";
}

function mergeOptional(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return mergeShapes(one, other);
}

function mergeProperties(
  one: Shape["properties"],
  other: Shape["properties"],
): Shape["properties"] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const properties: Record<string, Shape> = { ...one };
  for (const [name, shape] of Object.entries(other)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) setOwn(properties, name, mergeShapes(known, shape));
    else if (Object.keys(properties).length < propertiesMax) setOwn(properties, name, shape);
  }
  return properties;
}

/** Returns the shape at a path below a shape; `any` where it is unknown. */
export function shapeAt(shape: Shape, keys: readonly string[]): Shape {
  const [key, ...rest] = keys;
  if (key === undefined) return shape;
  const { properties, items } = shape;
  if (shape.type === "array") return items === undefined ? anyShape : shapeAt(items, rest);
  const below = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : null;
  return below == null ? anyShape : shapeAt(below, rest);
}

/** Returns a shape without its parts beyond the limits. The outermost object keeps all its properties. */
export function boundShape(shape: Shape, budget: ShapeBudget, depth = 0): Shape {
  const { properties, items, ...own } = shape;
  if (!budget.take() || depth >= depthMax) return own;
  const bounded: Shape = own;
  if (items !== undefined) bounded.items = boundShape(items, budget, depth + 1);
  if (properties !== undefined) {
    bounded.properties = {};
    const entries = Object.entries(properties);
    for (const [name, inner] of depth === 0 ? entries : entries.slice(0, propertiesMax)) {
      setOwn(bounded.properties, name, boundShape(inner, budget, depth + 1));
    }
  }
  return bounded;
}
