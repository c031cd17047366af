import type { z } from "zod";

const kinds: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

/**
 * Messages of schemas without their own: they name the missing field or the accepted values. Zod's defaults name types of
 * JavaScript ("expected string, received undefined").
 *
 * @returns undefined for issues whose default message is clear
 */
export const zodMessage: z.core.$ZodErrorMap = (issue) => {
  const { code, input, path } = issue;
  if (input === undefined && isAboutPresence(code)) {
    const name = path?.at(-1);
    return typeof name === "string" ? `${name} is required` : "A value is required";
  }
  switch (code) {
    case "invalid_type": {
      const kind = kinds[issue.expected];
      return kind === undefined ? undefined : `Must be ${kind}`;
    }
    case "invalid_value":
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return boundMessage(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum);
    case "too_big":
      return boundMessage(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum);
    default:
      return undefined;
  }
};

function isAboutPresence(code: string | undefined): boolean {
  return code === "invalid_type" || code === "invalid_value" || code === "invalid_union";
}

function boundMessage(origin: string, relation: string, bound: number | bigint): string {
  switch (origin) {
    case "string":
      return `Must have ${relation} ${counted(bound, "character")}`;
    case "array":
    case "set":
      return `Must have ${relation} ${counted(bound, "item")}`;
    case "object":
    case "map":
      return `Must have ${relation} ${counted(bound, "key")}`;
    default:
      return `Must be ${relation} ${bound}`;
  }
}

function counted(count: number | bigint, unit: string): string {
  return `${count} ${unit}${Number(count) === 1 ? "" : "s"}`;
}
