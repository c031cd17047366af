import { parseFilter, type Slot } from "@rowhouse/access";
import {
  createError,
  createFault,
  type ErrorCode,
  escapePointer,
  type Fault,
} from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import {
  filterOptions,
  isWhole,
  notWhole,
  type ParsedWhere,
  type RequestLimits,
} from "./query-parameters.ts";

type Members = Readonly<Record<string, unknown>>;

/** Where an object was sent. */
export interface ObjectPlace {
  readonly code: Extract<ErrorCode, "QUERY_INVALID" | "BODY_INVALID">;
  /** Returns the path of the object, or of a value in it. */
  pathOf(segments: readonly string[]): string;
}

/** The place at a JSON pointer of a body. */
export function inBodyAt(pointer: string): ObjectPlace {
  return {
    code: "BODY_INVALID",
    pathOf: (segments) => [pointer, ...segments.map(escapePointer)].join("/"),
  };
}

/** The place in a parameter of a query. */
export function inParameter(name: string): ObjectPlace {
  return {
    code: "QUERY_INVALID",
    pathOf: (segments) => [name, ...segments.map((segment) => `[${segment}]`)].join(""),
  };
}

/** Returns the place of an object that is a member of an object. */
export function memberOf({ code, pathOf }: ObjectPlace, name: string): ObjectPlace {
  return { code, pathOf: (segments) => pathOf([name, ...segments]) };
}

/** Reads the members of an object. Each fault has the member's path. */
export class ObjectReader {
  readonly #members: Members;
  readonly #place: ObjectPlace;
  readonly #faults: Fault[];

  /**
   * @param known the names of the members
   * @param faults receives a fault for each unknown member and each wrong type
   * @throws AppError with the code of the place for anything but an object
   */
  constructor(input: unknown, place: ObjectPlace, known: readonly string[], faults: Fault[]) {
    if (!isObject(input)) {
      throw createError(place.code, { path: place.pathOf([]), message: "This must be an object" });
    }
    this.#members = input;
    this.#place = place;
    this.#faults = faults;
    for (const name of Object.keys(input)) {
      if (!known.includes(name)) this.#refuse(name, "Unknown field");
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  /** Any value; undefined without the member. */
  any(name: string): unknown {
    return this.has(name) ? this.#members[name] : undefined;
  }

  /** A text; undefined without the member. */
  text(name: string): string | undefined {
    const value = this.any(name);
    if (value === undefined || typeof value === "string") return value;
    this.#refuse(name, "This must be a text");
    return undefined;
  }

  /** A text, or a boolean; undefined without the member. */
  cursor(name: string): string | boolean | undefined {
    const value = this.any(name);
    if (value === undefined || typeof value === "string" || typeof value === "boolean") {
      return value;
    }
    this.#refuse(name, "This must be a cursor, or true");
    return undefined;
  }

  /** A list of texts; null without the member. */
  texts(name: string): readonly string[] | null {
    const value = this.any(name);
    if (value === undefined) return null;
    if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) {
      return value;
    }
    this.#refuse(name, "This must be a list of texts");
    return null;
  }

  /** An integer from 0 to `max`; undefined without the member. */
  whole(name: string, max: number): number | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (isWhole(value, max)) return value;
    this.#refuse(name, notWhole(max));
    return undefined;
  }

  #refuse(name: string, message: string): void {
    const { code, pathOf } = this.#place;
    this.#faults.push(createFault(code, { path: pathOf([name]), message }));
  }
}

/** Where the parameters of a list or of one relation of it come from: a query, a body, or typed parts. */
export interface ParameterSource {
  /** Receives a fault for each value that cannot be read. */
  readonly faults: Fault[];
  has(name: string): boolean;
  /** Undefined without the parameter. */
  text(name: string): string | undefined;
  /** Null without the parameter. */
  terms(name: string): readonly string[] | null;
  /** An integer from 0 to `max`; without the parameter the lesser of `fallback` and `max`. */
  whole(name: string, fallback: number, max: number): number;
  /**
   * @param slots the earlier values of the request
   * @throws AppError with every fault of the filter
   */
  filter(name: string, slots: readonly Slot[]): ParsedWhere;
  /** The code and the path of a fault of a parameter. */
  placeOf(name: string): { readonly code: ErrorCode; readonly path: string };
}

/** The parameters in an object. */
export function objectSource(
  reader: ObjectReader,
  place: ObjectPlace,
  limits: RequestLimits,
  faults: Fault[],
): ParameterSource {
  return {
    faults,
    has: (name) => reader.has(name),
    text: (name) => reader.text(name),
    terms: (name) => reader.texts(name),
    whole: (name, fallback, max) => reader.whole(name, max) ?? Math.min(fallback, max),
    filter: (name, slots) => readFilter(reader.any(name), memberOf(place, name), limits, slots),
    placeOf: (name) => ({ code: place.code, path: place.pathOf([name]) }),
  };
}

/** Parses a filter that was sent as JSON; undefined is none. */
export function readFilter(
  input: unknown,
  { pathOf }: ObjectPlace,
  limits: RequestLimits,
  slots: readonly Slot[],
): ParsedWhere {
  if (input === undefined) return { filter: null, slots };
  return parseFilter(input, { ...filterOptions(limits, "", slots), commaLists: false, pathOf });
}
