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
import { settingsOf } from "@rowhouse/settings";
import { type AuthorizedPlan, authorizePlan } from "./authorize-plan.ts";
import { bindParameters } from "./bind-parameters.ts";
import { compileExport, type ExportStatement } from "./compile-export.ts";
import { explainFailure } from "./explain-failure.ts";
import { exportBody } from "./export-body.ts";
import { csvWriter, type ExportFormat, ndjsonWriter } from "./export-format.ts";
import type { ExportRequest } from "./export-request.ts";
import { createExportSlots } from "./export-slots.ts";
import { type DataEngineDependencies, isProven } from "./pipeline.ts";
import { planRequest } from "./plan-request.ts";

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
/** A reader who takes nothing for so long has gone, whatever the connection says. */
const stallMs = 60_000;

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
    if (callerKind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
      throw authenticationRequired();
    }
    const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
    if (plan.kind !== "LIST" && plan.kind !== "AGGREGATE") throw createError("INTERNAL_ERROR");
    return { plan, statement: compileExport(plan, format, snapshot, callerKind) };
  };

  const open: ExportEngine["open"] = async (request, caller, { format, signal, onBroken }) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const snapshot = snapshots.peek() ?? (await snapshots.current());
      const principal = await principals.find(caller);
      if (principal === undefined) throw authenticationRequired();

      let compiled: Compiled | undefined;
      let parameters: Parameter[] = [];
      let release: (() => void) | undefined;
      try {
        compiled = compile(request, format, snapshot, principal, caller);
        parameters = bindParameters(compiled.statement, { request, snapshot, principal, caller });
        const settings = settingsOf(snapshot);
        release = slots.take(principal.userId, settings);
        const rows = database.stream(compiled.statement.text, parameters, {
          timeoutMs: settings["data.export_timeout_ms"],
          signal,
        });
        const first: IteratorResult<TextRow[]> = await rows.next();
        const batch: TextRow[] = first.done === true ? [] : first.value;
        if (batch[0]?.[0] === "true") {
          const free = release;
          release = undefined;
          const { columns } = compiled.statement;
          return exportBody({
            writer: format === "CSV" ? csvWriter(columns) : ndjsonWriter,
            first: batch,
            rows,
            stallMs,
            signal,
            onEnd: (failure) => {
              free();
              if (failure !== null && !signal.aborted) onBroken(failure.error);
            },
          });
        }
        await rows.return?.();
        principals.forget(caller);
        await snapshots.fresh();
      } catch (error) {
        if (signal.aborted) throw createError("SERVICE_UNAVAILABLE", { cause: error });
        if (toAppError(error).code === "SERVICE_UNAVAILABLE") throw error;
        // No error is told before it is proven that it was found on what holds at this moment.
        if (await isProven(database, snapshot, principal, caller)) {
          if (compiled === undefined || error instanceof AppError) throw error;
          const { plan, statement } = compiled;
          throw await explainFailure(error, statement, plan, request, parameters, database);
        }
        principals.forget(caller);
        await snapshots.fresh();
      } finally {
        release?.();
      }
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
