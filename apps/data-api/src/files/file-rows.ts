import type { Caller } from "@rowhouse/access";
import {
  type DataAnswer,
  type DataEngine,
  type DataRequest,
  parseRequest,
  type RequestParts,
  receiveRequest,
  requestLimitsOf,
  requestOriginOf,
} from "@rowhouse/data";
import type { Database, Queryable, SnapshotStore } from "@rowhouse/db";
import { AppError, type Fault } from "@rowhouse/errors";
import { contentFields, readableFiles, requireContent } from "@rowhouse/files";
import { type Settings, settingsOf } from "@rowhouse/settings";

/** The fields of a file that its uploader sets. */
export type FileFields = Readonly<Record<string, unknown>>;

/**
 * The rows of files, through the same engine as every other request: so grants, checks and presets decide, and each
 * answer proves that they are current.
 */
export interface FileRows {
  /**
   * Proves that the caller may create a file with these fields and bytes.
   *
   * @returns the id of the user
   * @throws AppError as the Data API
   */
  authorizeCreate(fields: FileFields, as: FileCaller): Promise<string>;
  /**
   * Returns what refuses the fields of a new file, all faults of all fields: the row is created without its bytes and taken back.
   * The path of a violated constraint is its field.
   *
   * @throws AppError as `authorizeCreate`; ACTION_DENIED if the checks of the grants refuse the row whatever its bytes are
   */
  faultsOfCreate(fields: FileFields, as: FileCaller): Promise<readonly Fault[]>;
  /** The same for new bytes of this file: the row filters of the grants decide on the row as it is now. */
  authorizeReplace(id: string, as: FileCaller): Promise<string>;
  /** Creates a file from a complete upload. @throws AppError as the Data API */
  create(fields: FileFields, uploadId: string, as: FileCaller): Promise<DataAnswer>;
  /** Gives a file the bytes of a complete upload. @throws AppError as the Data API */
  replace(id: string, uploadId: string, as: FileCaller, on: Queryable): Promise<DataAnswer>;
  /**
   * Ensures that the caller may read the row and its field `content`.
   *
   * @throws AppError NOT_FOUND if not, AUTHENTICATION_REQUIRED for an invalid credential
   */
  requireReadable(id: string, as: Pick<FileCaller, "caller">): Promise<void>;
  /**
   * Returns those of several ids for which `requireReadable` succeeds, by one statement.
   *
   * @param ids distinct UUIDs
   * @throws AppError AUTHENTICATION_REQUIRED for an invalid credential
   */
  readableOf(ids: readonly string[], as: Pick<FileCaller, "caller">): Promise<ReadonlySet<string>>;
}

/** Who writes, and the headers of a write that the engine honors. */
export interface FileCaller {
  readonly caller: Caller;
  /** `Prefer` and `X-Service-Timezone`. */
  readonly headers: Headers;
}

interface FileRowsDependencies {
  readonly database: Database;
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
}

const target = { schema: "system", name: "files", kind: "TABLE" } as const;
/** Stands for an upload that does not exist yet. */
const anyUpload = "00000000-0000-0000-0000-000000000000";
const noHeaders = new Headers();

export function createFileRows({ database, engine, snapshots }: FileRowsDependencies): FileRows {
  const requestOf = async (
    parts: Omit<RequestParts, "target">,
    headers: Headers,
  ): Promise<DataRequest> => {
    const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
    return receive({ target, ...parts }, headers, settings);
  };
  const createOf = (fields: FileFields, content: string, { headers }: FileCaller) =>
    requestOf({ id: null, method: "POST", query: "", data: { ...fields, content } }, headers);
  const replaceOf = (id: string, content: string, { headers }: FileCaller) =>
    requestOf({ id, method: "PATCH", query: "", data: { content } }, headers);

  /** Returns the error of a row that the database or a grant refuses; undefined if both take it. */
  const tryCreate = async (fields: FileFields, as: FileCaller): Promise<AppError | undefined> => {
    const parts = { id: null, method: "POST", query: "", data: fields } as const;
    try {
      await engine.authorize(await createOf(fields, anyUpload, as), as.caller);
      const request = await requestOf(parts, as.headers);
      await database.transaction(async (transaction) => {
        await engine.answer(request, as.caller, transaction);
        throw takenBack;
      });
    } catch (error) {
      if (error === takenBack) return undefined;
      if (error instanceof AppError && refusals.has(error.status)) return error;
      throw error;
    }
    return undefined;
  };

  return {
    faultsOfCreate: async (fields, as) => {
      const whole = await tryCreate(fields, as);
      if (whole === undefined) return [];
      const found: Fault[] = [];
      // PostgreSQL names one fault of a row.
      for (const [path, value] of Object.entries(fields)) {
        const error = await tryCreate({ name: "file", [path]: value }, as);
        if (error !== undefined && error.status !== 403) {
          const inForm = (fault: Fault) => ofConstraint.has(fault.code) || fault.path === undefined;
          found.push(...error.faults.map((fault) => (inForm(fault) ? { ...fault, path } : fault)));
        }
      }
      if (found.length === 0 && !(whole.status === 403 && (await checksBytes(database))))
        throw whole;
      return found;
    },
    authorizeCreate: async (fields, as) =>
      (await engine.authorize(await createOf(fields, anyUpload, as), as.caller)).userId,
    authorizeReplace: async (id, as) => {
      const request = await replaceOf(id, anyUpload, as);
      const { userId } = await engine.authorize(request, as.caller);
      // Changes nothing: the trigger of the row refuses the missing upload, after the row filters found the row.
      await engine.answer(request, as.caller).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== "VALUE_INVALID") throw error;
      });
      return userId;
    },
    create: async (fields, uploadId, as) =>
      engine.answer(await createOf(fields, uploadId, as), as.caller),
    replace: async (id, uploadId, as, on) =>
      engine.answer(await replaceOf(id, uploadId, as), as.caller, on),
    requireReadable: (id, { caller }) =>
      requireContent(async () => {
        const query = `fields=${contentFields}`;
        const request = await requestOf({ id, method: "GET", query }, noHeaders);
        return JSON.parse((await engine.answer(request, caller)).data ?? "{}");
      }),
    readableOf: async (ids, { caller }) => {
      const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
      const query = new URLSearchParams({
        ...{ fields: contentFields, limit: String(ids.length) },
        where: JSON.stringify({ id: { _in: ids } }),
      });
      // The limits of callers' lists do not apply to a list whose length the service chooses.
      const most = { limitMax: ids.length, listMax: ids.length };
      const request = parseRequest(
        { target, id: null, method: "GET", query: query.toString() },
        { ...requestLimitsOf(settings), ...most },
      );
      return readableFiles(async () =>
        JSON.parse((await engine.answer(request, caller)).data ?? "[]"),
      );
    },
  };
}

const takenBack = new Error("The row was created to try it");
/** The codes of violated constraints, whose faults have the name of the field in the form. */
const ofConstraint: ReadonlySet<string> = new Set([
  ...["CHECK_VIOLATION", "UNIQUE_VIOLATION", "FOREIGN_KEY_VIOLATION", "CONFLICT"],
]);

/** Statuses of a row that is refused, and not its caller or its moment. */
const refusals: ReadonlySet<number> = new Set([400, 403, 409]);

/** Returns whether a grant checks what only the bytes of a file decide. */
async function checksBytes(queryable: Queryable): Promise<boolean> {
  const found = await queryable.query(
    `select from system.grants g join system.resources r on r.id = g.resource_id
     where r.schema_name = 'system' and r.relation_name = 'files' and g.action = 'CREATE'
       and g.row_check::text ~ '"(?:state|content|media_type|claimed_type|bytes|sha256|width|height)"' limit 1`,
  );
  return found.length > 0;
}

function receive(parts: RequestParts, headers: Headers, settings: Settings): DataRequest {
  const isAbandoned = () => false;
  const origin = requestOriginOf(headers, { parts, bodyBytes: 0, settings, isAbandoned });
  return receiveRequest(parseRequest, origin);
}
