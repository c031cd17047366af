import { inBody } from "@rowhouse/data";
import { AppError, escapePointer } from "@rowhouse/errors";

const argumentNames: Readonly<Record<string, string>> = {
  order_by: "orderBy",
  group_by: "groupBy",
};

/**
 * Throws an error of the data engine with the arguments of a tool as paths: `/data/order_by` and `order_by` become
 * `/orderBy`.
 */
export function inArguments(error: unknown): never {
  throw error instanceof AppError ? withPaths(inBody(error), argumentPath) : error;
}

/** Returns an error whose faults have other paths. */
export function withPaths(error: AppError, pathOf: (path: string) => string): AppError {
  return error.mapFaults((fault) =>
    fault.path === undefined ? fault : { ...fault, path: pathOf(fault.path) },
  );
}

function argumentPath(path: string): string {
  const [, name, rest = ""] = /^\/data\/([^/]+)(.*)$/s.exec(path) ?? [];
  if (name === undefined) return path;
  return `/${argumentNames[name] ?? name}${rest}`;
}

/**
 * Throws an error of a write with the arguments of a tool as paths: `/data/plate` becomes `/values/plate`, and
 * `where[plate][_eq]` becomes `/where/plate/_eq`.
 *
 * @param body the argument that the body of the request holds
 */
export function inWriteArguments(error: unknown, body: "rows" | "values"): never {
  if (!(error instanceof AppError)) throw error;
  throw withPaths(error, (path) => {
    if (path === "/data" || path.startsWith("/data/")) return `/${body}${path.slice(5)}`;
    if (path === "max_affected") return "/maxAffected";
    if (path === "If-Match") return "/ifMatch";
    const [, name = path, inner] = /^(\w+)(?:\[(.*)\])?$/s.exec(path) ?? [];
    const keys = inner === undefined ? [name] : [name, ...inner.split("][")];
    return path.startsWith("/") ? path : keys.map((part) => `/${escapePointer(part)}`).join("");
  });
}
