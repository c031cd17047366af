import { z } from "@hono/zod-openapi";
import { codesByStatus, describeCodes, type ErrorCode, errorCodes } from "@rowhouse/errors";

const codeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The body of every error response, for the types of handlers; documents take it from the codes. */
const errorBodySchema = z.object({
  errors: z.array(
    z.object({
      code: z.enum(codeNames),
      message: z.string(),
      path: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  meta: z.looseObject({ requestId: z.string() }),
});

/** The key under which a declared response stores its codes, for `openApiDocument`. */
export const codesKey = "x-error-codes";

interface ErrorAnswer {
  readonly description: string;
  readonly [codesKey]: readonly ErrorCode[];
  readonly content: { readonly "application/json": { readonly schema: typeof errorBodySchema } };
}

type ErrorAnswers<Code extends ErrorCode> = {
  readonly [Key in Code as (typeof errorCodes)[Key]["status"]]: ErrorAnswer;
};

/**
 * Returns the documented responses for a route's error codes, by status, from the code table. Responses that follow
 * from the route's declaration (a body, a parameter, a credential) are documented without it.
 *
 * @example createRoute({ …, responses: { 200: …, ...errorAnswers("ACTION_DENIED", "CONFLICT") } })
 */
export function errorAnswers<const Code extends ErrorCode>(...codes: Code[]): ErrorAnswers<Code> {
  const byStatus: Record<number, ErrorAnswer> = {};
  for (const [status, ofStatus] of codesByStatus(codes)) {
    byStatus[status] = {
      description: describeCodes(ofStatus),
      [codesKey]: ofStatus,
      content: { "application/json": { schema: errorBodySchema } },
    };
  }
  return byStatus as ErrorAnswers<Code>;
}

/**
 * The same for a route that reports faults of several statuses together: the first fault decides the status, and any
 * of the codes may occur beside it.
 */
export function mixedErrorAnswers<const Code extends ErrorCode>(
  ...codes: Code[]
): ErrorAnswers<Code> {
  const answers = Object.entries<ErrorAnswer>(errorAnswers(...codes));
  const mixed = answers.map(([status, answer]) => [status, { ...answer, [codesKey]: codes }]);
  return Object.fromEntries(mixed) as ErrorAnswers<Code>;
}
