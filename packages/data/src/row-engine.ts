import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { RequestLimits } from "./parse-parts.ts";
import { type ListInput, listRequestOf, readRequestOf } from "./parse-read.ts";
import {
  createRequestOf,
  deleteRequestOf,
  type RowSelection,
  updateRequestOf,
} from "./parse-write.ts";
import type { DataEngine } from "./pipeline.ts";
import type { Target } from "./request.ts";

/** The Data API for callers that speak no HTTP: the row steps of a workflow, under a user's permissions. */
export interface RowEngine {
  listRows(
    input: ListInput & { readonly schema: string; readonly table: string },
    asUserId: string,
    on?: Queryable,
  ): Promise<unknown[]>;
  /** @throws AppError NOT_FOUND */
  getRow(
    input: TableName & { readonly id: readonly string[]; readonly fields?: string },
    asUserId: string,
    on?: Queryable,
  ): Promise<unknown>;
  /** Creates the row in the transaction at hand, so that it commits with what else the caller writes there. */
  createRow(
    input: {
      readonly schema: string;
      readonly table: string;
      readonly values: Readonly<Record<string, unknown>>;
    },
    asUserId: string,
    on: Queryable,
  ): Promise<unknown>;
  /** Changes the row with the key, and gives it; or the rows that match, and gives their list. */
  updateRows(
    input: TableName & RowSelection & { readonly values: Readonly<Record<string, unknown>> },
    asUserId: string,
    on: Queryable,
  ): Promise<unknown>;
  /** @returns how many rows are gone */
  deleteRows(input: TableName & RowSelection, asUserId: string, on: Queryable): Promise<number>;
}

interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** Rows through the same engine, and so the same grants, as every other request. */
export function createRowEngine(
  engine: DataEngine,
  limits: () => RequestLimits | Promise<RequestLimits>,
): RowEngine {
  return {
    listRows: async ({ schema, table, ...input }, userId, on) => {
      const request = listRequestOf(tableOf(schema, table), input, await limits());
      const answer = await engine.answer(request, { kind: "USER", userId }, on);
      return parseExactJson(answer.data ?? "[]") as unknown[];
    },
    getRow: async ({ schema, table, id, fields }, userId, on) => {
      const request = readRequestOf(tableOf(schema, table), id, fields);
      const answer = await engine.answer(request, { kind: "USER", userId }, on);
      return parseExactJson(answer.data ?? "null");
    },
    createRow: async ({ schema, table, values }, userId, on) => {
      const request = createRequestOf(tableOf(schema, table), new Map(Object.entries(values)));
      const answer = await engine.answer(request, { kind: "USER", userId }, on);
      return parseExactJson(answer.data ?? "null");
    },
    updateRows: async ({ schema, table, values, ...selection }, userId, on) => {
      const fields = new Map(Object.entries(values));
      const request = updateRequestOf(tableOf(schema, table), selection, fields, await limits());
      const answer = await engine.answer(request, { kind: "USER", userId }, on);
      return parseExactJson(answer.data ?? "null");
    },
    deleteRows: async ({ schema, table, ...selection }, userId, on) => {
      const request = deleteRequestOf(tableOf(schema, table), selection, await limits());
      const answer = await engine.answer(request, { kind: "USER", userId }, on);
      return answer.affected ?? 0;
    },
  };
}

function tableOf(schema: string, name: string): Target {
  return { schema, name, kind: "TABLE" };
}
