import { createHash } from "node:crypto";
import type { Caller } from "@rowhouse/access";
import {
  type Queryable,
  requestFingerprintOf,
  type StagingTransaction,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import type { FileDependencies } from "../answer/engine-dependencies.ts";
import { proveAndRepeat } from "../answer/prove-and-repeat.ts";
import { claimKey, storeAnswer, storedAnswer } from "../answer/stored-answers.ts";
import type { TransferSlots } from "../execute/process-bounds.ts";
import type { DataAnswer } from "../render/render-response.ts";
import { createStagingSql, stagingTable } from "./compile-import.ts";
import type { ImportRequest } from "./import-request.ts";
import { createNamedSql, readHeads } from "./named-references.ts";
import { openFile, readChunks } from "./open-file.ts";
import { RowFaults } from "./row-faults.ts";
import { createStagedRows } from "./staged-rows.ts";
import {
  authorizeImport,
  creatableColumns,
  type RowCounts,
  requireRights,
  type WriteDependencies,
  writeRows,
} from "./write-rows.ts";

/** Creates the rows of files of any length. */
export interface ImportEngine {
  /**
   * Creates the rows of a file, all or none. The rows are staged in a temporary table, which locks nothing, and then
   * created by one statement under the rights of that moment.
   *
   * @param body the file; a stream that fails ends the import without an effect
   * @param signal its abort ends the import without an effect, unless the commit has begun
   * @throws AppError of the contract, with the first faults of the file and their number in `meta`
   */
  run(
    request: ImportRequest,
    caller: Caller,
    body: ReadableStream<Uint8Array> | null,
    signal?: AbortSignal,
  ): Promise<DataAnswer>;
}

interface ImportDependencies extends WriteDependencies {
  readonly slots: TransferSlots;
  readonly signal: AbortSignal | undefined;
}

/** Composes the stages of an import. */
export function createImportEngine(dependencies: FileDependencies): ImportEngine {
  const parts = { ...dependencies, slots: dependencies.bounds.imports };
  return {
    run: async (request, caller, body, signal) => {
      try {
        const content = body ?? emptyBody();
        const { system } = parts;
        const isOfSystem = system !== undefined && request.target.schema === "system";
        if (isOfSystem) await requireNoEventTrigger(system);
        const database = isOfSystem ? system : parts.database;
        return await runImport(
          { ...parts, database, isOfSystem, signal },
          request,
          caller,
          content,
        );
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

/**
 * Requires that no event trigger of others runs when the staging table is created.
 *
 * @throws AppError CONFLICT
 */
async function requireNoEventTrigger(system: Queryable): Promise<void> {
  const found = await system.query(
    `select from pg_catalog.pg_event_trigger e join pg_catalog.pg_proc p on p.oid = e.evtfoid
     where e.evtenabled <> 'D' and p.pronamespace <> 'system'::regnamespace limit 1`,
  );
  if (found.length === 0) return;
  const message =
    "The database has an event trigger whose code an import into a table of the schema system would run";
  throw createError("CONFLICT", { message });
}

function emptyBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

async function runImport(
  dependencies: ImportDependencies,
  request: ImportRequest,
  caller: Caller,
  body: ReadableStream<Uint8Array>,
): Promise<DataAnswer> {
  // Refuses callers without the right to create before the body is read.
  const rights = await proveAndRepeat(dependencies, { caller }, async (current) => {
    authorizeImport(request, [], current, caller);
    return { kind: "UNPROVEN", value: current };
  });
  const { userId } = rights.principal;
  const settings = settingsOf(rights.snapshot);
  const release = dependencies.slots.take(userId, settings);
  try {
    const hash = createHash("sha256").update(fingerprintOfImport(request));
    const file = await openFile(
      request,
      readChunks(body, {
        ...{ format: request.format, encoding: request.form.encoding },
        bytesMax: settings["limits.import_bytes"],
        stallMs: settings["limits.import_stall_ms"],
        timeoutMs: settings["limits.import_timeout_ms"],
        onBytes: (bytes) => request.key !== null && hash.update(bytes),
      }),
      settings["limits.body_bytes"],
    );
    try {
      const naming = { snapshot: rights.snapshot, titleFor: dependencies.titleFor };
      const plan = authorizeImport(request, [], rights, caller);
      const heads = file.header && readHeads(file.header, request, plan, naming);
      if (heads !== null) {
        const names = heads.flatMap((head) => head.names);
        await proveAndRepeat(dependencies, { caller }, async (current) => {
          authorizeImport(request, [names], current, caller);
          return { kind: "UNPROVEN", value: undefined };
        });
      }
      const faults = new RowFaults();
      const columns = creatableColumns(request, rights, caller);
      const rowsMax = settings["limits.import_rows"];
      const rows = createStagedRows({ file, heads }, columns, request.form, faults, rowsMax);
      return await dependencies.database.stage(
        async (transaction) => {
          await stageRows(transaction, rows);
          const input = { request, rows, faults };
          const owner = { userId, key: request.key ?? "", fingerprint: hash.digest("hex") };
          if (request.key !== null && !(await claimKey(transaction, owner))) {
            const first = await storedAnswer(transaction, owner);
            await requireRights(dependencies, input, caller, transaction);
            return first;
          }
          const counts = await writeRows(dependencies, input, caller, transaction);
          const answer = render(request, counts);
          if (request.key !== null) await storeAnswer(transaction, owner, answer);
          if (request.dryRun) throw new RolledBack(answer);
          return answer;
        },
        { timeoutMs: settings["limits.import_timeout_ms"], signal: dependencies.signal },
      );
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof RolledBack) return error.answer;
    throw error;
  } finally {
    release();
  }
}

/** Rolls a dry run back. */
class RolledBack extends Error {
  readonly answer: DataAnswer;

  constructor(answer: DataAnswer) {
    super("The import was a dry run");
    this.answer = answer;
  }
}

async function stageRows(
  transaction: StagingTransaction,
  rows: ReturnType<typeof createStagedRows>,
): Promise<void> {
  await transaction.query(createStagingSql(rows));
  if (rows.references.length > 0) await transaction.query(createNamedSql(rows.references));
  await transaction.copy(`copy ${stagingTable} from stdin`, rows.chunks());
}

function fingerprintOfImport(request: ImportRequest): string {
  const { target, format, form, forms, conflict, timeZone } = request;
  const { dates, booleans, ...signs } = form;
  return requestFingerprintOf([
    "IMPORT",
    target,
    format,
    // In the order of earlier versions, whose keys are valid for a day.
    {
      decimal: signs.decimal,
      delimiter: signs.delimiter ?? ",",
      encoding: signs.encoding,
      dates: dates?.text,
      booleans: booleans?.text,
    },
    conflict,
    timeZone,
    ...(forms.references === "key" && forms.heads === "name" ? [] : [forms]),
  ]);
}

function render({ dryRun, minimal }: ImportRequest, counts: RowCounts): DataAnswer {
  if (minimal) {
    return {
      ...{ status: 204, body: null, data: null },
      headers: { "Preference-Applied": "return=minimal" },
    };
  }
  const data = JSON.stringify(counts);
  const body = `{"data":${data},"meta":{"dryRun":${dryRun}}}`;
  return { status: dryRun ? 200 : 201, body, data };
}
