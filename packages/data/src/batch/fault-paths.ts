import { AppError, type Fault } from "@rowhouse/errors";
import { timeZoneHeader } from "../parse/headers.ts";

/**
 * Returns an error of one write with paths in the body of its batch: `/data/plate` becomes `/data/3/data/plate`. A
 * fault of a query parameter points to the path of the write and names the parameter in its details; a fault without
 * a path points to the write.
 */
export function inWrite(error: AppError, index: number): AppError {
  const [first, ...rest] = error.faults;
  const { cause, headers, meta } = error;
  const faults: [Fault, ...Fault[]] = [
    faultInWrite(first, index),
    ...rest.map((fault) => faultInWrite(fault, index)),
  ];
  return new AppError(faults, { ...(cause === undefined ? {} : { cause }), headers, meta });
}

function faultInWrite(fault: Fault, index: number): Fault {
  const write = `/data/${index}`;
  const { path, details } = fault;
  if (path === undefined) return { ...fault, path: write };
  // The header belongs to the whole batch.
  if (path === timeZoneHeader) return fault;
  // The name of an unknown parameter may begin with a slash as well.
  if (path.startsWith("/") && fault.code !== "QUERY_INVALID") {
    return { ...fault, path: `${write}${path}` };
  }
  return { ...fault, path: `${write}/path`, details: { ...details, parameter: path } };
}
