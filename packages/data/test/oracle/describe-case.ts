import { inspect } from "node:util";
import type { Request, World } from "./model.ts";
import { inputOf, rowsSql, schemaSql } from "./world-sql.ts";
import { writeBody, writeKey, writeQuery, writeSelection } from "./write-request.ts";

/**
 * Formats a failure for reading and for a manual replay: SQL, grants, the request, the expected and the actual
 * response.
 */
export function describeCase(
  world: World,
  request: Request,
  expected: unknown,
  answer: unknown,
): Error {
  const user = world.users[request.user];
  const table = world.tables.find(({ name }) => name === request.table);
  const show = (value: unknown): string => inspect(value, { depth: 20, breakLength: 160 });
  const query =
    request.kind === "LIST" || request.kind === "READ" || request.kind === "AGGREGATE"
      ? decodeURIComponent(writeQuery(request))
      : request.kind === "DELETE_MANY"
        ? decodeURIComponent(writeSelection(request))
        : "";
  const lines = [
    `request: ${request.kind} ${request.table} ${"key" in request ? writeKey(request.key) : ""} ${query}`,
    ...("values" in request
      ? [
          `body: ${show(writeBody(table, request.values, "changes" in request ? request.changes : new Map()))}`,
        ]
      : []),
    `expected: ${show(expected)}`,
    `answer: ${show(answer)}`,
    `user: roles ${user?.roles.join()}, administrator ${user?.administrator}, ${show(user?.columns)}`,
    `exposed: ${show(world.tables.map(({ name, exposed }) => [name, ...exposed].join(" ")))}`,
    ...world.roles.map(
      ({ grants }, index) =>
        `role ${index}: ${show(grants.map((grant) => ({ table: grant.table, ...inputOf(grant) })))}`,
    ),
    schemaSql(world),
    rowsSql(world),
  ];
  const error = new Error(lines.join("\n"));
  error.stack = error.message;
  return error;
}
