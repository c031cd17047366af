import { looseNames, plainPath, wholeName } from "@rowhouse/access";
import { AppError, createError } from "@rowhouse/errors";
import { isPossibleName, prototypeKeys } from "@rowhouse/wire";
import { mapExpression } from "../parse/expression.ts";
import type { AliasedTerm, FieldPart } from "../parse/terms.ts";
import { type AggregateResult, resolveNumber, resolveResult } from "./aggregates.ts";
import {
  type FieldPath,
  namedField,
  type PathOptions,
  relationsOn,
  requireDepth,
  resolveDocument,
  resolveRelation,
  unknownField,
} from "./resolve-path.ts";
import type { Visible, VisibleEdge, VisibleField } from "./visible.ts";

/** A relation on the way to a field, with the name of its member in the response. */
export interface FieldStep {
  readonly name: string;
  readonly edge: VisibleEdge;
  readonly isAlias: boolean;
}

/** What a term of `fields` selects at the end of its relations: a field, a value inside its document, every field, or a number of rows. */
export type FieldEnd =
  | {
      readonly kind: "FIELD";
      readonly name: string;
      readonly field: VisibleField;
      readonly isAlias: boolean;
    }
  | { readonly kind: "ALL" }
  | {
      readonly kind: "DOCUMENT";
      readonly name: string;
      readonly field: VisibleField;
      readonly inside: readonly string[];
      readonly isAlias: boolean;
    }
  | { readonly kind: "NUMBER"; readonly result: AggregateResult };

/** The place of a term in the response. */
export interface FieldPlace {
  readonly steps: readonly FieldStep[];
  readonly end: FieldEnd;
}

/**
 * Resolves a path of `fields`. A path that ends with a relation means all of its fields.
 *
 * @param written the path as `readPath` returns it
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID as `resolveField` does
 */
export function placeOfPath(visible: Visible, written: string, options: PathOptions): FieldPlace {
  const path = looseNames(written);
  if (path === "*") return { steps: [], end: { kind: "ALL" } };
  const field = namedField(visible, path);
  if (field !== undefined) return { steps: [], end: fieldEnd(field) };
  const document = resolveDocument(visible, written, options);
  if (document !== undefined) return placeInside(document);
  const { found, fault } = relationsOn(visible, path, options);
  // The longest relation that the rest is a field of takes precedence.
  for (const { steps, target, end } of found.toSorted((one, other) => other.end - one.end)) {
    const rest = path.slice(end + 1);
    if (wholeName(rest) === "*") return { steps: steps.map(stepOf), end: { kind: "ALL" } };
    const last = end < path.length ? namedField(target, rest) : undefined;
    if (last !== undefined) return { steps: steps.map(stepOf), end: fieldEnd(last) };
  }
  const whole = found.find(({ end }) => end === path.length);
  if (whole !== undefined) return { steps: whole.steps.map(stepOf), end: { kind: "ALL" } };
  if (fault !== undefined) throw fault;
  const number = resolveNumber(visible, written, options);
  if (number === undefined) throw unknownField(plainPath(path), "fields");
  const { edges, result } = number;
  return { steps: edges.map(stepOf), end: { kind: "NUMBER", result } };
}

/**
 * Resolves a term with aliases. A name that contains a colon takes precedence.
 *
 * @throws AppError as `placeOfPath` does, QUERY_INVALID for an impossible alias
 */
export function placeOfAliased(
  visible: Visible,
  { path, parts }: AliasedTerm,
  options: PathOptions,
): FieldPlace {
  try {
    return placeOfPath(visible, path, options);
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  for (const { alias } of parts) if (alias !== null) requireAlias(alias);
  const steps: FieldStep[] = [];
  let last = visible;
  for (const [index, part] of parts.entries()) {
    const place = whole(path, () =>
      index < parts.length - 1
        ? placeOfRelation(last, part, options)
        : placeOfLast(last, part, steps, options),
    );
    steps.push(...place.steps);
    requireDepth([...steps, ...edgesWithin(place.end)], options);
    if (index === parts.length - 1) return { steps, end: place.end };
    last = steps.at(-1)?.edge.target ?? last;
  }
  throw unknownField(plainPath(path), "fields");
}

function placeInside({ edges, field, inside }: Required<FieldPath>): FieldPlace {
  const { name } = field.column;
  return {
    steps: edges.map(stepOf),
    end: { kind: "DOCUMENT", name, field, inside, isAlias: false },
  };
}

function placeOfRelation(visible: Visible, part: FieldPart, options: PathOptions): FieldPlace {
  const { edges } = resolveRelation(visible, part.path, options);
  return renamed({ steps: edges.map(stepOf), end: { kind: "ALL" } }, part.alias);
}

/** The last part of a path may be a number of the rows before it: `trips.total:sum(distance_km)`. */
function placeOfLast(
  visible: Visible,
  { alias, path }: FieldPart,
  before: readonly FieldStep[],
  options: PathOptions,
): FieldPlace {
  try {
    return renamed(placeOfPath(visible, path, options), alias);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    const edges = before.map(({ edge }) => edge);
    const result = edges.length === 0 ? undefined : resolveResult(edges, path, path, options);
    if (result === undefined) throw error;
    return renamed({ steps: [], end: { kind: "NUMBER", result } }, alias);
  }
}

/** Returns the longest way from the counted rows to a field of the number. */
function edgesWithin(end: FieldEnd): readonly VisibleEdge[] {
  if (end.kind !== "NUMBER") return [];
  const { path, expression } = end.result;
  let longest = path?.edges ?? [];
  if (expression !== null) {
    mapExpression(expression, ({ edges }) => {
      if (edges.length > longest.length) longest = edges;
    });
  }
  return longest;
}

/** Gives a place the alias of its first name. */
function renamed({ steps, end }: FieldPlace, alias: string | null): FieldPlace {
  if (alias === null) return { steps, end };
  const [first, ...rest] = steps;
  if (first !== undefined) {
    return { steps: [{ ...first, name: alias, isAlias: alias !== first.name }, ...rest], end };
  }
  switch (end.kind) {
    case "FIELD":
    case "DOCUMENT":
      return { steps, end: { ...end, name: alias, isAlias: alias !== end.name } };
    case "NUMBER":
      return { steps, end: { ...end, result: { ...end.result, name: alias } } };
    case "ALL":
      throw invalid("* has no alias");
    default:
      return end satisfies never;
  }
}

/** Maximum number of bytes of an alias, as of a name of PostgreSQL. */
const aliasBytesMax = 63;

/** @throws AppError QUERY_INVALID for a text that cannot be an alias */
function requireAlias(alias: string): void {
  if (prototypeKeys.has(alias)) throw invalid(`${alias} cannot be an alias`);
  const fits =
    isPossibleName(alias) &&
    alias !== "" &&
    alias !== "*" &&
    !alias.includes(".") &&
    Buffer.byteLength(alias) <= aliasBytesMax;
  if (!fits) throw invalid(`An alias is a name of 1 to ${aliasBytesMax} bytes without dots`);
}

function stepOf(edge: VisibleEdge): FieldStep {
  return { name: edge.edge.name, edge, isAlias: false };
}

function fieldEnd(field: VisibleField): FieldEnd {
  return { kind: "FIELD", name: field.column.name, field, isAlias: false };
}

/** Names the whole term in the error for a part of it that is missing or hidden. */
function whole<Result>(path: string, resolve: () => Result): Result {
  try {
    return resolve();
  } catch (error) {
    throw isUnknown(error) ? unknownField(plainPath(path), "fields") : error;
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof AppError && error.code === "FIELD_UNKNOWN";
}

function invalid(message: string): AppError {
  return createError("QUERY_INVALID", { path: "fields", message });
}
