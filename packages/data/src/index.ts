export {
  type ListInput,
  listRequestOf,
  parseCreateRequest,
  parseDeleteRequest,
  parseListRequest,
  parseReadRequest,
  parseUpdateRequest,
  type RequestLimits,
} from "./parse-request.ts";
export { createDataEngine, type DataEngine, type DataEngineDependencies } from "./pipeline.ts";
export type { DataAnswer } from "./render-response.ts";
export type { DataRequest, Target } from "./request.ts";
export { requestLimitsOf } from "./request-limits.ts";
export { createRowEngine, type RowEngine } from "./row-engine.ts";
