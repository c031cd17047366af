import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import type { RequestLimits } from "./parse-parts.ts";
import { type ListInput, listRequestOf } from "./parse-read.ts";
import { createRequestOf } from "./parse-write.ts";
import type { DataEngine } from "./pipeline.ts";
import type { Target } from "./request.ts";

/** The Data API for callers that speak no HTTP: the row steps of a workflow, under a user's permissions. */
export interface RowEngine {
  listRows(
    input: ListInput & { readonly schema: string; readonly table: string },
    asUserId: string,
  ): Promise<unknown[]>;
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
}

/** Rows through the same engine, and so the same grants, as every other request. */
export function createRowEngine(
  engine: DataEngine,
  limits: () => RequestLimits | Promise<RequestLimits>,
): RowEngine {
  return {
    listRows: async ({ schema, table, ...input }, userId) => {
      const request = listRequestOf(tableOf(schema, table), input, await limits());
      const answer = await engine.answer(request, { kind: "USER", userId });
      return parseExactJson(answer.data ?? "[]") as unknown[];
    },
    createRow: async ({ schema, table, values }, userId, on) => {
      const request = createRequestOf(tableOf(schema, table), new Map(Object.entries(values)));
      const answer = await engine.answer(request, { kind: "USER", userId }, on);
      return parseExactJson(answer.data ?? "null");
    },
  };
}

function tableOf(schema: string, name: string): Target {
  return { schema, name, kind: "TABLE" };
}
