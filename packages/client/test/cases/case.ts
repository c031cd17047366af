import { readdirSync, readFileSync } from "node:fs";

/** A file of `cases/`. Its README has the meaning of each member. */
export type CaseFile = {
  readonly about: string;
  readonly cases: readonly Case[];
};

export type Case = {
  readonly name: string;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly before?: readonly Call[];
  readonly call: Call;
  readonly exchanges: readonly Exchange[];
  readonly result?: unknown;
  readonly error?: ExpectedError;
  readonly session?: string | null;
};

export type Call = {
  readonly operation: string;
  readonly [argument: string]: unknown;
};

export type Exchange = {
  readonly request: ExpectedRequest;
  readonly answer: Answer;
  readonly afterMs?: readonly [min: number, max: number];
};

export type ExpectedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, HeaderRule>>;
  readonly body?: unknown;
};

export type HeaderRule = string | null | { readonly $match: string } | { readonly $same: number };

export type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The connection ends before the response, or within its body. */
  readonly cut?: "BEFORE_RESPONSE" | "WITHIN_BODY";
};

export type ExpectedError = {
  readonly kind?: "ARGUMENT";
  readonly faultsByPath?: Readonly<Record<string, readonly string[]>>;
  readonly [member: string]: unknown;
};

const folder = new URL("../../cases/", import.meta.url);

/** Reads all files of `cases/`, each with its name. */
export function readCases(): (readonly [name: string, file: CaseFile])[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))] as const);
}
