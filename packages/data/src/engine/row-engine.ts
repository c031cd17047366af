import { type Caller, type RowEngine, type RunActor, splitTerms } from "@rowhouse/access";
import { parseExactJson } from "@rowhouse/wire";
import { createRequestOf, deleteRequestOf, updateRequestOf } from "../parse/parse-write.ts";
import type { RequestLimits } from "../parse/query-parameters.ts";
import type { DataRequest, Target } from "../parse/request.ts";
import { listRequestOf, readRequestOf } from "../parse/typed-read.ts";
import type { DataEngine } from "./data-engine.ts";

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

function callerOf({ userId, tokenId }: RunActor): Caller {
  return { kind: "USER", userId, tokenId };
}

function tableOf(schema: string, name: string): Target {
  return { schema, name, kind: "TABLE" };
}
