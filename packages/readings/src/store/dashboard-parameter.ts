/** The periods that have a name. Weeks begin on Monday; the last n days include today, the last 12 months this month. */
export const namedPeriods = [
  "TODAY",
  "YESTERDAY",
  "LAST_7_DAYS",
  "LAST_30_DAYS",
  "LAST_90_DAYS",
  "LAST_12_MONTHS",
  "THIS_WEEK",
  "THIS_MONTH",
  "LAST_MONTH",
  "THIS_QUARTER",
  "THIS_YEAR",
  "LAST_YEAR",
] as const;
export type NamedPeriod = (typeof namedPeriods)[number];

/** Days from `from` up to but not including `until`, as ISO dates. */
export interface FixedPeriod {
  readonly from: string;
  readonly until: string;
}

/** Days in the reader's time zone. */
export type Period = NamedPeriod | FixedPeriod;

/** A parameter of a dashboard; panels bind it to their fields. */
export type Parameter = {
  readonly name: string;
  readonly label: string;
} & (
  | { readonly kind: "PERIOD"; readonly default: Period | null }
  | {
      readonly kind: "VALUE";
      /** The choices are the values of its field that the reader may read. */
      readonly resourceId: string;
      readonly field: string;
      readonly multiple: boolean;
      /** A scalar, or a list of scalars if `multiple`; null for none. */
      readonly default: unknown;
    }
  | {
      readonly kind: "PERSON";
      /** With a resource and a field, the choices are the persons whom the field names. */
      readonly resourceId: string | null;
      readonly field: string | null;
      readonly default: "ME" | null;
    }
);
