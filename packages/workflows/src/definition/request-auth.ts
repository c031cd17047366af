import { z } from "zod";

const credential = z.string().min(1).max(8000);
/** The name of a header (RFC 9110 §5.6.2). */
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "Must be the name of a header");

const apiKey = { kind: z.literal("apiKey"), value: credential };

/** The credential of a request. The texts are templates, usually secrets. */
export const requestAuth = z.union([
  z.strictObject({ kind: z.literal("bearer"), token: credential }),
  z.strictObject({ kind: z.literal("basic"), user: z.string().max(2000), password: credential }),
  z.strictObject({ ...apiKey, in: z.literal("header"), name: headerName }),
  z.strictObject({ ...apiKey, in: z.literal("query"), name: z.string().min(1).max(200) }),
]);
