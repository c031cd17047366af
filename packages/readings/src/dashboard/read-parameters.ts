import { type Principal, readPath } from "@rowhouse/access";
import {
  type DayPeriod,
  fieldInSight,
  parseJsonParameter,
  type RelativePeriod,
  readPeriods,
  type ShownField,
} from "@rowhouse/data";
import type { Queryable, Snapshot } from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isExactNumber } from "@rowhouse/wire";
import {
  type NamedPeriod,
  type Parameter,
  type Period,
  valuesMax,
} from "../schemas/parameter-schemas.ts";
import { isScalarOf, readPeriod, type Scalar } from "./parameter-value.ts";

const period = (
  unit: RelativePeriod["unit"],
  start: string,
  end: string,
  before: string,
): RelativePeriod => ({ unit, start, end, before });

/** The bounds of each named period, and the start of the one before it. */
const namedPeriodBounds: Readonly<Record<NamedPeriod, RelativePeriod>> = {
  TODAY: period("day", "0 days", "1 day", "-1 day"),
  YESTERDAY: period("day", "-1 day", "0 days", "-2 days"),
  LAST_7_DAYS: period("day", "-6 days", "1 day", "-13 days"),
  LAST_30_DAYS: period("day", "-29 days", "1 day", "-59 days"),
  LAST_90_DAYS: period("day", "-89 days", "1 day", "-179 days"),
  LAST_12_MONTHS: period("month", "-11 months", "1 month", "-23 months"),
  THIS_WEEK: period("week", "0 days", "7 days", "-7 days"),
  THIS_MONTH: period("month", "0 days", "1 month", "-1 month"),
  LAST_MONTH: period("month", "-1 month", "0 days", "-2 months"),
  THIS_QUARTER: period("quarter", "0 days", "3 months", "-3 months"),
  THIS_YEAR: period("year", "0 days", "1 year", "-1 year"),
  LAST_YEAR: period("year", "-1 year", "0 days", "-2 years"),
};

const uuidForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A parameter with its value for one reader. */
export type OpenParameter = Pick<Parameter, "name" | "label"> & {
  /** Whether the reader may know of it. A hidden one keeps its default, as the filter of a panel stays. */
  readonly isVisible: boolean;
} & (
    | { readonly kind: "PERIOD"; readonly value: Period | null; readonly period: DayPeriod | null }
    | {
        readonly kind: "VALUE";
        readonly multiple: boolean;
        readonly values: readonly Scalar[] | null;
      }
    | { readonly kind: "PERSON"; readonly userId: string | null }
  );

/** The parameters of a dashboard by name. */
export type OpenParameters = ReadonlyMap<string, OpenParameter>;

type Reading = {
  readonly database: Queryable;
  readonly snapshot: Snapshot;
  readonly principal: Pick<Principal, "roleIds" | "userId">;
};

/** Returns the field of a parameter of the kind VALUE if the reader may read it. */
export function fieldOfParameter(
  parameter: { readonly resourceId: string | null; readonly field: string | null },
  {
    snapshot,
    principal,
  }: { readonly snapshot: Snapshot; readonly principal: Pick<Principal, "roleIds"> },
): ShownField | undefined {
  const { resourceId, field } = parameter;
  if (resourceId === null || field === null) return undefined;
  const relation = snapshot.catalogue.relationByResource(resourceId.toLowerCase());
  return relation && fieldInSight(relation, readPath(field), snapshot, principal);
}

/**
 * Reads the values that a request gives to the parameters of a dashboard: the query parameter `parameters`.
 *
 * @returns the given values by name
 * @throws AppError QUERY_INVALID for anything but a JSON object
 */
export function parseParameters(text: string | undefined): ReadonlyMap<string, unknown> {
  if (text === undefined || text === "") return new Map();
  const value = parseJsonParameter("parameters", text);
  if (typeof value !== "object" || value === null || Array.isArray(value) || isExactNumber(value)) {
    const message = "parameters must be a JSON object of names and values";
    throw createError("QUERY_INVALID", { path: "parameters", message });
  }
  return new Map(Object.entries(value));
}

/**
 * Determines the value of each parameter for a reader: the given one, else the default.
 *
 * @throws AppError QUERY_INVALID at `parameters[name]` for a value of another type, and for a parameter that is missing or
 * hidden from the reader
 */
export async function openParameters(
  parameters: readonly Parameter[],
  given: ReadonlyMap<string, unknown>,
  timeZone: string,
  reading: Reading,
): Promise<OpenParameters> {
  const faults: Fault[] = [];
  const refuse = (name: string, message: string) => {
    faults.push(createFault("QUERY_INVALID", { path: `parameters[${name}]`, message }));
    return null;
  };
  const open = parameters.map((parameter): OpenParameter => {
    const { name, label } = parameter;
    const value = given.get(name);
    const isGiven = given.has(name);
    if (parameter.kind === "PERIOD") {
      const period = isGiven
        ? value === null
          ? null
          : (readPeriod(value) ?? refuse(name, notPeriod))
        : parameter.default;
      return { name, label, isVisible: true, kind: "PERIOD", value: period, period: null };
    }
    if (parameter.kind === "PERSON") {
      const own = parameter.default === null ? null : reading.principal.userId;
      const userId = isGiven ? (value === null ? null : readPerson(value)) : own;
      if (userId === undefined) refuse(name, "Must be the id of a person, or null");
      return { name, label, isVisible: true, kind: "PERSON", userId: userId ?? null };
    }
    const field = fieldOfParameter(parameter, reading);
    const { multiple } = parameter;
    const common = {
      name,
      label,
      isVisible: field !== undefined,
      kind: "VALUE",
      multiple,
    } as const;
    if (!isGiven || field === undefined) {
      return { ...common, values: listOf(parameter.default, multiple) };
    }
    const values = listOf(value, multiple);
    const isValid = values === null || values.every((item) => isScalarOf(field.column, item));
    if (!isValid || (values !== null && values.length > valuesMax)) {
      refuse(
        name,
        multiple
          ? `Must be a list of values, at most ${valuesMax}`
          : "Must be a value of the field",
      );
    }
    return { ...common, values };
  });
  const visible = new Set(open.flatMap(({ name, isVisible }) => (isVisible ? [name] : [])));
  for (const name of given.keys()) if (!visible.has(name)) refuse(name, "Unknown parameter");
  throwFaults(faults);
  return resolvePeriods(open, timeZone, reading.database);
}

const notPeriod =
  'Must be the name of a period, such as LAST_30_DAYS, or {"from": "2026-01-01", "until": "2026-02-01"}, until exclusive';

/** The values of a parameter as a list; null without a value. A value of the other form becomes one that fits no field. */
function listOf(value: unknown, multiple: boolean): readonly Scalar[] | null {
  if (value === null || value === undefined) return null;
  if (!multiple) return [value];
  if (!Array.isArray(value)) return [[]];
  return value.length === 0 ? null : (value as Scalar[]);
}

function readPerson(value: unknown): string | undefined {
  return typeof value === "string" && uuidForm.test(value) ? value.toLowerCase() : undefined;
}

async function resolvePeriods(
  open: readonly OpenParameter[],
  timeZone: string,
  database: Queryable,
): Promise<OpenParameters> {
  const periods = open.flatMap((parameter) =>
    parameter.kind === "PERIOD" && parameter.value !== null
      ? [typeof parameter.value === "string" ? namedPeriodBounds[parameter.value] : parameter.value]
      : [],
  );
  const resolved = await readPeriods(database, timeZone, periods);
  let at = 0;
  return new Map(
    open.map((parameter) => {
      if (parameter.kind !== "PERIOD" || parameter.value === null) {
        return [parameter.name, parameter];
      }
      const period = resolved[at] ?? null;
      at += 1;
      return [parameter.name, { ...parameter, period }];
    }),
  );
}
