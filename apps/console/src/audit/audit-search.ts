import type { AdminOperations } from "@rowhouse/client";
import { textParameter } from "../shell/text-parameter.ts";

/** An entry of the audit log. */
export type LogEntry = AdminOperations["GET /audit-log"]["answer"]["data"][number];
type AuditQuery = AdminOperations["GET /audit-log"]["query"];
export type LoggedAction = NonNullable<AuditQuery["action"]>;

/** The filters of the audit log, as the address of its page has them. */
export type AuditSearch = { readonly [Name in AuditFilter]?: string | undefined };

/** Filters that no control of the page sets; a link does. */
export const linkedFilters = [
  "search",
  "actorTokenId",
  "targetId",
  "changedField",
  "address",
  "requestId",
] as const satisfies readonly (keyof AuditQuery)[];

const filters = [
  ...linkedFilters,
  "action",
  "actorUserId",
  "targetKind",
  "outcome",
  "range",
  "since",
  "until",
] as const;

type AuditFilter = (typeof filters)[number];

export const auditOutcomes = ["SUCCEEDED", "FAILED"] as const;

const dayMs = 86_400_000;

/** Times that end now, by the milliseconds of their beginning before now. */
const lengths = { hour: dayMs / 24, week: 7 * dayMs, month: 30 * dayMs };

/** Choices of the time; `custom` is given by `since` and `until`. */
export const auditRanges = ["hour", "today", "week", "month", "custom"] as const;

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  return Object.fromEntries(filters.map((name) => [name, textParameter(raw[name])]));
}

/** The chosen time; undefined without one. */
export function rangeOf({ range, since, until }: AuditSearch) {
  const known = auditRanges.find((one) => one === range);
  if (known !== undefined) return known;
  return since === undefined && until === undefined ? undefined : ("custom" as const);
}

/**
 * The request of the filters.
 *
 * @param dayStart the beginning of this day for the person, in milliseconds
 */
export function auditQuery(search: AuditSearch, dayStart: number): AuditQuery {
  const { outcome, range: _, since, until, action, ...texts } = search;
  const given = Object.entries({ ...texts, ...timeOf(search, dayStart) });
  const known = auditOutcomes.find((one) => one === outcome);
  return {
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
    ...(known === undefined ? {} : { outcome: known }),
    // The service states the fault of an action that it does not have.
    ...(action === undefined ? {} : { action: action as LoggedAction }),
  };
}

function timeOf(search: AuditSearch, dayStart: number): Pick<AuditSearch, "since" | "until"> {
  const range = rangeOf(search);
  if (range === undefined) return {};
  if (range === "custom") return { since: search.since, until: search.until };
  const since = range === "today" ? dayStart : Date.now() - lengths[range];
  return { since: new Date(since).toISOString() };
}
