import { z } from "@hono/zod-openapi";

/** The body of an authentication route: its fields stand at the top level (spec §4.1). */
export function fields<Schema extends z.ZodRawShape>(shape: Schema) {
  return {
    body: {
      required: true as const,
      content: { "application/json": { schema: z.strictObject(shape) } },
    },
  };
}

/** An answer `{ "data": … }`. */
export function dataAnswer<Schema extends z.ZodType>(data: Schema, description: string) {
  return { description, content: { "application/json": { schema: z.object({ data }) } } };
}

export const user = z
  .object({ id: z.string(), email: z.string(), name: z.string() })
  .openapi("SignedInUser");
export const signInResult = z.object({ token: z.string(), user }).openapi("SignedIn");

/** An address that somebody says is theirs. */
export const email = z.email().max(320);
/** An address to look for: whatever it is, the answer is the same. */
export const anyEmail = z.string();
/** A guess at a password: whatever it is, a wrong one has the same answer. */
export const anyPassword = z.string();
export const password = z.string().max(1024);
export const personName = z.string().trim().max(200);
export const linkToken = z.string().max(200);
/** A language tag, like `de` or `pt-BR`. */
export const language = z.string().max(35);
