import type { AdminOperations } from "@rowhouse/client";

type CallsQuery = AdminOperations["GET /mcp/calls"]["query"];

export const callOutcomes = ["SUCCEEDED", "REFUSED", "FAILED"] as const;

/** The filters of the calls, as the address of their page has them. */
export interface CallsSearch {
  readonly tool?: string | undefined;
  readonly outcome?: (typeof callOutcomes)[number] | undefined;
  readonly userId?: string | undefined;
  readonly tokenId?: string | undefined;
}

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readCallsSearch(raw: Readonly<Record<string, unknown>>): CallsSearch {
  const text = (name: string) => {
    const value = raw[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    tool: text("tool"),
    outcome: callOutcomes.find((one) => one === raw.outcome),
    userId: text("userId"),
    tokenId: text("tokenId"),
  };
}

/** The request of the filters. */
export function callsQuery(search: CallsSearch): CallsQuery {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
