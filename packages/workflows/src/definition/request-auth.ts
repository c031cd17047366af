import { z } from "zod";
import { field } from "./field-meta.ts";

const credential = z.string().min(1).max(8000);
/** The name of a header (RFC 9110 §5.6.2). */
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "Must be the name of a header");

const apiKey = {
  kind: z.literal("apiKey"),
  value: credential.meta(field("Value", "The key, usually a secret.", "template")),
};

/** The credential of a request. The texts are templates, usually secrets. */
export const requestAuth = z.union([
  z
    .strictObject({
      kind: z.literal("bearer"),
      token: credential.meta(field("Token", "The token, usually a secret.", "template")),
    })
    .meta({ title: "Bearer token", description: "Sends the header Authorization: Bearer." }),
  z
    .strictObject({
      kind: z.literal("basic"),
      user: z
        .string()
        .max(2000)
        .meta(field("User", "The name of the user.", "template")),
      password: credential.meta(field("Password", "The password, usually a secret.", "template")),
    })
    .meta({ title: "User and password", description: "Sends the header Authorization: Basic." }),
  z
    .strictObject({
      ...apiKey,
      in: z.literal("header"),
      name: headerName.meta(field("Name", "The name of the header.", "text")),
    })
    .meta({ title: "Key in a header", description: "Sends a header." }),
  z
    .strictObject({
      ...apiKey,
      in: z.literal("query"),
      name: z
        .string()
        .min(1)
        .max(200)
        .meta(field("Name", "The name of the parameter.", "text")),
    })
    .meta({ title: "Key in the URL", description: "Adds a parameter to the URL." }),
]);
