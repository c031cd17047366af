import type { Caller, Principal, Standing } from "@rowhouse/access";

/** A GET request that an administrator sends as somebody else. */
export interface PreviewedRequest {
  /** Path and query. */
  readonly path: string;
  /** `Accept`, `Prefer` and `X-Service-Timezone` only. */
  readonly headers: Headers;
  readonly caller: Caller;
  readonly principal: Principal & Standing;
}

/** The response to a previewed request; a text of any form, with every digit of its JSON. */
export interface PreviewedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}
