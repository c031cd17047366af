import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ServiceEnvironment } from "./edge-context.ts";

/** What a document says of itself. */
export type DocumentInfo = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
};

/** The OpenAPI 3.1 document of an app, from the routes that it declares with schemas. */
export function openApiDocument(
  app: OpenAPIHono<ServiceEnvironment>,
  info: DocumentInfo,
): ReturnType<typeof app.getOpenAPI31Document> {
  const document = app.getOpenAPI31Document({ openapi: "3.1.0", info, security: [{ bearer: [] }] });
  document.components ??= {};
  document.components.securitySchemes = { bearer: { type: "http", scheme: "bearer" } };
  return document;
}
