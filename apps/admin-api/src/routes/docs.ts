import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createRoute, z } from "@hono/zod-openapi";
import type { ApiRouter } from "@rowhouse/http";

const { resolve } = createRequire(import.meta.url);
const own = (name: string) => fileURLToPath(new URL(`../../assets/${name}`, import.meta.url));

/** The files of the page, its own and those of Swagger UI, by their paths under `/admin/api`. */
const files = [
  ["docs", "text/html", own("docs.html"), "readDocsPage"],
  ["docs/page.css", "text/css", own("docs.css"), "readDocsPageStyle"],
  ["docs/page.js", "text/javascript", own("docs.js"), "readDocsPageScript"],
  ["docs/swagger-ui.css", "text/css", resolve("swagger-ui-dist/swagger-ui.css"), "readDocsStyle"],
  [
    "docs/swagger-ui-bundle.js",
    "text/javascript",
    resolve("swagger-ui-dist/swagger-ui-bundle.js"),
    "readDocsScript",
  ],
] as const;

/** The page loads only files of this server, runs only its own scripts, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the reference page without authentication, because a browser requests it without a credential. The page asks
 * for one and loads the documents with it. The page itself contains no data of this installation.
 */
export function mountDocsRoutes(router: ApiRouter): void {
  for (const [path, type, file, operationId] of files) {
    const route = createRoute({
      method: "get",
      path: `/admin/api/${path}`,
      operationId,
      tags: ["Documents"],
      summary: path === "docs" ? "Get a page to browse the documents" : "Get a file of the page",
      security: [],
      responses: { 200: { description: "The file", content: { [type]: { schema: z.string() } } } },
    });
    let content: Uint8Array<ArrayBuffer> | undefined;
    router.openapi(route, async (c) => {
      content ??= new Uint8Array(await readFile(file));
      return c.body(content, 200, {
        "Content-Type": `${type}; charset=utf-8`,
        "Content-Security-Policy": contentSecurityPolicy,
      });
    });
  }
}
