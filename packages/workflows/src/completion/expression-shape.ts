import { isJsonObject } from "../base/json.ts";
import {
  type ParsedTemplate,
  parseTemplate,
  TemplateSyntaxError,
} from "../template/parse-template.ts";
import {
  anyShape,
  listShape,
  mergeShapes,
  objectShape,
  plainShape,
  type Shape,
  shapeAt,
} from "./shape.ts";

/** The shapes of the roots of templates; null for a root that is not available. */
export interface ExpressionScope {
  readonly start: Shape;
  readonly steps: Shape;
  readonly vars: Shape;
  readonly errors: Shape;
  readonly item: Shape | null;
  readonly index: Shape | null;
}

const depthMax = 6;

/** Returns the shape of a value of the definition after its templates are rendered. */
export function renderedShape(value: unknown, scope: ExpressionScope, depth = 1): Shape {
  if (typeof value === "string") return textShape(value, scope);
  if (typeof value === "number") return plainShape("number");
  if (typeof value === "boolean") return plainShape("boolean");
  if (value === null) return plainShape("null");
  if (depth >= depthMax) return anyShape;
  if (Array.isArray(value)) {
    const items = value.slice(0, 20).map((item) => renderedShape(item, scope, depth + 1));
    return listShape(items.length === 0 ? anyShape : items.reduce(mergeShapes));
  }
  if (!isJsonObject(value)) return anyShape;
  return objectShape(
    Object.entries(value)
      .slice(0, 100)
      .map(([name, item]) => [name, renderedShape(item, scope, depth + 1)]),
  );
}

/** A text that consists of one template has the shape of its value. */
function textShape(text: string, scope: ExpressionScope): Shape {
  if (!text.includes("{{")) return plainShape("string");
  const [part, ...more] = partsOf(text);
  if (part?.kind !== "PLACEHOLDER" || more.length > 0) return plainShape("string");
  const [root, ...keys] = part.path;
  const shape = root === "secrets" ? undefined : scope[root as keyof ExpressionScope];
  return shape == null ? anyShape : shapeAt(shape, keys);
}

function partsOf(text: string): ParsedTemplate["parts"] {
  try {
    return parseTemplate(text).parts;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return [];
    throw error;
  }
}
