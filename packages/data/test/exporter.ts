import { parseSecret } from "@rowhouse/access";
import { createSnapshotStore, type Database, type SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { titleFor } from "@rowhouse/permissions";
import type { TestUser } from "@rowhouse/testing";
import {
  type DataPlane,
  type ExportFormat,
  openDataPlane,
  parseExportRequest,
} from "../src/index.ts";
import { limits } from "./engine.ts";

export interface Opened {
  readonly body: ReadableStream<Uint8Array>;
  /** The error that broke the export off. */
  readonly broken: unknown[];
  readonly away: AbortController;
}

/** Calls the export engine as the route does, without HTTP. */
export function createExporter(
  database: Database,
  snapshots: SnapshotStore = createSnapshotStore(database),
  shared?: DataPlane["bounds"],
) {
  const { exports: engine, bounds } = openDataPlane({
    ...{ database, snapshots, titleFor },
    bounds: shared,
  });

  const open = async (
    user: TestUser,
    name: string,
    query: string,
    format: ExportFormat,
    away = new AbortController(),
  ): Promise<Opened> => {
    const credential = parseSecret(user.secret);
    if (credential === undefined) throw new Error("not a secret");
    const [schema = "", relation = "", kind] = name.split("/");
    const target = { schema, name: relation, kind: kind === "view" ? "VIEW" : "TABLE" } as const;
    const broken: unknown[] = [];
    const body = await engine.open(
      parseExportRequest({ target, id: null, method: "GET", query }, limits, undefined, format),
      { kind: "CREDENTIAL", credential },
      { format, signal: away.signal, onBroken: (error) => broken.push(error) },
    );
    return { body, broken, away };
  };

  /** Returns the whole file, or its error in the form of the list tests. */
  const read = async (
    user: TestUser,
    name: string,
    query: string,
    format: ExportFormat,
  ): Promise<string | { readonly status: number; readonly errors: unknown }> => {
    try {
      const { body } = await open(user, name, query, format);
      return await new Response(body).text();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { status: error.status, errors: error.faults };
    }
  };

  return {
    bounds,
    snapshots,
    open,
    csv: (user: TestUser, name: string, query = "") => read(user, name, query, "CSV"),
    ndjson: (user: TestUser, name: string, query = "") => read(user, name, query, "NDJSON"),
  };
}

/** Parses RFC 4180 independently of the writer into rows of cells; an empty cell is null. */
export function readCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let at = 0;
  while (at < text.length) {
    let cell: string | null = null;
    if (text[at] === '"') {
      cell = "";
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error("a quote is not closed");
        cell += text[at];
        if (text[at] === '"') at += 1;
      }
      at += 1;
    } else {
      const end = /[,\r]/.exec(text.slice(at))?.index ?? text.length;
      if (end > 0) cell = text.slice(at, at + end);
      at += end;
    }
    row.push(cell);
    if (text[at] === ",") {
      at += 1;
      if (text.startsWith("\r\n", at)) row.push(null);
      else continue;
    }
    if (!text.startsWith("\r\n", at)) throw new Error(`missing end of line at ${at}`);
    at += 2;
    rows.push(row);
    row = [];
  }
  return rows;
}
