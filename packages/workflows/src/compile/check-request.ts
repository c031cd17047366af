import { isJsonObject } from "../base/json.ts";
import type { EffectStep } from "../definition/definition.ts";
import { secretNameOf } from "../template/parse-template.ts";
import type { TemplateTree } from "../template/render-template.ts";

/** Reports a fault, with its pointer below the step. */
type Report = (pointer: readonly string[], message: string) => void;

/** Reports the faults of a request that are detectable without its values. */
export function checkRequest(
  { url, headers, query, auth, body, bodyKind }: Extract<EffectStep, { kind: "httpRequest" }>,
  report: Report,
): void {
  if (!/^(?:https?:\/\/|\{\{)/i.test(url)) {
    report(["url"], "url must begin with http:// or https://");
  }
  const headerOfAuth =
    auth?.kind === "apiKey" ? (auth.in === "header" ? auth.name : undefined) : "authorization";
  const repeated = Object.keys(headers).find(
    (name) => name.toLowerCase() === headerOfAuth?.toLowerCase(),
  );
  if (auth !== undefined && repeated !== undefined) {
    report(["headers", repeated], "auth sends this header; remove it here or in auth");
  }
  if (auth?.kind === "apiKey" && auth.in === "query" && Object.hasOwn(query, auth.name)) {
    report(["query", auth.name], "auth sends this parameter; remove it here or in auth");
  }
  const isTemplate = typeof body === "string" && body.includes("{{");
  if (bodyKind === "form" && !isJsonObject(body) && !isTemplate) {
    report(["body"], "The body of a form must be an object, or a template that yields one");
  }
  if (bodyKind === "text" && typeof body !== "string") report(["body"], "The body must be a text");
}

/**
 * Returns whether the definition alone decides the destination: the URL begins with an origin, or with a secret that
 * holds one. Otherwise a value could change it: `https://example.org{{x}}` could become `https://example.org.evil`.
 */
export function hasFixedOrigin(url: TemplateTree): boolean {
  if (url.kind !== "TEMPLATE") return true;
  const [first, second] = url.template.parts;
  if (first === undefined) return true;
  if (first.kind === "TEXT") return /^https?:\/\/[^/?#\\]+[/?#\\]/i.test(first.text);
  const isClosed = second === undefined || (second.kind === "TEXT" && /^[/?#\\]/.test(second.text));
  return secretNameOf(first) !== undefined && isClosed;
}
