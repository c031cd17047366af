/** Its schemas describe themselves in an OpenAPI document. */
export { z } from "@hono/zod-openapi";
export { errorAnswers, mixedErrorAnswers } from "./answer/error-answers.ts";
export { answerEventStream, type SentEvent } from "./answer/event-stream.ts";
export {
  documentHeaders,
  documentQuery,
  embedDocument,
  KeptDocuments,
  namesTag,
  notModifiedAnswer,
  sendDocument,
} from "./answer/kept-documents.ts";
export {
  composeDocument,
  type DocumentOptions,
  type OpenApiDocument,
  openApiDocument,
} from "./answer/openapi-document.ts";
export {
  alreadySent,
  answerRendered,
  type Envelope,
  envelope,
  errorAnswer,
  jsonText,
  jsonValue,
  noContent,
  standardHeaders,
} from "./answer/respond.ts";
export {
  type AssertionFault,
  type AssertionSigner,
  type AssertionVerifier,
  assertionHeader,
  createAssertionSigner,
  createAssertionVerifier,
  type VerifiedAssertion,
} from "./edge/assertion.ts";
export {
  callerHeadersOf,
  isHopByHop,
  requestHeadersFor,
} from "./edge/forwarded-headers.ts";
export { isInternalHeader, removeInternalHeaders } from "./edge/internal-headers.ts";
export { assertionFaultIn, causeOf } from "./edge/introduction.ts";
export type { PathLookup, RouteAddress } from "./request/address.ts";
export { type BodyKind, bodyKindOf } from "./request/body-kind.ts";
export {
  type BareContext,
  type EdgeContext,
  edgeSettingsPath,
  type ServiceEnvironment,
  traceHeader,
} from "./request/edge-context.ts";
export { exactBody } from "./request/exact-body.ts";
export { type JsonValue, type ParseJsonOptions, parseJson } from "./request/parse-json.ts";
export {
  parseQueryStrict,
  type QueryShape,
  type StrictQuery,
} from "./request/parse-query-strict.ts";
export { splitQuery } from "./request/raw-path.ts";
export {
  decodeText,
  openBody,
  type ReadBodyOptions,
  type ReadJsonBodyOptions,
  type RequestBody,
  readBodyBytes,
  readJsonBody,
  readJsonBodyText,
  requireData,
  requireJson,
} from "./request/read-body.ts";
export { requestIdFrom } from "./request/request-id.ts";
export { faultsOf, toPointer } from "./request/zod-faults.ts";
export { type ApiRouter, type ApiRouterOptions, createApiRouter } from "./routes/api-router.ts";
export {
  created,
  exact,
  list,
  type MountRoute,
  none,
  one,
  type RouteCall,
  routeMounter,
  tagged,
} from "./routes/mount-route.ts";
export {
  dataAnswer,
  dataBody,
  describable,
  exactDataBody,
  exactFieldsBody,
  exactJson,
  idParams,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "./routes/route-parts.ts";
export {
  answerHealth,
  isHealthPath,
  type Readiness,
  readinessOf,
  reportChanges,
} from "./server/health.ts";
export type { ServiceAnswer } from "./server/observed.ts";
export type { RejectedRequest } from "./server/refuse-malformed.ts";
export {
  keptConnectionsGraceMs,
  type RunningServer,
  type ServeOptions,
  serve,
  type TimeLimits,
} from "./server/serve.ts";
export { hasBody } from "./server/unread-bodies.ts";
export {
  answerError,
  createService,
  type Service,
  type ServiceOptions,
} from "./service.ts";
