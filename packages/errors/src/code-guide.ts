import type { FaultOptions } from "./app-error.ts";
import type { ErrorCode } from "./code.ts";

/** What the page of error codes says about one code. Texts are Markdown. */
export interface CodeGuide {
  readonly meaning: string;
  /** What the caller does next. */
  readonly remedy: string;
  /** The fault of the example body; its message defaults to the title of the code. */
  readonly example: FaultOptions & { readonly meta?: Readonly<Record<string, unknown>> };
}

/** The source of `docs/errors.md`. A code without an entry does not compile. */
export const codeGuide: Readonly<Record<ErrorCode, CodeGuide>> = {
  REQUEST_INVALID: {
    meaning:
      "The bytes are not HTTP/1.1 (or 1.0), or two programs could read them as different requests: a fragment in the target, two `Host` headers or none, a transfer coding other than `chunked`. The connection is closed.",
    remedy: "Send the request with a standard HTTP client.",
    example: {},
  },
  BODY_INVALID: {
    meaning: "The body is not JSON, or it does not match the schema of the route.",
    remedy: "Correct the value at `path`. The OpenAPI document has the schema of each route.",
    example: { path: "/data/name", message: "name is required" },
  },
  QUERY_INVALID: {
    meaning:
      "A query parameter is unknown or has a value that it does not accept, or the query exceeds a limit of its complexity.",
    remedy: "Correct the parameter that `path` names. The message states the values it accepts.",
    example: { path: "colour", message: "Unknown parameter" },
  },
  FIELD_UNKNOWN: {
    meaning:
      "The resource has no such field, or no grant of the caller includes it. Both cases return the same response. `details.field` is the field as the query named it; in a body, `path` is the pointer to the field.",
    remedy:
      "Check the spelling against the OpenAPI document of this caller, or ask an administrator for a grant with the field.",
    example: { path: "fields", message: "Unknown field price", details: { field: "price" } },
  },
  VALUE_INVALID: {
    meaning:
      "The value does not fit the type of its column, or the rules of the property that it sets.",
    remedy: "Send a value of the type that the OpenAPI document gives for the field at `path`.",
    example: { path: "/data/price" },
  },
  REQUIRED_FIELD: {
    meaning: "A column that accepts no null and has no default received no value.",
    remedy:
      "Send a value for the field at `path`. Without a `path`, the caller cannot read the column that lacks a value: ask an administrator for a preset or a default.",
    example: { path: "/data/plate" },
  },
  CHECK_VIOLATION: {
    meaning:
      "A check constraint, a view with `check option` or a trigger of the table rejects the row, or code of the database (a trigger, view, rule, default or function) fails. The message is the `checkMessage` of the constraint if it has one. `path` is the field of the constraint, or the only one that the request sends; with several it is the row, and `details.fields` names them.",
    remedy:
      "Change the row so that it satisfies the check. If code of the database failed, the log of the service has the cause: search it for the `requestId`.",
    example: { message: "A trip has a distance", path: "/data/distance_km" },
  },
  EXPRESSION_INVALID: {
    meaning:
      "The check of a column or the query of a view does not compile, or uses a function or table that it may not use.",
    remedy: "Correct the expression at `path`; a preview shows the result without a change.",
    example: { path: "/data/columns/1/check" },
  },
  SQL_FAILED: {
    meaning:
      "A statement in the SQL console failed, and its transaction was rolled back. Only administrators receive this code; the message is the message of PostgreSQL.",
    remedy:
      "Correct the statement. `details` has its index from 0, the SQLSTATE and the position of the error in the text.",
    example: {
      path: "/data/sql",
      message: 'column "nope" does not exist',
      details: { statement: 1, sqlState: "42703", position: 18 },
    },
  },
  WORKFLOW_WEBHOOK_INVALID_PAYLOAD: {
    meaning: "The body of a webhook call is not UTF-8 text with a JSON object or array.",
    remedy: "Send an object or an array as JSON.",
    example: {},
  },
  WORKFLOW_INVALID: {
    meaning: "The draft of a workflow has an error, so it cannot be published.",
    remedy: "Correct the part of the definition at `path`, save the draft, and publish again.",
    example: { path: "/trigger/executeAs" },
  },
  AUTHENTICATION_REQUIRED: {
    meaning:
      "The request has no credential, or its session or token is unknown, expired or revoked, or its user is inactive or has no role with API access.",
    remedy:
      "Sign in again or use another token. If a service logs a rejected assertion, compare the secrets of the gateway and the service.",
    example: {},
  },
  INVALID_CREDENTIALS: {
    meaning:
      "The email address and the password do not match an active account. An unknown address returns the same response.",
    remedy: "Correct the input, or reset the password.",
    example: {},
  },
  ACTION_DENIED: {
    meaning:
      "The caller has a grant on the resource, but none for this action, this row or these new values, or the database login of the service lacks a privilege. Routes of the Admin API return it to callers who are not administrators.",
    remedy: "Ask an administrator for the grant; an explanation of the request names the reason.",
    example: {},
  },
  SESSION_REQUIRED: {
    meaning: "The route changes an account or the security of the service; it rejects tokens.",
    remedy: "Sign in, and send the secret of the session instead of a token.",
    example: {},
  },
  RECENT_SIGN_IN_REQUIRED: {
    meaning: "The route requires a session that is at most 15 minutes old.",
    remedy: "Sign in again and repeat the request with the new session.",
    example: {},
  },
  EMAIL_NOT_VERIFIED: {
    meaning: "The password is correct, but the email address of the account is not confirmed yet.",
    remedy: "Open the link in the confirmation mail, or request another mail.",
    example: {},
  },
  NOT_FOUND: {
    meaning:
      "The path, resource or row does not exist, or the caller may not see it. Both cases return the same response.",
    remedy:
      "Check the address and the exposure of the resource, or ask an administrator for a grant.",
    example: {},
  },
  WORKFLOW_NOT_FOUND: {
    meaning:
      "No enabled and published workflow with a webhook trigger has this slug and method, or the caller may not invoke it.",
    remedy:
      "Check the slug and the method, whether the workflow is enabled, and its invoke grants.",
    example: {},
  },
  WORKFLOW_RUN_NOT_FOUND: {
    meaning:
      "The run does not exist, another caller started it, the caller has lost the invoke grant, or the run finished more than 24 hours ago.",
    remedy:
      "Use the id from the response of the call. Administrators read older runs in the Admin API.",
    example: {},
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path exists, but does not support or expose this method.",
    remedy: "Use a method from the `Allow` header, or ask an administrator to expose this one.",
    example: {},
  },
  REQUEST_TIMEOUT: {
    meaning:
      "The headers did not arrive within 15 seconds, or the whole request within 60 seconds. The connection is closed.",
    remedy: "Repeat the request over a faster connection or with a smaller body.",
    example: {},
  },
  UNIQUE_VIOLATION: {
    meaning:
      "Another row has the same values in a primary key, unique constraint or unique index. `path` is the field that the request sends, or the row if there are several; `details.fields` names all columns. Both are missing unless the caller may read all of them.",
    remedy: "Send other values, or update the existing row.",
    example: { path: "/data/plate", details: { fields: ["plate"] } },
  },
  FOREIGN_KEY_VIOLATION: {
    meaning:
      "`details.reason` is `MISSING`: the row refers to a row that does not exist; or `IN_USE`: other rows still refer to the row that was to be deleted or changed. `path` is the field, or the row if the key has several, whose names are in `details.fields`. `details` names the table, the missing key and the number of referring rows as far as the caller may know them.",
    remedy: "Create the referenced row first, or delete the referring rows first.",
    example: {
      path: "/data/vehicle_id",
      message: "vehicles 999 does not exist",
      details: {
        ...{ reason: "MISSING", schema: "fleet", table: "vehicles" },
        ...{ label: "vehicles", key: "999" },
      },
    },
  },
  IDEMPOTENCY_CONFLICT: {
    meaning:
      "The same caller used this `Idempotency-Key` for a different request in the last 24 hours.",
    remedy: "Generate a new key for each new request, and repeat a key only with the same request.",
    example: {},
  },
  CONFLICT: {
    meaning:
      "The current state does not permit the request: more rows match than `max_affected` permits, an exclusion constraint rejects the row (`details.fields` names its columns), an object still depends on the one to drop, or a concurrent change holds a lock.",
    remedy: "Read the message, change the state or the request, and try again.",
    example: { message: "An active administrator must remain" },
  },
  PLAN_STALE: {
    meaning:
      "The configuration, or the plan itself, is not the one that was read: somebody has changed it since, a name in it stands for another record than it did, or another version of the service has made the plan. Nothing was applied.",
    remedy: "Make a new plan, read it, and apply that one.",
    example: {},
  },
  SQL_CANCELLED: {
    meaning:
      "A run of the SQL console was canceled: on request, because other sessions waited too long for its locks, or because it held too many. Its transaction was rolled back.",
    remedy: "Split the work into smaller runs, or run it at a quieter time.",
    example: {},
  },
  PRECONDITION_FAILED: {
    meaning: "The row no longer matches the `ETag` that the request sent in `If-Match`.",
    remedy: "Read the row again, apply the change to the new values, and send the new `ETag`.",
    example: {},
  },
  BODY_TOO_LARGE: {
    meaning:
      "The body exceeds the limit of the route, by default the setting `limits.body_bytes`. An import: the file exceeds `limits.import_bytes` or `limits.import_rows`, or one row `limits.body_bytes`. A file exceeds `files.max_bytes`. In the SQL console: one row of a result is too large.",
    remedy: "Send less in one request, or raise the setting.",
    example: { message: "The body is larger than 1048576 bytes" },
  },
  STORAGE_LIMIT_EXCEEDED: {
    meaning:
      "The bytes of all files of the uploader would exceed the setting `files.max_bytes_per_user`, or those of all files `files.max_bytes_total`. Uploads that are not complete count as well.",
    remedy: "Delete files, or ask an administrator to raise the setting.",
    example: { message: "A user stores at most 1048576 bytes (files.max_bytes_per_user)" },
  },
  URL_TOO_LONG: {
    meaning: "Path and query together exceed 24 KiB. The connection is closed.",
    remedy: "Shorten the filter, or store the query as a DataView.",
    example: {},
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The body has another content type than `application/json`, or it is compressed.",
    remedy: "Send `Content-Type: application/json`, and no `Content-Encoding`.",
    example: {},
  },
  RANGE_INVALID: {
    meaning:
      "The header `Range` asks for bytes beyond the end of the file. `Content-Range` has the size of the file.",
    remedy: "Request a range within the file, or the whole file without `Range`.",
    example: {},
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: "The caller or its address has reached the limit of requests or of parallel work.",
    remedy: "Wait for the seconds in the `Retry-After` header, then try again.",
    example: {},
  },
  HEADERS_TOO_LARGE: {
    meaning:
      "The request has more than 200 headers, or its first line and headers exceed 32 KiB. The connection is closed.",
    remedy: "Remove headers; large cookies are the usual cause.",
    example: {},
  },
  INTERNAL_ERROR: {
    meaning: "The service failed unexpectedly. The log has the cause under the `requestId`.",
    remedy: "Send the `requestId` to the operator.",
    example: {},
  },
  SERVICE_UNAVAILABLE: {
    meaning:
      "The database, another process or a free connection is temporarily unavailable, or concurrent transactions collided.",
    remedy:
      "Wait for the seconds in the `Retry-After` header and try again; repeat a write with its `Idempotency-Key`, because it may have succeeded.",
    example: {},
  },
  QUERY_TIMEOUT: {
    meaning: "A statement exceeded its time limit and was canceled; nothing was changed.",
    remedy: "Narrow the filter, request fewer rows or relations, or add an index.",
    example: {},
  },
  WORKFLOW_SYNC_TIMEOUT: {
    meaning:
      "The run of a synchronous webhook did not finish within the wait time. The run continues; `meta.run` is its id.",
    remedy:
      "Read the result later at `/api/workflows/runs/{run}/result`, or publish the workflow with an asynchronous response.",
    example: { meta: { run: "0198b2f4-7c1d-7a55-9d0e-3f6f2d1c8a40" } },
  },
};
