import { actionMethods, type Method } from "../access-queries.ts";
import { textOf } from "../text-of.ts";

/** The request that is explained, as the address has it. */
export interface ExplainSearch {
  /** Id of the person. */
  readonly user?: string | undefined;
  readonly method?: Method | undefined;
  /** Path and query, such as `/api/fleet/table/vehicles?limit=10`. */
  readonly path?: string | undefined;
}

/** Reads the parameters of an address. */
export function readExplainSearch(raw: Readonly<Record<string, unknown>>): ExplainSearch {
  return {
    user: textOf(raw.user),
    method: actionMethods.find(({ method }) => method === raw.method)?.method,
    path: textOf(raw.path),
  };
}
