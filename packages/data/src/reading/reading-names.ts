import { type FieldNames, renameWritten, renameWrittenFields } from "@rowhouse/access";
import type { Fault } from "@rowhouse/errors";
import { readAggregates, readGroupTerms } from "../parse/terms.ts";

/** The parts of a stored reading that name fields. */
export interface NamedParts {
  readonly fields?: readonly string[] | null | undefined;
  readonly where?: unknown;
  /** Fields of a list; names of results if there is `aggregate`. */
  readonly orderBy?: readonly string[] | undefined;
  readonly aggregate?: readonly string[] | undefined;
  readonly groupBy?: readonly string[] | undefined;
  /** Names results. */
  readonly having?: unknown;
}

/**
 * Replaces the fields that a reading names, in every form in which it names them. Names of results follow their fields:
 * `sum_price` becomes `sum_cost`.
 */
export function renameParts<Parts extends NamedParts>(parts: Parts, nameOf: FieldNames): Parts {
  const { fields, where, orderBy, aggregate, groupBy, having } = parts;
  const results = new Map<string, string>();
  const terms = (
    written: readonly string[],
    rename: typeof renameAggregate,
    resultOf: typeof aggregateName,
  ) =>
    written.map((term) => {
      const renamed = rename(term, nameOf);
      const [before, after] = [resultOf(term), resultOf(renamed)];
      if (before !== undefined && after !== undefined) results.set(before, after);
      return renamed;
    });
  const renamed: NamedParts = {
    ...(fields == null ? {} : { fields: fields.map((name) => renameWritten(name, nameOf)) }),
    ...(where == null ? {} : { where: renameWrittenFields(where, nameOf) }),
    ...(groupBy === undefined ? {} : { groupBy: terms(groupBy, renameGroup, groupName) }),
    ...(aggregate === undefined
      ? {}
      : { aggregate: terms(aggregate, renameAggregate, aggregateName) }),
  };
  const isAggregate = aggregate !== undefined || groupBy !== undefined;
  const ofResults = isAggregate ? (name: string) => results.get(name) ?? name : nameOf;
  return {
    ...parts,
    ...renamed,
    ...(orderBy === undefined
      ? {}
      : { orderBy: orderBy.map((term) => renameOrder(term, ofResults)) }),
    ...(having == null ? {} : { having: renameWrittenFields(having, ofResults) }),
  };
}

/** Lists the paths of the fields that a reading names, as `readPath` returns them. A path to a relation, which means all of its fields, is among them. */
export function namesOfParts(parts: NamedParts): string[] {
  const names = new Set<string>();
  renameParts(parts, (path, written) => {
    names.add(written);
    return path;
  });
  return [...names];
}

/** Renames the field of `-price:nulls_last`. */
function renameOrder(term: string, nameOf: FieldNames): string {
  const [, sign = "", name = "", nulls = ""] = orderForm.exec(term) ?? [];
  return `${sign}${renameWritten(name, nameOf)}${nulls}`;
}

const orderForm = /^(-?)(.*?)(:nulls_(?:first|last))?$/s;

/** Renames the field of `sum(price)`. */
function renameAggregate(term: string, nameOf: FieldNames): string {
  const [, call, field] = callForm.exec(term) ?? [];
  if (call === undefined || field === undefined || field === "*") return term;
  return `${call}(${renameWritten(field, nameOf)})`;
}

/** Renames the field of `status`, `date_trunc(month,placed_at)` or `date_part(weekday,placed_at)`. */
function renameGroup(term: string, nameOf: FieldNames): string {
  const [, call, option, field] = dateForm.exec(term) ?? [];
  if (call === undefined || field === undefined) return renameWritten(term, nameOf);
  return `${call}(${option},${renameWritten(field, nameOf)})`;
}

const callForm = /^([a-z_]+)\((.+)\)$/s;
const dateForm = /^(date_trunc|date_part)\(([a-z]+),\s*(\S.*)\)$/s;

function aggregateName(term: string): string | undefined {
  const faults: Fault[] = [];
  return readAggregates([term], faults)[0]?.name;
}

function groupName(term: string): string | undefined {
  const faults: Fault[] = [];
  return readGroupTerms([term], faults)[0]?.name;
}
