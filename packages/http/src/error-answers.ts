import { z } from "@hono/zod-openapi";
import { type ErrorCode, errorCodes } from "@rowhouse/errors";

const codeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The body of every error answer, for documents. */
export const errorBodySchema = z
  .object({
    errors: z
      .array(
        z.object({
          code: z.enum(codeNames),
          message: z.string(),
          path: z.string().optional(),
          details: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .min(1),
    meta: z.looseObject({ requestId: z.string() }),
  })
  .openapi("Error");

interface ErrorAnswer {
  readonly description: string;
  readonly content: { readonly "application/json": { readonly schema: typeof errorBodySchema } };
}

type ErrorAnswers<Code extends ErrorCode> = {
  readonly [Key in Code as (typeof errorCodes)[Key]["status"]]: ErrorAnswer;
};

/**
 * The documented answers for a route's error codes, by status, from the code table.
 *
 * @example
 * createRoute({ …, responses: { 200: …, ...errorAnswers("ACTION_DENIED", "NOT_FOUND") } })
 */
export function errorAnswers<const Code extends ErrorCode>(...codes: Code[]): ErrorAnswers<Code> {
  const byStatus: Record<number, ErrorAnswer> = {};
  for (const code of codes) {
    const { status, title } = errorCodes[code];
    const line = `\`${code}\`: ${title}`;
    byStatus[status] = {
      description:
        byStatus[status] === undefined ? line : `${byStatus[status].description}\n\n${line}`,
      content: { "application/json": { schema: errorBodySchema } },
    };
  }
  return byStatus as ErrorAnswers<Code>;
}
