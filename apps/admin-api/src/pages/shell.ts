import { randomBytes } from "node:crypto";
import type { Pages } from "./read-pages.ts";

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
export function createShell(pages: Pages): Shell {
  const nonce = randomBytes(18).toString("base64");
  const styles = pages.styles.map((path) => `<link rel="stylesheet" href="${path}">`).join("");
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
