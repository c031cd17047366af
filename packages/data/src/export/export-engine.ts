import {
  authenticationRequired,
  type Caller,
  callerKindOf,
  isCredentialGood,
  type Principal,
  standingOf,
} from "@rowhouse/access";
import { type Parameter, type Snapshot, type TextRow, toAppError } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { type AuthorizedPlan, authorizePlan } from "../authorize/authorize-plan.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import type { DataEngineDependencies } from "../execute/engine-dependencies.ts";
import { explainFailure } from "../execute/explain-failure.ts";
import { isProven } from "../execute/is-proven.ts";
import { underLimitsOf } from "../parse/request-limits.ts";
import { planRequest } from "../plan/plan-request.ts";
import { compileExport, type ExportStatement } from "./compile-export.ts";
import { exportBody } from "./export-body.ts";
import { csvWriter, type ExportFormat, ndjsonWriter } from "./export-format.ts";
import type { ExportRequest } from "./export-request.ts";
import { createExportSlots } from "./export-slots.ts";

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Given when the caller goes away. */
  readonly signal: AbortSignal;
  /** Hears of an export that broke off after its first byte, when no answer can tell of it any more. */
  readonly onBroken: (error: unknown) => void;
}

/** Lists as files of any length. */
export interface ExportEngine {
  /**
   * Starts an export: the same stages as a list's, and the same proof in the statement itself. What it gives is what held
   * when it began.
   *
   * @returns its bytes, once it is known that there are any; the stream must be read to its end or cancelled
   * @throws AppError of the contract; RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE where too many exports run
   */
  open(
    request: ExportRequest,
    caller: Caller,
    options: ExportOptions,
  ): Promise<ReadableStream<Uint8Array>>;
}

interface Compiled {
  readonly plan: AuthorizedPlan;
  readonly statement: ExportStatement;
}

const attemptsMax = 8;

/** Composes the stages of an export. Its statements come once, so that none is remembered or prepared. */
export function createExportEngine(dependencies: DataEngineDependencies): ExportEngine {
  const { database, snapshots, principals } = dependencies;
  const slots = createExportSlots();

  const compile = (
    request: ExportRequest,
    format: ExportFormat,
    snapshot: Snapshot,
    principal: Principal,
    caller: Caller,
  ): Compiled => {
    const callerKind = callerKindOf(caller);
    if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
      throw authenticationRequired();
    }
    const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
    if (plan.kind !== "LIST" && plan.kind !== "AGGREGATE") throw createError("INTERNAL_ERROR");
    return { plan, statement: compileExport(plan, format, snapshot, callerKind) };
  };

  /** Runs the statement; undefined where it has found itself out of date. */
  const start = async (
    { statement }: Compiled,
    parameters: readonly Parameter[],
    settings: Settings,
    userId: string,
    { format, signal, onBroken }: ExportOptions,
  ): Promise<ReadableStream<Uint8Array> | undefined> => {
    const release = slots.take(userId, settings);
    try {
      const rows = database.stream(statement.text, parameters, {
        timeoutMs: settings["data.export_timeout_ms"],
        signal,
      });
      const { value: first = [] }: IteratorResult<TextRow[], undefined> = await rows.next();
      if (first[0]?.[0] === "true") {
        return exportBody({
          writer: format === "CSV" ? csvWriter(statement.columns) : ndjsonWriter,
          first,
          rows,
          stallMs: settings["data.export_stall_ms"],
          signal,
          onEnd: (failure) => {
            release();
            if (failure !== null && !signal.aborted) onBroken(failure.error);
          },
        });
      }
      await rows.return?.();
    } catch (error) {
      release();
      throw error;
    }
    release();
    return undefined;
  };

  const open: ExportEngine["open"] = async (received, caller, options) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const snapshot = snapshots.peek() ?? (await snapshots.current());
      const principal = await principals.find(caller);
      if (principal === undefined) throw authenticationRequired();

      let compiled: Compiled | undefined;
      let parameters: Parameter[] = [];
      let request = received;
      try {
        request = underLimitsOf(received, snapshot);
        compiled = compile(request, options.format, snapshot, principal, caller);
        parameters = bindParameters(compiled.statement, { request, snapshot, principal, caller });
        // The statement proves itself with its first row, which may be long in coming: its limits must be today's.
        if (await isProven(database, snapshot, principal, caller)) {
          const settings = settingsOf(snapshot);
          const body = await start(compiled, parameters, settings, principal.userId, options);
          if (body !== undefined) return body;
        }
      } catch (error) {
        if (options.signal.aborted) throw createError("SERVICE_UNAVAILABLE", { cause: error });
        if (toAppError(error).code === "SERVICE_UNAVAILABLE") throw error;
        // No error is told before it is proven that it was found on what holds at this moment.
        if (await isProven(database, snapshot, principal, caller)) {
          if (compiled === undefined || error instanceof AppError) throw error;
          const { plan, statement } = compiled;
          throw await explainFailure(error, {
            ...{ statement, plan, request, parameters, database, userId: principal.userId },
            bind: (other) =>
              bindParameters(statement, { request: other, snapshot, principal, caller }),
          });
        }
      }
      principals.forget(caller);
      await snapshots.fresh();
    }
    throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
  };

  return {
    open: async (request, caller, options) => {
      try {
        return await open(request, caller, options);
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}
