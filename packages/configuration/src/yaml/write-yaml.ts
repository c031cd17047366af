import { exactNumberText, isExactNumber, isObject } from "@rowhouse/wire";
import { Document, type Scalar, type ScalarTag } from "yaml";
import { escapeVariable } from "./read-yaml.ts";

/** Writes the digits of a number that a double would change. */
const exactNumber: ScalarTag = {
  identify: isExactNumber,
  default: true,
  tag: "tag:yaml.org,2002:float",
  test: /^(?!)/,
  resolve: (text) => text,
  stringify: ({ value }: Scalar) => exactNumberText(value) ?? "0",
};

/** Writes a JSON value as YAML, always with the same bytes. `readYaml` returns the value. */
export function writeYaml(value: unknown): string {
  // A document that says nothing is an empty file.
  if (isObject(value) && Object.keys(value).length === 0) return "";
  const document = new Document(withoutVariables(value), {
    version: "1.2",
    schema: "core",
    customTags: (tags) => [exactNumber, ...tags],
    aliasDuplicateObjects: false,
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function withoutVariables(value: unknown): unknown {
  if (typeof value === "string") return escapeVariable(value);
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  return new Map(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]: [string, unknown]) => [key, withoutVariables(item)]),
  );
}
