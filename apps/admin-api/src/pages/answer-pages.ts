import { randomBytes } from "node:crypto";
import { namesTag, type ServiceEnvironment, standardHeaders } from "@rowhouse/http";
import type { Context } from "hono";
import { encodingFor, type PageFile } from "./page-file.ts";
import type { Pages } from "./read-pages.ts";

type PageContext = Context<ServiceEnvironment>;

/** Paths of the APIs; their errors are JSON for every caller. */
const apiPath = /^\/(?:admin\/|app\/)?api(?:\/|$)/;
const pagePath = /^\/(?:admin|app)(?:\/|$)/;
const assetPath = /^\/admin\/assets\//;

const notBuilt = "The pages of this installation are not built. Run: npm run bundle\n";

/**
 * Serves the pages: hashed files to every caller, the shell to browsers and to programs that follow a link, such as the
 * scanner of a mail server. `/` redirects a browser to the workspace, where the page decides by the session. A program
 * that asks for JSON gets the error of an unknown path.
 *
 * @param pages undefined if there is no build; a browser then gets a sentence for its operator
 */
export function createPageAnswer(
  pages: Pages | undefined,
): (c: PageContext) => Response | undefined {
  return (c) => {
    const { method, path } = c.req;
    if ((method !== "GET" && method !== "HEAD") || apiPath.test(path)) return undefined;
    if (assetPath.test(path)) {
      const file = pages?.files.get(path);
      return file === undefined ? undefined : answerFile(c, file);
    }
    const isRoot = path === "/";
    const accepted = c.req.header("accept") ?? "*/*";
    if (isRoot ? !namesPage(accepted) : !pagePath.test(path) || !acceptsPage(accepted)) {
      return undefined;
    }
    const headers = standardHeaders(c.env.edge.requestId, { Vary: "Accept" });
    if (isRoot)
      return new Response(null, { status: 302, headers: { ...headers, Location: "/app" } });
    if (pages === undefined) {
      const plain = { ...headers, "Content-Type": "text/plain; charset=utf-8" };
      return new Response(notBuilt, { status: 503, headers: plain });
    }
    const { html, contentSecurityPolicy } = createShell(pages);
    return new Response(html, {
      headers: {
        ...headers,
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": contentSecurityPolicy,
        "Cross-Origin-Opener-Policy": "same-origin",
      },
    });
  };
}

function namesPage(accepted: string): boolean {
  return accepted.includes("text/html");
}

/** Whether the caller accepts any type. Libraries for JSON add that to the types that they expect. */
function acceptsPage(accepted: string): boolean {
  return namesPage(accepted) || (accepted.includes("*/*") && !accepted.includes("json"));
}

function answerFile(c: PageContext, file: PageFile): Response {
  const headers = standardHeaders(c.env.edge.requestId, {
    "Cache-Control": "public, max-age=31536000, immutable",
    ETag: file.tag,
    Vary: "Accept-Encoding",
  });
  // One tag stands for all encodings of a file.
  const known = c.req.header("if-none-match");
  if (known !== undefined && namesTag(known, file.tag)) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = encodingFor(c.req.header("accept-encoding"), file);
  const bytes = encoding === undefined ? file.bytes : file.encoded[encoding];
  return new Response(bytes ?? file.bytes, {
    headers: {
      ...headers,
      "Content-Type": file.type,
      ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    },
  });
}

/** A page's HTML, with the policy that admits it. */
export interface Shell {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/**
 * Creates the HTML of every page. It contains no data: the scripts read the address and call the APIs.
 *
 * The nonce admits the style elements that the interface library inserts. A `style` attribute needs none, because
 * React sets it through the object model.
 */
function createShell(pages: Pages): Shell {
  const nonce = randomBytes(18).toString("base64");
  const styles = pages.styles.map((path) => `<link rel="stylesheet" href="${path}">`).join("");
  const preloads = pages.imported
    .map((path) => `<link rel="modulepreload" href="${path}">`)
    .join("");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="csp-nonce" property="csp-nonce" nonce="${nonce}">
<title>Rowhouse</title>
<link rel="icon" type="image/svg+xml" href="${pages.icon}">
<script type="module" blocking="render" src="${pages.themeScript}"></script>
${styles}
${preloads}
<link rel="preload" as="font" type="font/woff2" crossorigin href="${pages.font}">
<script type="module" src="${pages.script}"></script>
</head>
<body>
<noscript>Rowhouse needs JavaScript. The APIs work without it.</noscript>
<div id="root"></div>
</body>
</html>
`;
  return { html, contentSecurityPolicy: policyFor(nonce) };
}

function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
