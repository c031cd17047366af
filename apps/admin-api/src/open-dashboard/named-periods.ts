import type { RelativePeriod } from "@rowhouse/data";
import type { NamedPeriod } from "@rowhouse/saved-views";

const period = (
  unit: RelativePeriod["unit"],
  start: string,
  end: string,
  before: string,
): RelativePeriod => ({ unit, start, end, before });

/** The bounds of each named period, and the start of the one before it. */
export const namedPeriodBounds: Readonly<Record<NamedPeriod, RelativePeriod>> = {
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
