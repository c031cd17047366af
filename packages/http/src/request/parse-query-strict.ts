import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { malformedEncoding, readQueryText } from "@rowhouse/wire";

export interface QueryShape {
  /** Parameters that may occur once. */
  readonly single?: readonly string[];
  /** Parameters that may occur several times. */
  readonly repeated?: readonly string[];
}

/** The parameters of a query; `single` ones as text, `repeated` ones as lists. */
export interface StrictQuery {
  readonly single: ReadonlyMap<string, string>;
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

/**
 * Parses the query of `url`, which may have only the named parameters.
 *
 * @throws `QUERY_INVALID` with one fault for each parameter that is unknown, must not be repeated, or is not UTF-8
 */
export function parseQueryStrict(url: string, shape: QueryShape): StrictQuery {
  const single = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  const faults: Fault[] = [];
  for (const { name, value } of readQueryText(queryOf(url))) {
    if (value === undefined) {
      faults.push(fault(name, malformedEncoding));
    } else if (value.includes("\u0000") || name.includes("\u0000")) {
      faults.push(fault(name, "A parameter must not contain NUL"));
    } else if (shape.repeated?.includes(name) === true) {
      const values = repeated.get(name);
      if (values === undefined) repeated.set(name, [value]);
      else values.push(value);
    } else if (shape.single?.includes(name) !== true) {
      faults.push(fault(name, "Unknown parameter"));
    } else if (single.has(name)) {
      faults.push(fault(name, "This parameter must not be repeated"));
    } else {
      single.set(name, value);
    }
  }
  throwFaults(faults);
  return { single, repeated };
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const end = url.indexOf("#", start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

function fault(name: string, message: string): Fault {
  return createFault("QUERY_INVALID", { message, path: name });
}
