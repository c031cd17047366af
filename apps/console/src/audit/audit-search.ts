import type { AdminOperations } from "@rowhouse/client";
import { textParameter } from "../shell/text-parameter.ts";

type AuditQuery = AdminOperations["GET /audit-log"]["query"];

/** The filters of the audit log, as the address of its page has them. */
export type AuditSearch = { readonly [Name in AuditFilter]?: string | undefined };

/** The filters that are texts; `outcome` is a choice. */
export const auditTexts = [
  "search",
  "actorUserId",
  "actorTokenId",
  "targetKind",
  "targetId",
  "changedField",
  "address",
  "requestId",
  "since",
  "until",
] as const satisfies readonly (keyof AuditQuery)[];

export const auditOutcomes = ["SUCCEEDED", "FAILED"] as const;

type AuditFilter = (typeof auditTexts)[number] | "outcome";

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const names = [...auditTexts, "outcome" as const];
  const entries = names.map((name) => [name, textParameter(raw[name])]);
  return Object.fromEntries(entries) as AuditSearch;
}

/** The request of the filters. */
export function auditQuery(search: AuditSearch): AuditQuery {
  const { outcome, ...texts } = search;
  const known = auditOutcomes.find((one) => one === outcome);
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return { ...Object.fromEntries(given), ...(known === undefined ? {} : { outcome: known }) };
}
