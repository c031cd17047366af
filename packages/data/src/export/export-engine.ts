import {
  authenticationRequired,
  type Caller,
  callerKindOf,
  isCredentialGood,
  standingOf,
} from "@rowhouse/access";
import { type Parameter, type TextRow, toAppError } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import type { DataEngineDependencies } from "../answer/engine-dependencies.ts";
import {
  isProven,
  type ProofOutcome,
  proveAndRepeat,
  type Rights,
} from "../answer/prove-and-repeat.ts";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { explainFailure, failedStatement } from "../execute/explain-failure.ts";
import type { TransferSlots } from "../execute/process-bounds.ts";
import type { ExportFormat } from "../parse/headers.ts";
import { underSettingsOf } from "../parse/parse-request.ts";
import { planRequest } from "../plan/plan-request.ts";
import { compileExport, type ExportStatement } from "./compile-export.ts";
import { csvWriter, exportBody, ndjsonWriter } from "./export-body.ts";
import { type ExportRequest, parseExportRequest } from "./export-request.ts";

export interface OpenExportOptions {
  readonly format: ExportFormat;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Receives the error of an export that fails after its first byte, when the status is already sent. */
  readonly onBroken: (error: unknown) => void;
  /** True if an export that writes, such as by a function of a view, must fail. */
  readonly readOnly?: boolean;
}

/** Lists as files of any length. */
export interface ExportEngine {
  /**
   * Starts an export: the same stages as a list, and the same proof in the statement itself. Its rows are those of the
   * moment at which it starts.
   *
   * @returns its bytes, after the first row has proven the rights; the stream must be read to its end or canceled
   * @throws AppError of the contract; RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE if too many exports run
   */
  open(
    request: ExportRequest,
    caller: Caller,
    options: OpenExportOptions,
  ): Promise<ReadableStream<Uint8Array>>;
}

interface Compiled {
  readonly plan: AuthorizedPlan;
  readonly statement: ExportStatement;
}

interface ExportDependencies extends DataEngineDependencies {
  readonly slots: TransferSlots;
}

/** Composes the stages of an export. Its statements run once, so they are neither cached nor prepared. */
export function createExportEngine(dependencies: DataEngineDependencies): ExportEngine {
  const parts = { ...dependencies, slots: dependencies.bounds.exports };
  return {
    open: async (request, caller, options) => {
      try {
        return await proveAndRepeat(
          parts,
          { caller, isAbandoned: () => options.signal.aborted },
          (rights) => attemptExport(parts, request, caller, options, rights),
        );
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

async function attemptExport(
  dependencies: ExportDependencies,
  received: ExportRequest,
  caller: Caller,
  options: OpenExportOptions,
  { snapshot, principal }: Rights,
): Promise<ProofOutcome<ReadableStream<Uint8Array>>> {
  const { database } = dependencies;
  const request = underSettingsOf(snapshot, received, parseExportRequest);
  const context = { request, snapshot, principal, caller };
  const compiled = compile(context, options.format);
  const parameters = bindParameters(compiled.statement, context);
  // The statement proves the rights with its first row, which may take long: its limits must be current before.
  if (!(await isProven(database, snapshot, principal, caller)))
    return { kind: "STALE", part: null };
  try {
    const body = await start(dependencies, compiled, parameters, context, options);
    return body === undefined ? { kind: "STALE", part: null } : { kind: "PROVEN", value: body };
  } catch (error) {
    const failed = failedStatement(compiled, context, parameters, database);
    return { kind: "FAILED", error, explain: (cause) => explainFailure(cause, failed) };
  }
}

interface ExportContext extends Rights {
  readonly request: ExportRequest;
  readonly caller: Caller;
}

function compile(
  { request, snapshot, principal, caller }: ExportContext,
  format: ExportFormat,
): Compiled {
  if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
    throw authenticationRequired();
  }
  const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
  if (plan.kind !== "LIST" && plan.kind !== "AGGREGATE") throw createError("INTERNAL_ERROR");
  return { plan, statement: compileExport(plan, format, snapshot, callerKindOf(caller)) };
}

/** Runs the statement; returns undefined if its first row reports stale rights. */
async function start(
  { database, slots }: ExportDependencies,
  { statement }: Compiled,
  parameters: readonly Parameter[],
  { snapshot, principal }: Rights,
  { format, signal, onBroken, readOnly = false }: OpenExportOptions,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const settings = settingsOf(snapshot);
  const release = slots.take(principal.userId, settings);
  try {
    const rows = database.stream(statement.text, parameters, {
      timeoutMs: settings["data.export_timeout_ms"],
      signal,
      readOnly,
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
}
