import {
  authenticationRequired,
  type Caller,
  type CallerKind,
  callerKindOf,
  isCredentialGood,
  type Principal,
  standingOf,
} from "@rowhouse/access";
import { proofOf, type Snapshot } from "@rowhouse/db";
import { LRUCache } from "lru-cache";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import {
  compileAgain,
  compileEstimate,
  compileShared,
  compileStatement,
  type SharedStatement,
} from "../compile/compile-statement.ts";
import type { Statement } from "../compile/statement.ts";
import type { DataRequest } from "../parse/request.ts";
import { planRequest } from "../plan/plan-request.ts";

/** A request's shape, compiled for the roles of its caller. */
export interface CompiledRequest {
  readonly plan: AuthorizedPlan;
  readonly statement: Statement;
  /** The proof of its scope in the snapshot that it was compiled under. */
  readonly proof: string;
  /**
   * Returns the planner's estimate of the count; runs before the statement. Null if the request needs no estimate.
   */
  readonly estimate: Statement | null;
  /** Reads the rows of a write again, after code of the database's users has run; null if the statement returns them. */
  readonly again: Statement | null;
  /** Returns the statement for several requests; null if they must not share one. */
  readonly shared: () => SharedStatement | null;
  /** The lane of its statements without the user; null if they may take long. */
  readonly lane: string | null;
  /** Until this time, on the clock of `performance`, each request runs a statement of its own. */
  aloneUntil: number;
  /** The most requests that waited for shared statements or were in them at one moment; falls with each statement. */
  together: number;
  /** Whether the statement can run code of the database's users. */
  readonly runsCode: boolean;
  /** Number of executions. */
  uses: number;
  /** Bytes of the last response if it was large, else 0. */
  largeBytes: number;
}

/**
 * Runs stages 2 to 4 of a request: plan, authorize, compile.
 *
 * @throws AppError of the contract
 */
export type CompileRequest = (
  request: DataRequest,
  snapshot: Snapshot,
  principal: Principal,
  caller: Caller,
) => CompiledRequest;

/** Maximum number of statements per snapshot. */
const compiledMax = 2_000;
/** Reads of a new shape are expected to come together until they have been seen. */
const togetherAtFirst = 8;
/** Tells lanes apart. */
let compiledCount = 0;

/**
 * Creates a function that compiles requests and caches the results by snapshot, roles and shape. The statements of a
 * snapshot are released together with it.
 *
 * @param onSnapshot receives each snapshot before its first statement
 * @param onAsked receives whether the statement was cached
 */
export function createStatementCache(
  onSnapshot: (snapshot: Snapshot) => void,
  onAsked?: (isHit: boolean) => void,
): CompileRequest {
  const caches = new WeakMap<Snapshot, LRUCache<string, Map<string, CompiledRequest>>>();
  return (request, snapshot, principal, caller) => {
    let cache = caches.get(snapshot);
    if (cache === undefined) {
      cache = new LRUCache({ maxSize: compiledMax, sizeCalculation: ({ size }) => size });
      caches.set(snapshot, cache);
      onSnapshot(snapshot);
    }
    const callerKind = callerKindOf(caller);
    const isWhole = request.wholeLists === true;
    const isPlain = !isWhole && request.readAgain !== true;
    const shape = isPlain ? request.shape : `${isWhole} ${request.readAgain} ${request.shape}`;
    const rights = rightsKeyOf(principal, callerKind);
    const ofShape = cache.get(shape);
    const known = ofShape?.get(rights);
    onAsked?.(known !== undefined);
    if (known !== undefined) return known;
    if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
      throw authenticationRequired();
    }
    const authorized = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
    const plan = isWhole ? { ...authorized, relatedRowsMax: null } : authorized;
    let shared: SharedStatement | null | undefined;
    const statement = compileStatement(plan, snapshot, callerKind);
    const compiled: CompiledRequest = {
      plan,
      statement,
      proof: proofOf(snapshot, statement.scope),
      runsCode: canRunCode(plan, statement, snapshot),
      estimate: compileEstimate(plan, snapshot, callerKind),
      again: compileAgain(plan, snapshot, callerKind),
      shared: () => {
        // Compiled on demand: most shapes occur once.
        if (shared === undefined) shared = compileShared(plan, snapshot, callerKind);
        return shared;
      },
      lane: plan.kind === "CREATE" && !plan.isList ? String(compiledCount++) : null,
      aloneUntil: 0,
      together: togetherAtFirst,
      uses: 0,
      largeBytes: 0,
    };
    cache.set(shape, new Map(ofShape).set(rights, compiled));
    return compiled;
  };
}

const rightsKeys = new WeakMap<Principal, { readonly kind: CallerKind; readonly key: string }>();

/** Returns what of a caller decides its statements. */
function rightsKeyOf(principal: Principal, kind: CallerKind): string {
  const known = rightsKeys.get(principal);
  if (known?.kind === kind) return known.key;
  const key = `${kind} ${principal.plane} ${principal.roleIds.join()}`;
  rightsKeys.set(principal, { kind, key });
  return key;
}

function canRunCode(
  { kind }: AuthorizedPlan,
  { scope }: Statement,
  { catalogue }: Snapshot,
): boolean {
  const isWrite = kind === "CREATE" || kind === "UPDATE" || kind === "DELETE";
  return scope.some((oid) => {
    const runsCode = catalogue.relationByOid(oid)?.runsCode;
    return runsCode !== undefined && (isWrite ? runsCode.writes : runsCode.reads);
  });
}
