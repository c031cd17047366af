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
import type { FileDependencies } from "../answer/engine-dependencies.ts";
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
import { refusedWrite } from "../execute/run-statement.ts";
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
}

/** Lists as files of any length. */
export interface ExportEngine {
  /**
   * Starts an export: the same stages as a list, and the same proof in the statement itself. Its rows are those of the
   * moment at which it starts. While it runs, its caller is proven again every second.
   *
   * @returns its bytes, after the first row has proven the rights; the stream must be read to its end or canceled. It fails
   * when the account, the credential or the grants that its rows depend on end
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

interface ExportDependencies extends FileDependencies {
  readonly slots: TransferSlots;
}

/** Composes the stages of an export. Its statements run once, so they are neither cached nor prepared. */
export function createExportEngine(dependencies: FileDependencies): ExportEngine {
  const parts = { ...dependencies, slots: dependencies.bounds.exports };
  return {
    open: async (request, caller, options) => {
      try {
        return await proveAndRepeat(
          parts,
          {
            caller,
            isAbandoned: () => options.signal.aborted,
            timeout: "data.export_timeout_ms",
          },
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
  rights: Rights,
): Promise<ProofOutcome<ReadableStream<Uint8Array>>> {
  const { database } = dependencies;
  const { snapshot, principal } = rights;
  const context = contextOf(received, caller, rights, options.format);
  const { format } = options;
  const compiled = compile(dependencies, context, format);
  const parameters = bindParameters(compiled.statement, context);
  // The statement proves the rights with its first row, which may take long: its limits must be current before.
  if (!(await isProven(database, snapshot, principal, caller)))
    return { kind: "STALE", part: null };
  const sight = sightOf(dependencies, context, format);
  const prove = () =>
    proveAndRepeat<void>(dependencies, { caller }, async (current) => {
      if (sightOf(dependencies, contextOf(received, caller, current, format), format) !== sight) {
        const message = "The rights on which an export depends have changed";
        throw createError("ACTION_DENIED", { message });
      }
      return { kind: "UNPROVEN", value: undefined };
    });
  try {
    const body = await start(dependencies, compiled, parameters, { rights, options, prove });
    return body === undefined ? { kind: "STALE", part: null } : { kind: "PROVEN", value: body };
  } catch (error) {
    const failed = failedStatement(compiled, context, parameters, database);
    return { kind: "FAILED", error, explain: (cause) => explainFailure(cause, failed) };
  }
}

/** Returns what an export lets its caller see: its statement but for what proves the rights of one moment. */
function sightOf(
  dependencies: ExportDependencies,
  context: ExportContext,
  format: ExportFormat,
): string {
  const { unrelatedSql: _, ...snapshot } = context.snapshot;
  const { statement } = compile(dependencies, { ...context, snapshot }, format);
  const isLasting = (_: Parameter, index: number) => {
    const kind = statement.parameters[index]?.kind;
    return kind !== "PROOF" && kind !== "VERSION";
  };
  const parameters = bindParameters(statement, context).filter(isLasting);
  return JSON.stringify([statement.text, parameters]);
}

interface ExportContext extends Rights {
  readonly request: ExportRequest;
  readonly caller: Caller;
}

function contextOf(
  received: ExportRequest,
  caller: Caller,
  rights: Rights,
  format: ExportFormat,
): ExportContext {
  return {
    ...rights,
    caller,
    request: underSettingsOf(rights.snapshot, received, (...parts) =>
      parseExportRequest(...parts, format),
    ),
  };
}

function compile(
  { titleFor }: ExportDependencies,
  { request, snapshot, principal, caller }: ExportContext,
  format: ExportFormat,
): Compiled {
  if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
    throw authenticationRequired();
  }
  const plan = authorizePlan(planRequest(request, snapshot.catalogue), snapshot, principal);
  if (plan.kind !== "LIST" && plan.kind !== "AGGREGATE") throw createError("INTERNAL_ERROR");
  const forms = { ...request.forms, snapshot, titleFor };
  return { plan, statement: compileExport(plan, format, snapshot, callerKindOf(caller), forms) };
}

interface Start {
  readonly rights: Rights;
  readonly options: OpenExportOptions;
  /** Rejects when the caller may no longer see the rows. */
  readonly prove: () => Promise<void>;
}

/** Runs the statement; returns undefined if its first row reports stale rights. */
async function start(
  { database, slots }: ExportDependencies,
  { statement }: Compiled,
  parameters: readonly Parameter[],
  { rights: { snapshot, principal, leftMs }, options, prove }: Start,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const { format, signal, onBroken } = options;
  const settings = settingsOf(snapshot);
  const release = slots.take(principal.userId, settings);
  try {
    const rows = database.stream(statement.text, parameters, {
      timeoutMs: leftMs ?? settings["data.export_timeout_ms"],
      signal,
      readOnly: true,
    });
    const { value: first = [] }: IteratorResult<TextRow[], undefined> = await rows.next();
    if (first[0]?.[0] === "true") {
      return exportBody({
        writer: format === "CSV" ? csvWriter(statement.columns) : ndjsonWriter,
        first,
        rows,
        stallMs: settings["data.export_stall_ms"],
        prove,
        signal,
        onEnd: (failure) => {
          release();
          if (failure !== null && !signal.aborted) onBroken(refusedWrite(failure.error));
        },
      });
    }
    await rows.return?.();
  } catch (error) {
    release();
    throw refusedWrite(error);
  }
  release();
  return undefined;
}
