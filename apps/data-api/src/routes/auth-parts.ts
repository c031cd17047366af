import { z } from "@hono/zod-openapi";

/** The body of an authentication route; its fields are at the top level. */
export function fields<Schema extends z.ZodRawShape>(shape: Schema) {
  return {
    body: {
      required: true as const,
      content: { "application/json": { schema: z.strictObject(shape) } },
    },
  };
}

/** A response `{ "data": … }`. */
export function dataAnswer<Schema extends z.ZodType>(data: Schema, description: string) {
  return { description, content: { "application/json": { schema: z.object({ data }) } } };
}

export const user = z
  .object({ id: z.string(), email: z.string(), name: z.string() })
  .openapi("SignedInUser");
export const signInResult = z.object({ token: z.string(), user }).openapi("SignedIn");

/** An email address that a user claims. */
export const email = z.email().max(320);
/** An email address to look up; any text gets the same response. */
export const anyEmail = z.string();
/** A password attempt; any wrong text gets the same response. */
export const anyPassword = z.string();
export const password = z.string().max(1024);
export const personName = z.string().trim().max(200);
export const linkToken = z.string().max(200);
/** A language tag, such as `de` or `pt-BR`. */
export const language = z.string().max(35);
