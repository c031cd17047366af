import { codesByStatus, type ErrorCode, referToError } from "@rowhouse/errors";
import type { Json } from "./column-schema.ts";

const reading: readonly ErrorCode[] = [
  ...(["QUERY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID"] as const),
  // Code of the database that would write, or a definition that refers to itself.
  "CONFLICT",
];
const writing: readonly ErrorCode[] = [
  "QUERY_INVALID",
  "FIELD_UNKNOWN",
  "VALUE_INVALID",
  "ACTION_DENIED",
  "CHECK_VIOLATION",
  "FOREIGN_KEY_VIOLATION",
  "CONFLICT",
];
const sending: readonly ErrorCode[] = [
  ...writing,
  "BODY_INVALID",
  "REQUIRED_FIELD",
  "UNIQUE_VIOLATION",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];
const always: readonly ErrorCode[] = [
  "AUTHENTICATION_REQUIRED",
  // A grant in the document may be revoked before the next request, so every operation can return these.
  "ACTION_DENIED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
  "QUERY_TIMEOUT",
];

/** The error codes of each kind of operation. */
const codesOf = {
  list: [...always, ...reading, "RATE_LIMIT_EXCEEDED"],
  query: [
    ...[...always, ...reading, "RATE_LIMIT_EXCEEDED"],
    ...["BODY_INVALID", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"],
  ],
  read: [...always, ...reading],
  history: [...always, "QUERY_INVALID"],
  create: [...always, ...sending, "IDEMPOTENCY_CONFLICT", "RATE_LIMIT_EXCEEDED"],
  update: [...always, ...sending, "IDEMPOTENCY_CONFLICT", "PRECONDITION_FAILED"],
  updateMany: [...always, ...sending],
  delete: [...always, ...writing, "IDEMPOTENCY_CONFLICT", "PRECONDITION_FAILED"],
  deleteMany: [...always, ...writing],
  batch: [
    ...[...always, ...sending, "IDEMPOTENCY_CONFLICT", "PRECONDITION_FAILED"],
    "RATE_LIMIT_EXCEEDED",
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** The kinds of operations on rows. */
export type Verb = keyof typeof codesOf;

/** Operations with several rows or writes, whose faults may have several statuses. The first one decides. */
const mixed: ReadonlySet<Verb> = new Set(["create", "batch"]);

/** The error responses of the document; operations of one kind share them. */
export class ErrorAnswers {
  /** Response objects by component name. */
  readonly responses: Record<string, unknown> = {};
  readonly #byVerb = new Map<Verb, Json>();

  of(verb: Verb): Json {
    const known = this.#byVerb.get(verb);
    if (known !== undefined) return known;
    const answers = Object.fromEntries(
      Array.from(codesByStatus(codesOf[verb]), ([status, codes]) => [
        status,
        referToError(codes, this.responses, mixed.has(verb)),
      ]),
    );
    this.#byVerb.set(verb, answers);
    return answers;
  }
}
