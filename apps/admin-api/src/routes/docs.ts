import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createRoute, z } from "@hono/zod-openapi";
import type { ApiRouter } from "@rowhouse/http";

const { resolve } = createRequire(import.meta.url);
const own = (name: string) => fileURLToPath(new URL(`../../assets/${name}`, import.meta.url));

/** What the page is made of: its own files, and those of Swagger UI, by the path under `/admin/api`. */
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

/** The page loads nothing from elsewhere, runs no script but its own, and is shown in no frame. */
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
 * The reference page. Open to everyone, for a browser comes without a credential: it asks for one, and reads the
 * documents with it. The page itself tells nothing of this installation.
 */
export function mountDocsRoutes(router: ApiRouter): void {
  for (const [path, type, file, operationId] of files) {
    const route = createRoute({
      method: "get",
      path: `/admin/api/${path}`,
      operationId,
      tags: ["Documents"],
      summary: path === "docs" ? "A page to browse the documents" : "A part of the page",
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
