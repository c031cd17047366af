import { createError } from "./app-error.ts";
import { type ErrorCode, errorCodes, statusOf } from "./code.ts";
import { codeGuide } from "./code-guide.ts";
import { codesByStatus } from "./error-document.ts";
import { renderError } from "./render-error.ts";

const introduction = `# Errors

This page lists every error code with its meaning, an example body and what to do. It is generated from the code table:
after a change of \`packages/errors/src/code.ts\` or \`code-guide.ts\` run \`npm run docs:errors\`.

Every error response has the same form:

\`\`\`json
{"errors": [{"code": "…", "message": "…", "path": "…", "details": {}}], "meta": {"requestId": "…"}}
\`\`\`

- \`code\` is stable; programs compare it. \`message\` is a sentence for a person and may change.
- \`path\` is a JSON pointer into the body (\`/data/plate\`), or the query parameter as it was sent. \`path\` and \`details\` are optional.
- A response reports up to 20 faults; the first one determines the status.
- \`requestId\` is also in the \`X-Request-Id\` header and in the service's log.
- No message contains text of the database, except \`SQL_FAILED\`.`;

/** Returns the page of all error codes as Markdown. */
export function renderErrorPage(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const ordered = [...codesByStatus(codes)].sort(([a], [b]) => a - b).flatMap(([, some]) => some);
  return `${[introduction, tableOf(ordered), ...ordered.map(sectionOf)].join("\n\n")}\n`;
}

function tableOf(codes: readonly ErrorCode[]): string {
  const rows = codes.map(
    (code) =>
      `| ${statusOf(code)} | [\`${code}\`](#${code.toLowerCase()}) | ${errorCodes[code].title} |`,
  );
  return [
    "| status | code | message unless a better one is known |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

function sectionOf(code: ErrorCode): string {
  const { meaning, remedy } = codeGuide[code];
  return [
    `## ${code}`,
    `Status ${statusOf(code)}. ${meaning}`,
    `**What to do.** ${remedy}`,
    `\`\`\`json\n${exampleOf(code)}\n\`\`\``,
  ].join("\n\n");
}

/** The example as the service renders it, so that its form cannot differ from a real response. */
function exampleOf(code: ErrorCode): string {
  const error = createError(code, codeGuide[code].example);
  const { errors, meta } = renderError(error, "req-1").body;
  const faults = errors.map((fault) => JSON.stringify(fault)).join(",\n  ");
  return `{"errors": [${faults}],\n "meta": ${JSON.stringify(meta)}}`;
}
