import {
  authenticationRequired,
  type Caller,
  callerKindOf,
  isCredentialGood,
  type Principal,
  standingOf,
} from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import { LRUCache } from "lru-cache";
import { type AuthorizedPlan, authorizePlan } from "../authorize/authorize-plan.ts";
import type { DataRequest } from "../parse/request.ts";
import { planRequest } from "../plan/plan-request.ts";
import { compileEstimate } from "./compile-estimate.ts";
import { compileStatement } from "./compile-statement.ts";
import type { Statement } from "./statement.ts";

/** A request's shape, compiled for the roles of its caller. */
export interface CompiledRequest {
  readonly plan: AuthorizedPlan;
  readonly statement: Statement;
  /** Asks the planner for the count, before the statement runs; null where no estimate is wanted. */
  readonly estimate: Statement | null;
  /** How often it has run. */
  uses: number;
  /** Bytes of its last answer if that was a large one, else 0. */
  largeBytes: number;
}

/**
 * Stages 2 to 4 of a request.
 *
 * @throws AppError of the contract
 */
export type CompileRequest = (
  request: DataRequest,
  snapshot: Snapshot,
  principal: Principal,
  caller: Caller,
) => CompiledRequest;

/** Statements of one snapshot at most. */
const compiledMax = 2_000;

/**
 * Compiles requests, and remembers what it compiled by snapshot, roles and shape. A snapshot that is let go takes its
 * statements with it.
 *
 * @param onSnapshot hears of each snapshot before its first statement
 * @param onAsked hears whether a shape was known
 */
export function createStatementCache(
  onSnapshot: (snapshot: Snapshot) => void,
  onAsked?: (isHit: boolean) => void,
): CompileRequest {
  const caches = new WeakMap<Snapshot, LRUCache<string, CompiledRequest>>();
  return (request, snapshot, principal, caller) => {
    let cache = caches.get(snapshot);
    if (cache === undefined) {
      cache = new LRUCache({ max: compiledMax });
      caches.set(snapshot, cache);
      onSnapshot(snapshot);
    }
    const callerKind = callerKindOf(caller);
    const isWhole = request.wholeLists === true;
    const key = `${callerKind} ${isWhole} ${principal.plane} ${principal.roleIds.join()} ${request.shape}`;
    const known = cache.get(key);
    onAsked?.(known !== undefined);
    if (known !== undefined) return known;
    if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
      throw authenticationRequired();
    }
    const authorized = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
    const plan = isWhole ? { ...authorized, relatedRowsMax: null } : authorized;
    const compiled = {
      plan,
      statement: compileStatement(plan, snapshot, callerKind),
      estimate: compileEstimate(plan, snapshot, callerKind),
      uses: 0,
      largeBytes: 0,
    };
    cache.set(key, compiled);
    return compiled;
  };
}
