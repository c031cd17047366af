/** Its schemas describe themselves in an OpenAPI document. */
export { z } from "@hono/zod-openapi";
export type { PathLookup, RouteAddress } from "./address.ts";
export { type ApiRouter, type ApiRouterOptions, createApiRouter } from "./api-router.ts";
export {
  type AssertionFault,
  type AssertionSigner,
  type AssertionVerifier,
  assertionHeader,
  createAssertionSigner,
  createAssertionVerifier,
  type VerifiedAssertion,
} from "./assertion.ts";
export { type BodyKind, bodyKindOf } from "./body-kind.ts";
export {
  type BareContext,
  type EdgeContext,
  edgeSettingsPath,
  type ServiceEnvironment,
  traceHeader,
} from "./edge-context.ts";
export { errorAnswers, mixedErrorAnswers } from "./error-answers.ts";
export { answerEventStream, type SentEvent } from "./event-stream.ts";
export { exactBody, exactObject, roundedObject } from "./exact-body.ts";
export {
  callerHeadersOf,
  isHopByHop,
  requestHeadersFor,
} from "./forwarded-headers.ts";
export {
  answerHealth,
  isHealthPath,
  type Readiness,
  readinessOf,
  reportChanges,
} from "./health.ts";
export { isInternalHeader, removeInternalHeaders } from "./internal-headers.ts";
export { assertionFaultIn, causeOf } from "./introduction.ts";
export {
  documentHeaders,
  documentQuery,
  embedDocument,
  KeptDocuments,
  namesTag,
  notModifiedAnswer,
  sendDocument,
} from "./kept-documents.ts";
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
} from "./mount-route.ts";
export type { ServiceAnswer } from "./observed.ts";
export {
  composeDocument,
  type DocumentOptions,
  type OpenApiDocument,
  openApiDocument,
} from "./openapi-document.ts";
export { type JsonValue, type ParseJsonOptions, parseJson } from "./parse-json.ts";
export { parseQueryStrict, type QueryShape, type StrictQuery } from "./parse-query-strict.ts";
export { splitQuery } from "./raw-path.ts";
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
} from "./read-body.ts";
export type { RejectedRequest } from "./refuse-malformed.ts";
export { requestIdFrom } from "./request-id.ts";
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
} from "./respond.ts";
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
} from "./route-parts.ts";
export {
  keptConnectionsGraceMs,
  type RunningServer,
  type ServeOptions,
  serve,
  type TimeLimits,
} from "./serve.ts";
export {
  answerError,
  createService,
  type Service,
  type ServiceOptions,
} from "./service.ts";
export { hasBody } from "./unread-bodies.ts";
export { faultsOf, toPointer } from "./zod-faults.ts";
