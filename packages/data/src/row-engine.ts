import type { Caller } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { RequestLimits } from "./parse/parse-parts.ts";
import { type ListInput, listRequestOf, readRequestOf } from "./parse/parse-read.ts";
import {
  createRequestOf,
  deleteRequestOf,
  type RowSelection,
  updateRequestOf,
} from "./parse/parse-write.ts";
import type { Target } from "./parse/request.ts";
import type { DataEngine } from "./pipeline.ts";

/** The Data API for callers that speak no HTTP: the row steps of a workflow, under a user's permissions. */
export interface RowEngine {
  listRows(
    input: ListInput & { readonly schema: string; readonly table: string },
    as: RowActor,
    on?: Queryable,
  ): Promise<unknown[]>;
  /** @throws AppError NOT_FOUND */
  getRow(
    input: TableName & { readonly id: readonly string[]; readonly fields?: string },
    as: RowActor,
    on?: Queryable,
  ): Promise<unknown>;
  /** Creates the row in the transaction at hand, so that it commits with what else the caller writes there. */
  createRow(
    input: {
      readonly schema: string;
      readonly table: string;
      readonly values: Readonly<Record<string, unknown>>;
    },
    as: RowActor,
    on: Queryable,
  ): Promise<unknown>;
  /** Changes the row with the key, and gives it; or the rows that match, and gives their list. */
  updateRows(
    input: TableName & RowSelection & { readonly values: Readonly<Record<string, unknown>> },
    as: RowActor,
    on: Queryable,
  ): Promise<unknown>;
  /** @returns how many rows are gone */
  deleteRows(input: TableName & RowSelection, as: RowActor, on: Queryable): Promise<number>;
}

/** Whom a step acts for: a user, with the rights of a token where one started the run. */
export interface RowActor {
  readonly userId: string;
  readonly tokenId: string | null;
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
    listRows: async ({ schema, table, ...input }, as, on) => {
      const request = listRequestOf(tableOf(schema, table), input, await limits());
      const answer = await engine.answer(request, callerOf(as), on);
      return parseExactJson(answer.data ?? "[]") as unknown[];
    },
    getRow: async ({ schema, table, id, fields }, as, on) => {
      const request = readRequestOf(tableOf(schema, table), id, fields);
      const answer = await engine.answer(request, callerOf(as), on);
      return parseExactJson(answer.data ?? "null");
    },
    createRow: async ({ schema, table, values }, as, on) => {
      const request = createRequestOf(tableOf(schema, table), new Map(Object.entries(values)));
      const answer = await engine.answer(request, callerOf(as), on);
      return parseExactJson(answer.data ?? "null");
    },
    updateRows: async ({ schema, table, values, ...selection }, as, on) => {
      const fields = new Map(Object.entries(values));
      const request = updateRequestOf(tableOf(schema, table), selection, fields, await limits());
      const answer = await engine.answer(request, callerOf(as), on);
      return parseExactJson(answer.data ?? "null");
    },
    deleteRows: async ({ schema, table, ...selection }, as, on) => {
      const request = deleteRequestOf(tableOf(schema, table), selection, await limits());
      const answer = await engine.answer(request, callerOf(as), on);
      return answer.affected ?? 0;
    },
  };
}

function callerOf({ userId, tokenId }: RowActor): Caller {
  return { kind: "USER", userId, tokenId };
}

function tableOf(schema: string, name: string): Target {
  return { schema, name, kind: "TABLE" };
}
