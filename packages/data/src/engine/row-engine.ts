import { type Caller, splitTerms } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/wire";
import {
  createRequestOf,
  deleteRequestOf,
  type RowSelection,
  updateRequestOf,
} from "../parse/parse-write.ts";
import type { RequestLimits } from "../parse/query-parameters.ts";
import type { DataRequest, Target } from "../parse/request.ts";
import { listRequestOf, readRequestOf } from "../parse/typed-read.ts";
import type { DataEngine } from "./data-engine.ts";

/** The Data API without HTTP: the row steps of a workflow, with the permissions of a user. */
export interface RowEngine {
  /** Reads rows of a table or of a view. */
  listRows(input: TableName & RowList, as: RowActor, on?: Queryable): Promise<unknown[]>;
  /** @throws AppError NOT_FOUND */
  getRow(
    input: TableName & Pick<RowList, "fields"> & { readonly id: readonly string[] },
    as: RowActor,
    on?: Queryable,
  ): Promise<unknown>;
  /** Creates the row in a transaction of the caller, so that it commits with the other writes of the caller. */
  createRow(
    input: {
      readonly schema: string;
      readonly table: string;
      readonly values: Readonly<Record<string, unknown>>;
    },
    as: RowActor,
    on: Queryable,
  ): Promise<unknown>;
  /** Changes the row with the key and returns it, or the rows that match and returns their list. */
  updateRows(
    input: TableName & RowSelection & { readonly values: Readonly<Record<string, unknown>> },
    as: RowActor,
    on: Queryable,
  ): Promise<unknown>;
  /** @returns the number of deleted rows */
  deleteRows(input: TableName & RowSelection, as: RowActor, on: Queryable): Promise<number>;
}

/** A list in the form of a step's definition: the terms of an option are one text, as in a query. */
interface RowList {
  readonly fields?: string;
  /** A filter as JSON. */
  readonly where?: unknown;
  readonly orderBy?: string;
  /** Maximum number of rows. */
  readonly limit?: number;
}

/** The user of a step, with the rights of the token that started the run, if any. */
export interface RowActor {
  readonly userId: string;
  readonly tokenId: string | null;
}

interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** Creates row access through the same engine, and therefore the same grants, as every other request. */
export function createRowEngine(
  engine: DataEngine,
  limits: () => RequestLimits | Promise<RequestLimits>,
): RowEngine {
  return {
    listRows: async ({ schema, table, fields, orderBy, ...rest }, as, on) => {
      const input = {
        ...rest,
        ...(fields === undefined ? {} : { fields: splitTerms(fields) }),
        ...(orderBy === undefined ? {} : { orderBy: splitTerms(orderBy) }),
      };
      const target: Target = { schema, name: table, kind: "ANY" };
      const request = listRequestOf(target, input, await limits());
      const answer = await engine.answer(whole(request), callerOf(as), on);
      return parseExactJson(answer.data ?? "[]") as unknown[];
    },
    getRow: async ({ schema, table, id, fields }, as, on) => {
      const terms = fields === undefined ? null : splitTerms(fields);
      const request = readRequestOf(tableOf(schema, table), id, terms);
      const answer = await engine.answer(whole(request), callerOf(as), on);
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

/** The output of a step cannot contain `meta.more`, so its lists are not truncated. */
function whole<Request extends DataRequest>(request: Request): Request {
  return { ...request, wholeLists: true };
}

function callerOf({ userId, tokenId }: RowActor): Caller {
  return { kind: "USER", userId, tokenId };
}

function tableOf(schema: string, name: string): Target {
  return { schema, name, kind: "TABLE" };
}
