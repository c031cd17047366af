import { isJsonObject } from "../base/json.ts";
import { secretNameOf } from "../template/parse-template.ts";
import type { TemplateTree } from "../template/render-template.ts";
import type { EffectStep } from "./definition.ts";

/** Tells a fault, with its pointer below the step. */
type Tell = (pointer: readonly string[], message: string) => void;

/** What keeps a request from being sent, as far as it can be told without its values. */
export function checkRequest(
  { url, headers, query, auth, body, bodyKind }: Extract<EffectStep, { kind: "httpRequest" }>,
  tell: Tell,
): void {
  if (!/^(?:https?:\/\/|\{\{)/i.test(url)) {
    tell(["url"], "A URL begins with http:// or https://");
  }
  const headerOfAuth =
    auth?.kind === "apiKey" ? (auth.in === "header" ? auth.name : undefined) : "authorization";
  const repeated = Object.keys(headers).find(
    (name) => name.toLowerCase() === headerOfAuth?.toLowerCase(),
  );
  if (auth !== undefined && repeated !== undefined) {
    tell(["headers", repeated], "This header is what auth sends");
  }
  if (auth?.kind === "apiKey" && auth.in === "query" && Object.hasOwn(query, auth.name)) {
    tell(["query", auth.name], "This parameter is what auth sends");
  }
  const isTemplate = typeof body === "string" && body.includes("{{");
  if (bodyKind === "form" && !isJsonObject(body) && !isTemplate) {
    tell(["body"], "A form is an object, or a template that gives one");
  }
  if (bodyKind === "text" && typeof body !== "string") tell(["body"], "This body is a text");
}

/**
 * Whether the definition itself says where a request goes: its URL begins with an origin, or with a secret that holds
 * one, so that no value can turn it into another. `https://example.org{{x}}` could become `https://example.org.evil`.
 */
export function hasFixedOrigin(url: TemplateTree): boolean {
  if (url.kind !== "TEMPLATE") return true;
  const [first, second] = url.template.parts;
  if (first === undefined) return true;
  if (first.kind === "TEXT") return /^https?:\/\/[^/?#\\]+[/?#\\]/i.test(first.text);
  const isClosed = second === undefined || (second.kind === "TEXT" && /^[/?#\\]/.test(second.text));
  return secretNameOf(first) !== undefined && isClosed;
}
