/** The table of error codes: status and default message. Documents and OpenAPI derive from it. */
export const errorCodes = {
  REQUEST_INVALID: { status: 400, title: "The request is not valid HTTP" },
  BODY_INVALID: { status: 400, title: "The body does not match the schema of this route" },
  QUERY_INVALID: { status: 400, title: "The query is not valid" },
  FIELD_UNKNOWN: { status: 400, title: "Unknown field" },
  VALUE_INVALID: { status: 400, title: "The value does not fit its column" },
  REQUIRED_FIELD: { status: 400, title: "A required field is missing" },
  CHECK_VIOLATION: { status: 400, title: "A check on this table failed" },
  EXPRESSION_INVALID: { status: 400, title: "The expression is not allowed" },
  SQL_FAILED: { status: 400, title: "The statement failed" },
  WORKFLOW_WEBHOOK_INVALID_PAYLOAD: {
    status: 400,
    title: "The body must be a JSON object or array",
  },
  WORKFLOW_INVALID: { status: 400, title: "The workflow cannot be published" },
  AUTHENTICATION_REQUIRED: { status: 401, title: "Authentication required" },
  INVALID_CREDENTIALS: { status: 401, title: "Invalid email or password" },
  ACTION_DENIED: { status: 403, title: "You are not permitted to do this" },
  SESSION_REQUIRED: { status: 403, title: "A session is required; a token is not accepted" },
  RECENT_SIGN_IN_REQUIRED: {
    status: 403,
    title: "A session younger than 15 minutes is required; sign in again",
  },
  EMAIL_NOT_VERIFIED: { status: 403, title: "The email address is not verified" },
  NOT_FOUND: { status: 404, title: "Not found" },
  WORKFLOW_NOT_FOUND: { status: 404, title: "The workflow does not exist" },
  WORKFLOW_RUN_NOT_FOUND: { status: 404, title: "The run does not exist" },
  METHOD_NOT_ALLOWED: { status: 405, title: "This path does not support this method" },
  REQUEST_TIMEOUT: { status: 408, title: "The request took too long to arrive" },
  UNIQUE_VIOLATION: { status: 409, title: "A row with these values already exists" },
  FOREIGN_KEY_VIOLATION: {
    status: 409,
    title: "A referenced row is missing, or this row is still referenced",
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: "The idempotency key was used with another request",
  },
  CONFLICT: { status: 409, title: "The request conflicts with the current state" },
  PLAN_STALE: {
    status: 409,
    title: "The configuration has changed since the plan was made; make a new plan",
  },
  SQL_CANCELLED: { status: 409, title: "The run was canceled" },
  PRECONDITION_FAILED: { status: 412, title: "The row has changed since it was read" },
  BODY_TOO_LARGE: { status: 413, title: "The body is too large" },
  STORAGE_LIMIT_EXCEEDED: { status: 413, title: "The limit of stored bytes is reached" },
  URL_TOO_LONG: { status: 414, title: "The URL is too long" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "The body must be application/json" },
  RANGE_INVALID: { status: 416, title: "The file has no bytes in this range" },
  RATE_LIMIT_EXCEEDED: { status: 429, title: "Too many requests" },
  HEADERS_TOO_LARGE: { status: 431, title: "The headers are too large" },
  INTERNAL_ERROR: { status: 500, title: "Internal server error" },
  SERVICE_UNAVAILABLE: { status: 503, title: "The service is temporarily unavailable" },
  QUERY_TIMEOUT: { status: 504, title: "The query took too long" },
  WORKFLOW_SYNC_TIMEOUT: { status: 504, title: "The run did not finish within the wait time" },
} as const satisfies Record<string, { status: number; title: string }>;

/** A stable, upper-case error code of the wire format. */
export type ErrorCode = keyof typeof errorCodes;

export function statusOf(code: ErrorCode): number {
  return errorCodes[code].status;
}
