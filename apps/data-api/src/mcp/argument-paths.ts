import { inBody } from "@rowhouse/data";
import { AppError, type Fault } from "@rowhouse/errors";

const argumentNames: Readonly<Record<string, string>> = {
  order_by: "orderBy",
  group_by: "groupBy",
};

/**
 * Throws an error of the data engine with the arguments of a tool as paths: `/data/order_by` and `order_by` become
 * `/orderBy`.
 */
export function inArguments(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  const faults = inBody(error).faults.map((fault): Fault => {
    if (fault.path === undefined) return fault;
    return { ...fault, path: argumentPath(fault.path) };
  });
  const [first = error.faults[0], ...rest] = faults;
  const { cause, headers, meta } = error;
  throw new AppError([first, ...rest], { cause, headers, meta });
}

function argumentPath(path: string): string {
  const [, name, rest = ""] = /^\/data\/([^/]+)(.*)$/s.exec(path) ?? [];
  if (name === undefined) return path;
  return `/${argumentNames[name] ?? name}${rest}`;
}
