import type { DataEngine } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import {
  createFileUploads,
  createImageVariants,
  type FileUploads,
  type ImageVariants,
  type Storage,
} from "@rowhouse/files";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import type { Context } from "hono";
import { type CredentialCaller, credentialCallerOf } from "../caller/request-headers.ts";
import { createFileRows, type FileCaller, type FileRows } from "./file-rows.ts";
import { createFileTickets, type FileTickets } from "./file-ticket.ts";

export interface FileRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engine: DataEngine;
  readonly storage: Storage;
  readonly vault: Vault;
  readonly now?: (() => number) | undefined;
}

/** What the routes of files share. */
export interface FileApi {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly storage: Storage;
  readonly rows: FileRows;
  readonly uploads: FileUploads;
  readonly tickets: FileTickets;
  readonly variants: ImageVariants;
}

export function createFileApi(dependencies: FileRoutesDependencies): FileApi {
  const { database, snapshots, storage, vault, now } = dependencies;
  return {
    ...{ database, snapshots, storage },
    rows: createFileRows(dependencies),
    uploads: createFileUploads(database, storage),
    tickets: createFileTickets(vault, now),
    variants: createImageVariants(database, storage),
  };
}

export type FileContext = Context<ServiceEnvironment>;

/**
 * The caller of a request, which must name a credential, and the headers that its row honors.
 *
 * @throws AppError AUTHENTICATION_REQUIRED
 */
export function fileCallerOf(c: FileContext): FileCaller & { readonly caller: CredentialCaller } {
  const { headers } = c.req.raw;
  const honored = new Headers();
  for (const name of ["prefer", "x-service-timezone"]) {
    const value = headers.get(name);
    if (value !== null) honored.set(name, value);
  }
  return { caller: credentialCallerOf(c), headers: honored };
}
