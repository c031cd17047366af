import { authenticationRequired, parseAuthorization } from "@rowhouse/access";
import { type Database, isUuid } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { findFile, type StoredFile } from "@rowhouse/files";
import type { EdgeContext } from "@rowhouse/http";
import { type CredentialCaller, callerWith } from "../credential-caller.ts";
import type { FileRows } from "./file-rows.ts";
import type { FileTickets } from "./file-ticket.ts";

export interface FileAccessDependencies {
  readonly database: Database;
  readonly rows: FileRows;
  readonly tickets: FileTickets;
}

/** A file that the caller may read now. */
export interface ReadableFile {
  readonly file: StoredFile;
  /**
   * Proves the right again. Undefined for a public file.
   *
   * @throws as `openFile`
   */
  readonly prove: (() => Promise<void>) | undefined;
  /** Distinguishes callers; null for one without a credential. */
  readonly callerKey: string | null;
}

/**
 * Finds a file for the caller of a request: by the credential in `Authorization`, by a ticket, or without a credential
 * if it is public. A missing file and one that the caller may not read get the same error, after the same queries.
 *
 * @throws AppError NOT_FOUND; AUTHENTICATION_REQUIRED for an invalid credential or ticket, and without one
 */
export async function openFile(
  { database, rows, tickets }: FileAccessDependencies,
  id: string,
  request: Request,
  edge: EdgeContext,
): Promise<ReadableFile> {
  if (!isUuid(id)) throw createError("NOT_FOUND");
  const caller = await readerOf(id, request, edge, tickets);
  if (caller === null) {
    const file = publicFile(await findFile(database, id), authenticationRequired());
    return { file, prove: undefined, callerKey: null };
  }
  const callerKey = caller.credential.digest;
  const prove = () => rows.requireReadable(id, { caller });
  const [file, refusal] = await Promise.all([findFile(database, id), prove().catch(refusalOf)]);
  if (refusal !== undefined)
    return { file: publicFile(file, refusal), prove: undefined, callerKey };
  if (file === undefined) throw createError("NOT_FOUND");
  return { file, prove, callerKey };
}

/** The caller of a request that names a credential; null without one. */
async function readerOf(
  id: string,
  request: Request,
  edge: EdgeContext,
  tickets: FileTickets,
): Promise<CredentialCaller | null> {
  const authorization = request.headers.get("authorization");
  const ticket = new URL(request.url).searchParams.get("ticket");
  if (authorization === null && ticket === null) return null;
  const credential =
    authorization === null
      ? await tickets.read(id, ticket ?? "")
      : parseAuthorization(authorization);
  if (credential === undefined) throw authenticationRequired();
  return callerWith(credential, edge);
}

function publicFile(file: StoredFile | undefined, refusal: Error): StoredFile {
  if (file?.isPublic) return file;
  throw refusal;
}

/** The error of a caller without the right; any other error, such as of an invalid credential, is thrown. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError && error.code === "NOT_FOUND") return error;
  throw error;
}
