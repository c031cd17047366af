import { type Action, actionMethods } from "../access-queries.ts";
import { textOf } from "../text-of.ts";

/** What a new grant begins with. */
export interface GrantSearch {
  /** Ids of the role and of the resource. */
  readonly role?: string | undefined;
  readonly resource?: string | undefined;
  readonly action?: Action | undefined;
}

/** Reads the parameters of an address. */
export function readGrantSearch(raw: Readonly<Record<string, unknown>>): GrantSearch {
  return {
    role: textOf(raw.role),
    resource: textOf(raw.resource),
    action: actionMethods.find(({ action }) => action === raw.action)?.action,
  };
}
